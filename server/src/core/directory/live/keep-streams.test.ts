import assert from 'node:assert/strict';
import { after, afterEach, beforeEach, test } from 'node:test';
import type { QueryConfig } from 'pg';
import { waitUntil as waitFor } from '../../../../test/time/wait-until.ts';
import { testDatabase } from '../../../../test/database/database.ts';
import { fillCatalogue, randomCatalogue } from '../../../../test/content/random-catalogue.ts';
import type { Queryable } from '../../../storage/db/pool.ts';
import { systemClock } from '../../../lib/clock.ts';
import { createLog } from '../../../lib/log.ts';
import { buildSnapshot } from '../snapshot/build-snapshot.ts';
import { StreamNews } from './keep-streams.ts';
import type { DirectoryStream, Snapshot } from '../snapshot/snapshot.ts';

const database = await testDatabase();
const { pool } = database;
await fillCatalogue(pool, randomCatalogue(5, 1500));
const { stations } = await buildSnapshot(pool);
const streams = stations.flatMap((station) => station.streams);
after(() => database[Symbol.asyncDispose]());

let isAway = false;
const db: Queryable = {
  query: (config: QueryConfig) =>
    isAway ? Promise.reject(new Error('Connection terminated unexpectedly')) : pool.query(config),
};
let news: StreamNews;
let swap: (next: Snapshot) => void;
let logged: string[];
beforeEach(async () => {
  await pool.query('TRUNCATE stream_checks');
  isAway = false;
  logged = [];
  const directory = { onSwap: (listener: typeof swap) => ((swap = listener), () => undefined) };
  const log = createLog({ level: 'info', sink: { write: (line) => void logged.push(line) } });
  news = new StreamNews({ db, directory, clock: systemClock, log, lookMs: 20 });
});
afterEach(() => news[Symbol.asyncDispose]());

const check = (ids: readonly number[], standing: number, changed = 'now()'): Promise<unknown> =>
  pool.query(
    `INSERT INTO stream_checks (stream_id, host, next_due_at, verdict, standing, standing_at, bitrate, changed_at)
     SELECT id, 'host', now(), 'dead', $2, now(), 77, ${changed} FROM unnest($1::bigint[]) AS id
     ON CONFLICT (stream_id) DO UPDATE SET standing = EXCLUDED.standing, changed_at = EXCLUDED.changed_at`,
    [ids, standing],
  );
const waitUntil = (isSo: () => boolean): Promise<true> =>
  waitFor('the news', async () => isSo() || undefined);
const given = (stream: DirectoryStream): DirectoryStream => news.board.latest(stream);
const [first = assert.fail(), second = assert.fail()] = streams;

test('a stream of which nothing is new is told as the directory has it', async () => {
  await check([second.id], 12);
  await waitUntil(() => given(second).reliability === 12);
  assert.equal(given(first), first);
});

test('news are told within moments: verdict, reliability and what was measured', async () => {
  await check([first.id], 12);
  await waitUntil(() => given(first).reliability === 12);
  assert.equal(given(first).verdict, 'dead');
  assert.equal(given(first).bitrate, 77);
  assert.equal(given(first).address, first.address);
});

test('news of more streams than one question holds all come', async () => {
  const ids = streams.map(({ id }) => id);
  assert.ok(ids.length > 1000);
  await check(ids, 3, "now() + (id % 2) * interval '1 microsecond'");
  await waitUntil(() => streams.every((stream) => given(stream).reliability === 3));
});

test('a row that is committed late is not missed', async () => {
  await check([first.id], 40);
  await waitUntil(() => given(first).reliability === 40);
  await check([second.id], 41, "now() - interval '3 seconds'");
  await waitUntil(() => given(second).reliability === 41);
});

test('a directory that was read since then forgets what it holds itself, and no more', async () => {
  await check([first.id], 12);
  await waitUntil(() => given(first).reliability === 12);
  swap(await buildSnapshot(pool));
  assert.equal(given(first).reliability, 12);
  news.board.forgetBefore(Date.now() + 1);
  assert.equal(news.board.size, 0);
});

test('without the database it says so once, keeps what it knows and goes on afterwards', async () => {
  await check([first.id], 12);
  await waitUntil(() => given(first).reliability === 12);
  isAway = true;
  await waitUntil(() => logged.length > 0);
  await check([first.id], 60);
  await new Promise((done) => setTimeout(done, 100));
  assert.equal(logged.length, 1);
  assert.equal(given(first).reliability, 12);
  isAway = false;
  await waitUntil(() => given(first).reliability === 60);
});

test('the directory itself holds what was measured before what a source says', async () => {
  await check([first.id], 34);
  const next = await buildSnapshot(pool);
  const found = next.stations.flatMap((station) => station.streams).find(({ id }) => id === first.id);
  assert.deepEqual(
    { reliability: found?.reliability, bitrate: found?.bitrate, verdict: found?.verdict },
    { reliability: 34, bitrate: 77, verdict: 'dead' },
  );
});
