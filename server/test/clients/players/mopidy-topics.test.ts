import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { addHarbourDiary, serveDays } from './harbour-diary.ts';
import { type Ref, startMopidy } from './mopidy.ts';
import { serveHouse } from '../../house/served-house.ts';
import { waitUntil } from '../../time/wait-until.ts';

const find = (refs: readonly Ref[], name: string): Ref => {
  const found = refs.find((ref) => ref.name === name);
  assert.ok(found, `${name} is not among ${refs.map((ref) => ref.name).join(', ')}`);
  return found;
};

test('Mopidy goes from the podcasts to a show, opens it and plays a topic', async (t) => {
  await using served = await serveHouse(addHarbourDiary);
  await serveDays(served.house);
  const { browse, call } = await startMopidy(served);

  let topics: Ref[] = [];
  await t.test('from the podcasts to the topics of a show that has more than a menu shows', async () => {
    const genres = await browse('tunein:category:podcast');
    const genre = await browse(find(genres, 'Drama, Old-Time Radio & Audiobooks').uri);
    const shows = await browse(find(genre, 'Shows').uri);
    assert.deepEqual(
      shows.map(({ name }) => name),
      ['Harbour Diary'],
      'and nothing that is no show',
    );
    topics = await browse(find(shows, 'Harbour Diary').uri);
    assert.equal(topics.length, 50);
    assert.match(topics[0]?.name ?? '', /^Day 60 \[/, 'the newest first');
  });

  await t.test('sound, from the beginning of the file on', async () => {
    const [newest] = topics;
    assert.ok(newest);
    await call('tracklist.add', { uris: [newest.uri] });
    await call('playback.play');
    const position = async (): Promise<number> => Number(await call('playback.get_time_position'));
    const started = await waitUntil('sound', async () => (await position()) || undefined);
    await sleep(2000);
    const heard = (await position()) - started;
    assert.ok(heard > 1000, `in two seconds of listening ${heard} ms were heard`);
    assert.equal(await call('playback.get_state'), 'playing');
  });

  await t.test('and it ends where the file ends', async () => {
    await waitUntil('the end', async () => (await call('playback.get_state')) === 'stopped' || undefined);
  });
});
