import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PlayerWorld, STATION } from '../../../test/player-world.ts';

async function asleepInAMinute(): Promise<PlayerWorld> {
  const world = new PlayerWorld();
  world.streams('http://a/');
  world.engine.setVolume(0.8);
  world.engine.play(STATION);
  world.engine.sleepIn(1);
  await world.pass(39);
  return world;
}

test('the sound fades out before it stops, and is as loud as before the next time', async () => {
  const world = await asleepInAMinute();
  assert.equal(world.sound.volume, 0.8);
  await world.pass(11);
  assert.ok(Math.abs(world.sound.volume - 0.4) < 0.05, `half way it is at ${world.sound.volume}`);
  assert.equal(world.engine.state.volume, 0.8, 'what the listener chose is shown');
  await world.pass(9);
  assert.equal(world.engine.state.status, 'playing');
  assert.ok(world.sound.volume < 0.1);
  await world.pass(2);
  assert.deepEqual([world.engine.state.status, world.engine.state.sleepsAt], ['paused', undefined]);
  assert.equal(world.sound.volume, 0.8);
});

test('whoever calls it off while it fades hears it as before', async () => {
  const world = await asleepInAMinute();
  await world.pass(15);
  assert.ok(world.sound.volume < 0.4);
  world.engine.sleepIn(0);
  assert.equal(world.sound.volume, 0.8);
  await world.pass(60);
  assert.deepEqual([world.engine.state.status, world.sound.volume], ['playing', 0.8]);
});

test('a volume that is set while it fades is for the next time', async () => {
  const world = await asleepInAMinute();
  await world.pass(11);
  world.engine.setVolume(0.2);
  await world.pass(1);
  assert.ok(world.sound.volume < 0.2);
  await world.pass(20);
  assert.deepEqual([world.engine.state.status, world.sound.volume], ['paused', 0.2]);
});
