import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PlayerWorld, STATION, TOPIC, stream } from '../../../test/player-world.ts';

test('a station is tuned and its first stream is heard', async () => {
  const world = new PlayerWorld();
  world.streams('http://a/', 'http://b/');
  world.engine.play(STATION);
  assert.equal(world.engine.state.status, 'loading');
  await world.pass(2);
  const { status, stream: heard, item, reason, duration } = world.engine.state;
  assert.deepEqual([status, heard?.address, item, reason], ['playing', 'http://a/', STATION, undefined]);
  assert.equal(duration, undefined, 'a station has no end');
  assert.ok(world.engine.state.position > 1);
  assert.deepEqual(world.reports, []);
});

test('a stream that fails gives way to the next at once, and the failure is told', async () => {
  const world = new PlayerWorld();
  world.streams('http://dead/', 'http://good/');
  world.sound.behaviours.set('http://dead/', 'fails');
  world.engine.play(STATION);
  await world.pass(0.1);
  assert.equal(world.engine.state.stream?.address, 'http://good/');
  assert.equal(world.engine.state.status, 'playing');
  assert.deepEqual(world.reports, ['s1 http://dead/ 4 MEDIA_ELEMENT_ERROR']);
});

test('a stream that brings no sound gives way within five seconds', async () => {
  const world = new PlayerWorld();
  world.streams('http://silent/', 'http://good/');
  world.sound.behaviours.set('http://silent/', 'hangs');
  world.engine.play(STATION);
  await world.pass(3);
  assert.equal(world.engine.state.status, 'loading');
  await world.pass(1.9);
  assert.deepEqual([world.engine.state.status, world.engine.state.isSecondTry], ['playing', true]);
  assert.deepEqual(world.reports, ['s1 http://silent/ 0 no sound in time']);
});

test('a stream that stops in the middle gives way within five seconds', async () => {
  const world = new PlayerWorld();
  world.streams('http://a/', 'http://b/');
  world.engine.play(STATION);
  await world.pass(4);
  world.sound.isStuck = true;
  await world.pass(4.4);
  assert.deepEqual(world.sound.opened, ['http://a/']);
  await world.pass(0.5);
  assert.equal(world.engine.state.stream?.address, 'http://b/');
});

test('a stream that was good for long is tried again first, and nobody is told', async () => {
  const world = new PlayerWorld();
  world.streams('http://a/', 'http://b/');
  world.engine.play(STATION);
  await world.pass(60);
  world.sound.tell('ended');
  await world.pass(1);
  assert.deepEqual(world.sound.opened, ['http://a/', 'http://a/']);
  assert.equal(world.engine.state.status, 'playing');
  assert.deepEqual(world.reports, []);
});

test('a silent stream has a second, longer chance when there is no other', async () => {
  const world = new PlayerWorld();
  world.streams('http://slow/', 'http://dead/');
  world.sound.behaviours.set('http://slow/', 'hangs');
  world.sound.behaviours.set('http://dead/', 'fails');
  world.engine.play(STATION);
  await world.pass(6);
  assert.deepEqual(world.sound.opened, ['http://slow/', 'http://dead/', 'http://slow/']);
  world.sound.tell('playing');
  assert.equal(world.engine.state.status, 'playing');
  assert.deepEqual(world.reports, ['s1 http://dead/ 4 MEDIA_ELEMENT_ERROR'], 'the slow one was not dead');
});

const reasonFor = async (world: PlayerWorld): Promise<string | undefined> => {
  world.engine.play(STATION);
  await world.pass(0.2);
  assert.equal(world.engine.state.status, 'failed');
  return world.engine.state.reason;
};

test('why nothing can be heard is told apart', async () => {
  const silent = new PlayerWorld();
  assert.equal(await reasonFor(silent), 'nothing');
  const other = new PlayerWorld();
  other.tuned = { streams: [], isIncompatible: true };
  assert.equal(await reasonFor(other), 'format');
  const windows = new PlayerWorld();
  windows.tuned = { streams: [stream('http://w/', 'wma')], isIncompatible: false };
  windows.sound.unplayable.add('audio/x-ms-wma');
  assert.equal(await reasonFor(windows), 'format');
  const plain = new PlayerWorld({ isSecurePage: true });
  plain.streams('http://plain/');
  assert.equal(await reasonFor(plain), 'insecure');
});

test('on a secure page the secure streams are played', async () => {
  const world = new PlayerWorld({ isSecurePage: true });
  world.streams('http://plain/', 'https://secure/');
  world.engine.play(STATION);
  await world.pass(0.2);
  assert.deepEqual(world.sound.opened, ['https://secure/']);
});

