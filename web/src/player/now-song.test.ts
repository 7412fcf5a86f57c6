import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PlayerWorld, STATION, TOPIC } from '../../test/player-world.ts';
import type { Song } from '../items/songs/song.ts';
import { NowSong } from './now-song.ts';

const song = (title: string): Song => ({ title, artist: 'The Example Duo', startedAt: undefined });

function follow(): { world: PlayerWorld; now: NowSong; asked: string[]; say: (title?: string) => void } {
  const world = new PlayerWorld();
  world.streams('http://a/');
  const asked: string[] = [];
  let tell: ((next: Song | undefined) => void) | undefined;
  const now = new NowSong((ids, onUpdate) => {
    asked.push(ids);
    tell = (next) => onUpdate(ids, next);
    return () => asked.push('stopped');
  });
  now.of(world.engine);
  return { world, now, asked, say: (title) => tell?.(title === undefined ? undefined : song(title)) };
}

const titles = ({ state }: NowSong): (string | undefined)[] => [
  state.song?.title,
  ...state.before.map(({ title }) => title),
];

test('the song of the station that plays is asked for once, and no longer than it plays', async () => {
  const { world, asked } = follow();
  world.engine.play(STATION);
  await world.pass(5);
  world.sound.isStuck = true;
  await world.pass(60);
  assert.deepEqual(asked, ['s1'], 'through a gap');
  world.engine.toggle();
  assert.deepEqual(asked, ['s1', 'stopped']);
  world.engine.play(TOPIC);
  world.engine.play({ ...STATION, address: 'http://mine/' });
  assert.deepEqual(asked, ['s1', 'stopped'], 'topics and own addresses tell none');
});

test('what was heard before is kept, the latest first, and never too much of it', async () => {
  const { world, now, say } = follow();
  world.engine.play(STATION);
  for (const title of ['One', 'Two', 'Two', 'Three']) say(title);
  assert.deepEqual(titles(now), ['Three', 'Two', 'One']);
  say();
  assert.deepEqual(titles(now), [undefined, 'Three', 'Two', 'One']);
  for (let at = 0; at < 100; at++) say(`Song ${at}`);
  assert.equal(now.state.before.length, 30);
  world.engine.play({ ...STATION, guideId: 's2' });
  assert.deepEqual(titles(now), [undefined], 'another station has its own');
});
