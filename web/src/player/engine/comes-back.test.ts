import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PlayerWorld, STATION } from '../../../test/player-world.ts';

const BOTH = ['http://a/', 'http://b/'];

/** A station with two streams that has been heard for half a minute. */
async function heard(): Promise<PlayerWorld> {
  const world = new PlayerWorld();
  world.streams(...BOTH);
  world.engine.play(STATION);
  await world.pass(30);
  assert.equal(world.engine.state.status, 'playing');
  return world;
}

/** A cable is unplugged: nothing answers, and the browser does not know. */
function unplug(world: PlayerWorld): void {
  for (const address of BOTH) world.sound.behaviours.set(address, 'hangs');
  world.tuned = new TypeError('fetch failed');
  world.isReachable = false;
}

function plugIn(world: PlayerWorld): void {
  world.sound.behaviours.clear();
  world.streams(...BOTH);
  world.isReachable = true;
}

for (const seconds of [20, 45.5, 300, 7000])
  test(`a network that was gone for ${seconds} s is noticed within five, and nobody is blamed`, async () => {
    const world = await heard();
    unplug(world);
    await world.pass(seconds);
    assert.deepEqual([world.engine.state.status, world.engine.state.isOffline], ['loading', true]);
    plugIn(world);
    await world.pass(4.5);
    const { status, stream, reason, isOffline } = world.engine.state;
    assert.deepEqual(
      [status, stream?.address, reason, isOffline],
      ['playing', 'http://a/', undefined, false],
    );
    assert.deepEqual(world.reports, []);
  });

test('without a network streams are left alone, but for a try now and then', async () => {
  const world = await heard();
  unplug(world);
  await world.pass(60);
  const tried = world.sound.opened.length;
  await world.pass(240);
  assert.ok(world.sound.opened.length - tried < 24, `${world.sound.opened.length - tried} tries in 240 s`);
});

for (const seconds of [20, 51, 300])
  test(`a server that was silent for ${seconds} s while the network worked is heard within five`, async () => {
    const world = await heard();
    for (const address of BOTH) world.sound.behaviours.set(address, 'fails');
    world.sound.tell('ended');
    await world.pass(seconds);
    assert.deepEqual(
      [world.engine.state.status, world.engine.state.wasHeard, world.engine.state.isOffline],
      ['loading', true, false],
    );
    const tried = world.sound.opened.length;
    assert.ok(tried < 4 + seconds, `a server that refuses was asked ${tried} times in ${seconds} s`);
    world.sound.behaviours.clear();
    await world.pass(4.5);
    assert.equal(world.engine.state.status, 'playing');
    assert.deepEqual(world.reports, []);
  });

test('what was heard is given up after a while where the network works', async () => {
  const world = await heard();
  for (const address of BOTH) world.sound.behaviours.set(address, 'fails');
  world.sound.tell('ended');
  await world.pass(500);
  assert.equal(world.engine.state.status, 'loading');
  await world.pass(200);
  assert.deepEqual([world.engine.state.status, world.engine.state.reason], ['failed', 'network']);
});

test('another stream that fails in a short gap is not blamed when the first plays again', async () => {
  const world = await heard();
  unplug(world);
  // The sound stops for four seconds, the first has three and a half, the second the same.
  await world.pass(9);
  assert.equal(world.sound.opened.at(-1), 'http://b/');
  world.isReachable = true;
  world.sound.behaviours.delete('http://a/');
  await world.pass(12);
  assert.deepEqual([world.engine.state.status, world.engine.state.stream?.address], ['playing', 'http://a/']);
  assert.deepEqual(world.reports, []);
});

test('another stream that fails while our own server answers is told of', async () => {
  const world = await heard();
  world.sound.behaviours.set('http://a/', 'hangs');
  world.sound.behaviours.set('http://b/', 'fails');
  await world.pass(9);
  world.sound.behaviours.delete('http://a/');
  world.sound.tell('playing');
  assert.equal(world.engine.state.stream?.address, 'http://a/');
  assert.deepEqual(world.reports, ['s1 http://b/ 4 MEDIA_ELEMENT_ERROR']);
});

test('after an hour of sleep a dead connection is not waited for', async () => {
  const world = await heard();
  world.sound.isStuck = true;
  world.asleepMs = 3_600_000;
  await world.pass(1);
  assert.deepEqual(world.sound.opened, ['http://a/'], 'it may need a moment');
  await world.pass(1.5);
  world.sound.isStuck = false;
  await world.pass(1);
  assert.deepEqual(world.sound.opened, ['http://a/', 'http://a/']);
  assert.equal(world.engine.state.status, 'playing');
  assert.deepEqual(world.reports, []);
});

test('a clock that is set forward by an hour changes nothing', async () => {
  const world = await heard();
  world.asleepMs = 3_600_000;
  await world.pass(60);
  assert.deepEqual(world.sound.opened, ['http://a/']);
});