test('a browser that wants a click is told of, and a click plays', async () => {
  const world = new PlayerWorld();
  world.streams('http://a/');
  world.sound.behaviours.set('http://a/', 'wants a click');
  world.engine.play(STATION);
  await world.pass(0.2);
  assert.deepEqual([world.engine.state.status, world.engine.state.reason], ['paused', 'touch']);
  world.sound.behaviours.clear();
  world.engine.toggle();
  await world.pass(0.2);
  assert.deepEqual([world.engine.state.status, world.engine.state.reason], ['playing', undefined]);
  assert.deepEqual(world.reports, []);
});

test('a paused station is left, and tuned anew', async () => {
  const world = new PlayerWorld();
  world.streams('http://a/');
  world.engine.play(STATION);
  await world.pass(2);
  world.engine.toggle();
  assert.deepEqual([world.engine.state.status, world.sound.src], ['paused', '']);
  await world.pass(20);
  assert.equal(world.engine.state.status, 'paused', 'nothing takes a pause for a stall');
  world.engine.toggle();
  await world.pass(1);
  assert.deepEqual(world.sound.opened, ['http://a/', 'http://a/']);
});

test('another station takes over at once, whatever the first was doing', async () => {
  const world = new PlayerWorld();
  const tuning = Promise.withResolvers<void>();
  const slow = new PlayerWorld({
    tune: async ({ guideId }) => {
      if (guideId === 's1') await tuning.promise;
      return { streams: [stream(`http://${guideId}/`)], isIncompatible: false };
    },
  });
  slow.engine.play(STATION);
  slow.engine.play({ ...STATION, guideId: 's2' });
  await slow.pass(0.2);
  tuning.resolve();
  await slow.pass(0.2);
  assert.deepEqual(slow.sound.opened, ['http://s2/']);
  world.streams('http://a/');
  world.sound.behaviours.set('http://a/', 'hangs');
  world.engine.play(STATION);
  await world.pass(1);
  world.streams('http://b/');
  world.engine.play({ ...STATION, guideId: 's2' });
  await world.pass(10);
  assert.deepEqual(world.sound.opened, ['http://a/', 'http://b/']);
  assert.deepEqual(world.reports, [], 'what is left is not lost');
});

test('HLS is played by the player for it, only where the browser cannot', async () => {
  const hls = { streams: [stream('http://h/live.m3u8', 'hls')], isIncompatible: false };
  const able = new PlayerWorld();
  able.tuned = hls;
  able.engine.play(STATION);
  await able.pass(0.2);
  assert.deepEqual([able.hls, able.sound.opened], [[], ['http://h/live.m3u8']]);
  const unable = new PlayerWorld();
  unable.tuned = hls;
  unable.sound.unplayable.add('application/vnd.apple.mpegurl');
  unable.engine.play(STATION);
  await unable.pass(0.2);
  assert.equal(unable.engine.state.status, 'playing');
  unable.engine.stop();
  assert.deepEqual(unable.hls, ['http://h/live.m3u8', 'closed']);
});

test('a topic waits where it was paused, and is found there the next time', async () => {
  const world = new PlayerWorld();
  world.streams('http://t/');
  world.sound.duration = 600;
  world.engine.play(TOPIC);
  await world.pass(40);
  world.engine.toggle();
  await world.pass(30);
  assert.equal(world.engine.state.status, 'paused');
  assert.equal(Math.round(world.sound.currentTime), 40);
  world.engine.toggle();
  await world.pass(5);
  assert.deepEqual(world.sound.opened, ['http://t/'], 'it was not opened anew');
  world.engine.play(STATION);
  assert.ok(Math.abs((world.positions.get('t7') ?? 0) - 45) <= 1);
  world.engine.play(TOPIC);
  await world.pass(1);
  assert.ok(world.engine.state.position >= 45);
  assert.equal(world.engine.state.duration, 600);
});

test('a topic that is paused is kept where the sound stands, before that is told', async () => {
  const world = new PlayerWorld();
  world.streams('http://t/');
  world.sound.duration = 600;
  world.engine.play(TOPIC);
  await world.pass(12);
  world.sound.currentTime = 13.2;
  world.engine.toggle();
  assert.equal(world.positions.get('t7'), 13.2);
});

test('a topic that came to its end is forgotten, and begins anew', async () => {
  const world = new PlayerWorld();
  world.streams('http://t/');
  world.sound.duration = 30;
  world.engine.play(TOPIC);
  await world.pass(12);
  assert.ok(world.positions.has('t7'));
  world.sound.tell('ended');
  assert.deepEqual([world.engine.state.status, world.engine.state.position], ['paused', 0]);
  assert.equal(world.positions.has('t7'), false);
});

test('seeking moves a topic within its length, and no station', async () => {
  const world = new PlayerWorld();
  world.streams('http://t/');
  world.sound.duration = 100;
  world.engine.play(TOPIC);
  await world.pass(1);
  world.engine.seek(50);
  assert.equal(world.engine.state.position, 50);
  world.engine.seek(900);
  assert.equal(world.engine.state.position, 100);
  world.engine.seek(-5);
  assert.equal(world.engine.state.position, 0);
  world.engine.play(STATION);
  await world.pass(1);
  world.engine.seek(50);
  assert.ok(world.engine.state.position < 2);
});

