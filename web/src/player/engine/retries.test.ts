import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PlayerWorld, STATION } from '../../../test/player-world.ts';

const DEAD = ['http://x/', 'http://y/'];
function allDead(): PlayerWorld {
  const world = new PlayerWorld();
  world.streams(...DEAD);
  for (const address of DEAD) world.sound.behaviours.set(address, 'fails');
  return world;
}

test('when all are lost it says so, blames none, and tries again after growing pauses', async () => {
  const world = allDead();
  world.engine.play(STATION);
  await world.pass(1);
  assert.deepEqual([world.engine.state.status, world.engine.state.reason], ['loading', 'network']);
  assert.deepEqual(world.sound.opened, DEAD);
  await world.pass(2);
  assert.equal(world.sound.opened.length, 4);
  await world.pass(3);
  assert.equal(world.sound.opened.length, 4, 'the second pause is longer');
  await world.pass(1.5);
  assert.equal(world.sound.opened.length, 6);
  assert.equal(world.engine.state.reason, 'network', 'it is said once, not with each try');
  world.sound.behaviours.clear();
  await world.pass(9);
  assert.deepEqual([world.engine.state.status, world.engine.state.reason], ['playing', undefined]);
  assert.deepEqual(world.reports, []);
});

test('a line that was gone for a minute is none of the streams’ fault, and what was heard is heard again', async () => {
  const world = new PlayerWorld();
  world.streams('http://a/', 'http://b/');
  world.engine.play(STATION);
  await world.pass(30);
  for (const address of ['http://a/', 'http://b/']) world.sound.behaviours.set(address, 'hangs');
  await world.pass(60);
  assert.equal(world.engine.state.status, 'loading');
  world.sound.behaviours.clear();
  await world.pass(40);
  assert.deepEqual([world.engine.state.status, world.engine.state.stream?.address], ['playing', 'http://a/']);
  assert.deepEqual(world.reports, []);
});

test('a stream that is dead is told of once another plays, also after the line was gone', async () => {
  const world = allDead();
  world.engine.play(STATION);
  await world.pass(1);
  world.sound.behaviours.delete('http://y/');
  await world.pass(3);
  assert.equal(world.engine.state.stream?.address, 'http://y/');
  assert.deepEqual(world.reports, ['s1 http://x/ 4 MEDIA_ELEMENT_ERROR']);
});

test('a line that comes back while a later stream is tried is none of the earlier one’s fault', async () => {
  const world = new PlayerWorld();
  world.streams('http://a/', 'http://b/');
  for (const address of ['http://a/', 'http://b/']) world.sound.behaviours.set(address, 'hangs');
  world.engine.play(STATION);
  // Two short chances, two long ones and a pause; then the first of the next round is given up.
  await world.pass(3.5 * 2 + 12 * 2 + 2 + 3.6);
  assert.equal(world.sound.opened.at(-1), 'http://b/');
  world.sound.tell('playing');
  assert.equal(world.engine.state.status, 'playing');
  assert.deepEqual(world.reports, []);
});

test('a stream that was heard well is not blamed for a short gap that the next one outlasts', async () => {
  const world = new PlayerWorld();
  world.streams('http://a/', 'http://b/');
  world.engine.play(STATION);
  await world.pass(30);
  for (const address of ['http://a/', 'http://b/']) world.sound.behaviours.set(address, 'hangs');
  await world.pass(8.2);
  assert.deepEqual(world.sound.opened, ['http://a/', 'http://a/', 'http://b/']);
  world.sound.tell('playing');
  assert.equal(world.engine.state.stream?.address, 'http://b/');
  assert.deepEqual(world.reports, []);
});

test('a network that is there again is tried at once', async () => {
  const world = allDead();
  world.engine.play(STATION);
  await world.pass(40);
  const tried = world.sound.opened.length;
  world.sound.behaviours.clear();
  world.comeBack();
  await world.pass(0.2);
  assert.equal(world.engine.state.status, 'playing');
  assert.equal(world.sound.opened.length, tried + 1);
  world.comeBack();
  await world.pass(1);
  assert.equal(world.sound.opened.length, tried + 1, 'what is heard is left alone');
});

test('after some minutes it gives up, and can be tried again', async () => {
  const world = allDead();
  world.engine.play(STATION);
  await world.pass(300);
  assert.equal(world.engine.state.status, 'loading');
  await world.pass(500);
  assert.deepEqual([world.engine.state.status, world.engine.state.reason], ['failed', 'network']);
  const tried = world.sound.opened.length;
  assert.ok(tried < 40, `${tried} tries`);
  world.sound.behaviours.clear();
  world.engine.toggle();
  await world.pass(1);
  assert.equal(world.engine.state.status, 'playing');
});

test('whoever pauses while it is tried again is left in peace', async () => {
  const world = allDead();
  world.engine.play(STATION);
  await world.pass(1);
  world.engine.toggle();
  const tried = world.sound.opened.length;
  world.comeBack();
  await world.pass(100);
  assert.deepEqual([world.engine.state.status, world.sound.opened.length], ['paused', tried]);
});

test('a directory that does not answer is asked again, and the streams it named before are good enough', async () => {
  const world = new PlayerWorld();
  world.tuned = new TypeError('fetch failed');
  world.engine.play(STATION);
  await world.pass(1);
  assert.deepEqual([world.engine.state.status, world.engine.state.reason], ['loading', 'directory']);
  world.streams('http://x/');
  world.sound.behaviours.set('http://x/', 'fails');
  await world.pass(2);
  assert.deepEqual(world.sound.opened, ['http://x/']);
  world.tuned = new TypeError('fetch failed');
  world.sound.behaviours.clear();
  await world.pass(5);
  assert.equal(world.engine.state.status, 'playing');
});

test('what is lost while the browser knows that it is offline is not told', async () => {
  const world = new PlayerWorld();
  world.streams('http://a/', 'http://b/');
  world.sound.behaviours.set('http://a/', 'hangs');
  world.isOnline = false;
  world.engine.play(STATION);
  await world.pass(5);
  assert.equal(world.engine.state.stream?.address, 'http://b/');
  assert.deepEqual(world.reports, []);
});
