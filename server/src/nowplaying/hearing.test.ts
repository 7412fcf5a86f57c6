import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type SongServer, page, startSongServer, stream } from '../../test/song-server.ts';
import { SafeFetcher } from '../lib/fetch-safely/fetch-safely.ts';
import { operatorsChoice } from '../lib/fetch-safely/policy.ts';
import { NoSeat } from '../lib/fetch-safely/seats.ts';
import { Hearing } from './hearing.ts';
import { type KnownStream, KnownStreams } from './known-streams.ts';
import { StatusDocuments } from './status-documents.ts';

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
  const told: string[] = [];
  known = new KnownStreams().of({ id: 1, address: `${server.origin}/break` });
  for (const now of ['A - B', 'A - B', 'Advertisement', 'A - C', 'A - D']) {
    title = now;
    const heard = await hearing.hear(
      { address: `${server.origin}/break` },
      known,
      AbortSignal.timeout(10_000),
    );
    told.push(typeof heard === 'object' ? `${heard.title} ${heard.source}` : heard);
    await sleep(5);
  }
  assert.deepEqual(told, ['B icy', 'B icecast', 'nothing', 'C icecast', 'D icecast']);
});

test('one that had no seat left is looked at the next time, and the stream is not listened to instead', async () => {
  const icestats = { source: { listenurl: 'http://own.name:8000/live', title: 'A - B' } };
  server.answers.set(
    STATUS,
    page(() => JSON.stringify({ icestats })),
  );
  await hear(2);
  const full = { fetch: () => Promise.reject(new NoSeat('too many wait')) };
  const crowded = new Hearing(fetcher, new StatusDocuments(full, 1));
  await assert.rejects(crowded.hear({ address }, known, AbortSignal.timeout(10_000)), NoSeat);
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