test('the sleep timer pauses when it is time, and can be called off', async () => {
  const world = new PlayerWorld();
  world.streams('http://a/');
  world.engine.play(STATION);
  await world.pass(1);
  world.engine.sleepIn(1);
  assert.equal(world.engine.state.sleepsAt, world.now + 60_000);
  await world.pass(59);
  assert.equal(world.engine.state.status, 'playing');
  await world.pass(2);
  assert.deepEqual([world.engine.state.status, world.engine.state.sleepsAt], ['paused', undefined]);
  world.engine.toggle();
  world.engine.sleepIn(1);
  world.engine.sleepIn(0);
  await world.pass(70);
  assert.equal(world.engine.state.status, 'playing');
});

test('the volume stays between nothing and full, and is heard again when it is moved', () => {
  const { engine, sound } = new PlayerWorld();
  engine.setVolume(0.4);
  engine.setMuted(true);
  assert.deepEqual([sound.volume, sound.muted, engine.state.isMuted], [0.4, true, true]);
  engine.setVolume(3);
  assert.deepEqual([sound.volume, sound.muted, engine.state.volume], [1, false, 1]);
});

test('an address that a listener saved is played without asking the directory', async () => {
  const world = new PlayerWorld();
  world.tuned = new Error('nobody may ask');
  world.engine.play({ ...STATION, guideId: 'u3', address: 'http://mine/' });
  await world.pass(0.5);
  assert.deepEqual(world.sound.opened, ['http://mine/']);
});

test('headphones pulled out are a pause, not a failure', async () => {
  const world = new PlayerWorld();
  world.streams('http://a/', 'http://b/');
  world.engine.play(STATION);
  await world.pass(2);
  world.sound.pause();
  await world.pass(10);
  assert.equal(world.engine.state.status, 'paused');
  assert.deepEqual(world.sound.opened, ['http://a/']);
});

test('what is lost while it is paused stays paused, and goes on at the next press of play', async () => {
  const world = new PlayerWorld();
  world.streams('http://a/');
  world.engine.play(STATION);
  await world.pass(60);
  world.sound.pause();
  await world.pass(2);
  world.isOnline = false;
  world.sound.tell('error');
  await world.pass(10);
  world.isOnline = true;
  world.comeBack();
  await world.pass(60);
  assert.deepEqual([world.engine.state.status, world.engine.state.isOffline], ['paused', false]);
  assert.deepEqual(world.sound.opened, ['http://a/']);
  assert.deepEqual(world.reports, []);
  world.engine.toggle();
  await world.pass(1);
  assert.equal(world.engine.state.status, 'playing');
});

test('a topic that is lost while it is paused goes on from where it was', async () => {
  const world = new PlayerWorld();
  world.streams('http://a/');
  world.engine.play(TOPIC);
  await world.pass(30);
  world.engine.toggle();
  await world.pass(600);
  world.sound.tell('error');
  await world.pass(10);
  assert.equal(world.engine.state.status, 'paused');
  world.engine.toggle();
  await world.pass(1);
  assert.equal(world.engine.state.status, 'playing');
  assert.ok(Math.abs(world.sound.currentTime - 31) < 1.5, String(world.sound.currentTime));
});

test('what the player of HLS finds out late does not disturb the station that is heard by then', async () => {
  const loaded = Promise.withResolvers<void>();
  const world = new PlayerWorld({
    openHls: async (address, _onFailure, signal) => {
      await loaded.promise;
      signal.throwIfAborted();
      world.sound.src = address;
      return () => undefined;
    },
  });
  world.sound.unplayable.add('application/vnd.apple.mpegurl');
  world.tuned = { streams: [stream('http://late.m3u8', 'hls')], isIncompatible: false };
  world.engine.play(STATION);
  await world.pass(1);
  world.streams('http://b/');
  world.engine.play({ ...STATION, guideId: 's2' });
  await world.pass(1);
  loaded.resolve();
  await world.pass(5);
  assert.deepEqual([world.engine.state.status, world.sound.opened], ['playing', ['http://b/']]);
  assert.deepEqual(world.reports, []);
});

test('an episode that is looked at in the moment of its end is over, not paused', async () => {
  const world = new PlayerWorld();
  const seen: string[] = [];
  world.streams('http://a/');
  world.engine.play(TOPIC);
  await world.pass(5);
  world.engine.subscribe(() => seen.push(world.engine.state.status));
  [world.sound.paused, world.sound.ended] = [true, true];
  await world.pass(1);
  assert.deepEqual(seen, []);
  world.sound.tell('ended');
  assert.deepEqual([world.engine.state.status, world.engine.state.position], ['paused', 0]);
});
