import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { page, type SongServer, startSongServer, stream } from '../../../test/servers/song-server.ts';
import { shownUntil } from '../../core/now-playing/song.ts';
import { SafeFetcher } from '../../net/fetch/fetch-safely.ts';
import { operatorsChoice } from '../../net/fetch/policy.ts';
import { HostBusy } from '../../net/fetch/host-limiter.ts';
import { type HeardSong, Hearing, songFrom, StatusDocuments } from './hearing.ts';
import { type KnownStream, KnownStreams } from './known-streams.ts';

const ICECAST = { server: 'Icecast 2.4.4' };
const STATUS = '/status-json.xsl';
const fetcher = new SafeFetcher({ policy: operatorsChoice });
/** Shares nothing for longer than a millisecond, so that each look is counted. */
const hearing = new Hearing(fetcher, new StatusDocuments(fetcher, 1));
let server: SongServer;
let address: string;
let known: KnownStream;
before(async () => {
  server = await startSongServer();
  server.answers.set(
    '/live',
    stream(() => 'A - B', ICECAST),
  );
  address = `${server.origin}/live`;
});
after(() => server[Symbol.asyncDispose]());
beforeEach(() => {
  server.asked.clear();
  known = new KnownStreams().of({ id: 1, address });
});

/** Hears it so many times; gives how often the stream and the document were asked. */
async function hear(times: number): Promise<[stream: number, document: number]> {
  for (let time = 0; time < times; time += 1) {
    const heard = await hearing.hear({ address }, known, AbortSignal.timeout(10_000));
    assert.ok(typeof heard === 'object' && heard.artist === 'A');
    await sleep(5);
  }
  return [server.asked.get('/live') ?? 0, server.asked.get(STATUS) ?? 0];
}

test('a document that names the stream stands in for it', async () => {
  const icestats = { source: { listenurl: 'http://own.name:8000/live', title: 'A - B' } };
  server.answers.set(
    STATUS,
    page(() => JSON.stringify({ icestats })),
  );
  assert.deepEqual(await hear(4), [1, 3]);
});

test('one that does not, or is not there, is looked at once', async () => {
  server.answers.set(
    STATUS,
    page(() => '{"icestats":{}}'),
  );
  assert.deepEqual(await hear(4), [4, 1]);
  server.answers.delete(STATUS);
  server.asked.clear();
  known = new KnownStreams().of({ id: 1, address });
  assert.deepEqual(await hear(4), [4, 1]);
});

test('one that broke off is looked at again, the stream being heard meanwhile', async () => {
  server.answers.set(STATUS, (_request, response) => void response.destroy());
  assert.deepEqual(await hear(4), [4, 3]);
});

test('one that names no song while the stream names none either is right, and stands in for it afterwards', async () => {
  let title = 'A - B';
  server.answers.set(
    '/break',
    stream(() => title, ICECAST),
  );
  server.answers.set(
    STATUS,
    page(() => JSON.stringify({ icestats: { source: { listenurl: 'http://x/break', title } } })),
  );
  const given: string[] = [];
  known = new KnownStreams().of({ id: 1, address: `${server.origin}/break` });
  for (const now of ['A - B', 'A - B', 'Advertisement', 'A - C', 'A - D']) {
    title = now;
    const heard = await hearing.hear(
      { address: `${server.origin}/break` },
      known,
      AbortSignal.timeout(10_000),
    );
    given.push(typeof heard === 'object' ? `${heard.title} ${heard.source}` : heard);
    await sleep(5);
  }
  assert.deepEqual(given, ['B icy', 'B icecast', 'nothing', 'C icecast', 'D icecast']);
});

test('one that had no seat left is looked at the next time, and the stream is not listened to instead', async () => {
  const icestats = { source: { listenurl: 'http://own.name:8000/live', title: 'A - B' } };
  server.answers.set(
    STATUS,
    page(() => JSON.stringify({ icestats })),
  );
  await hear(2);
  const full = { fetch: () => Promise.reject(new HostBusy('too many wait')) };
  const crowded = new Hearing(fetcher, new StatusDocuments(full, 1));
  await assert.rejects(crowded.hear({ address }, known, AbortSignal.timeout(10_000)), HostBusy);
  assert.deepEqual(await hear(2), [1, 3]);
});

test('of streams the first that speaks and answers is chosen', () => {
  const streams = [1, 2, 3].map((id) => ({ id, address: `${server.origin}/${id}` }));
  const all = new KnownStreams();
  const chosen = () => all.choose(streams)?.id;
  assert.equal(chosen(), 1);
  all.of({ id: 1, address }).failures = 1;
  assert.equal(chosen(), 2);
  all.of({ id: 2, address }).isMute = true;
  assert.equal(chosen(), 3);
  all.of({ id: 3, address }).failures = 2;
  assert.equal(chosen(), 1);
  for (const id of [1, 3]) all.of({ id, address }).isMute = true;
  assert.equal(chosen(), undefined);
});

const NOW = Date.parse('2026-07-15T12:00:00Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const heard = (startedAt?: number, endsAt?: number): HeardSong => ({
  title: 'First Light',
  source: 'azuracast',
  startedAt,
  endsAt,
});

test('a song began when it is said to have, and ends as it is said to', () => {
  const song = songFrom(heard(NOW - MINUTE, NOW + MINUTE), undefined, NOW);
  assert.deepEqual([song.startedAt, song.endsAt], [NOW - MINUTE, NOW + MINUTE]);
});

test('a song that goes on began when it was first heard', () => {
  const earlier = songFrom(heard(), undefined, NOW - MINUTE);
  assert.equal(songFrom(heard(), earlier, NOW).startedAt, NOW - MINUTE);
});

test('where the clock of a station is ahead, its song began when it was first heard and lasts as long as it says', () => {
  const first = songFrom(heard(NOW + 10 * MINUTE, NOW + 13 * MINUTE), undefined, NOW);
  assert.deepEqual([first.startedAt, first.endsAt], [NOW, NOW + 3 * MINUTE]);
  const again = songFrom(heard(NOW + 10 * MINUTE, NOW + 13 * MINUTE), first, NOW + MINUTE);
  assert.deepEqual([again.startedAt, again.endsAt], [NOW, NOW + 3 * MINUTE]);
});

test('a song that lasts for most of a day is not shown until then when nobody asks any more', () => {
  const song = songFrom(heard(NOW, NOW + 24 * HOUR), undefined, NOW);
  assert.equal(song.endsAt, undefined);
  assert.ok(shownUntil(song) <= NOW + 6 * HOUR);
});
