import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../../test/database/database.ts';
import { bumpCatalogue } from '../stations/version.ts';
import { claimStream, scheduleStreams } from './due-streams.ts';
import { WEIGHTS } from './reliability.ts';
import { finishStreams, hasStreamNews, type StreamCheck } from './stream-checks.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
  await database.pool.query("INSERT INTO stations (id, name, name_key) VALUES (1, 'Town FM', 'town fm')");
  await database.pool.query(
    `INSERT INTO streams (id, station_id, address, address_key)
     SELECT n, 1, 'http://a.example.net/' || n, lpad(n::text, 32, '0')::uuid FROM generate_series(1, 300) n`,
  );
});
after(() => database[Symbol.asyncDispose]());
beforeEach(async () => {
  await database.pool.query('TRUNCATE stream_checks');
  await scheduleStreams(database.pool);
});

const MP3 = {
  format: 'mp3',
  codec: 'MPEG 1 Layer 3',
  container: 'MPEG',
  bitrate: 128,
  redirects: 0,
} as const;
const heard = { isGood: true, weight: WEIGHTS.heard };

async function claimed(id: number) {
  const due = await claimStream(database.pool, id);
  assert.ok(due);
  return due;
}

/** Claims a stream and says that it plays, or whatever else is given. */
async function checkOf(id: number, more: Partial<StreamCheck> = {}, isGood = true): Promise<StreamCheck> {
  const evidence = { ...(isGood ? heard : { isGood, weight: WEIGHTS.silent }), atMs: Date.now() };
  return {
    due: await claimed(id),
    verdict: isGood ? 'plays' : 'dead',
    evidence,
    facts: isGood ? MP3 : undefined,
    failures: isGood ? 0 : 1,
    steps: [{ what: 'connect', address: 'http://a.example.net/1', ms: 12, detail: 'connected' }],
    dueInSeconds: 3600,
    ...more,
  };
}

const finish = async (check: StreamCheck): Promise<void> => finishStreams(database.pool, [check]);

interface Row {
  verdict: string | null;
  standing: number | null;
  format: string | null;
  bitrate: number | null;
  failures: number;
  due_in: number;
  is_alive: boolean;
  changed_at: Temporal.Instant | null;
  steps: unknown;
}
async function rowOf(id: number): Promise<Row> {
  const { rows } = await database.pool.query<Row>(
    `SELECT verdict, standing, format, bitrate, failures, changed_at, steps, alive_at IS NOT NULL AS is_alive,
       round(extract(epoch FROM next_due_at - now()))::int4 AS due_in FROM stream_checks WHERE stream_id = $1`,
    [id],
  );
  assert.ok(rows[0]);
  return rows[0];
}

test('what was found is written, hundreds in one statement', async () => {
  const checks: StreamCheck[] = [];
  for (let id = 1; id <= 300; id += 1) checks.push(await checkOf(id));
  await finishStreams(database.pool, checks);
  const { rows } = await database.pool.query(
    "SELECT count(*)::int4 AS count FROM stream_checks WHERE verdict = 'plays' AND bitrate = 128 AND changed_at IS NOT NULL",
  );
  assert.equal(rows[0].count, 300);
  const { steps, due_in, is_alive, standing } = await rowOf(1);
  assert.deepEqual(steps, [
    { what: 'connect', address: 'http://a.example.net/1', ms: 12, detail: 'connected' },
  ]);
  assert.deepEqual([due_in, is_alive, standing], [3600, true, 75]);
});

test('a stream that falls silent keeps what was measured, and when it was heard', async () => {
  await finish(await checkOf(1));
  await finish(await checkOf(1, {}, false));
  const { verdict, format, bitrate, is_alive, failures, standing } = await rowOf(1);
  assert.deepEqual([verdict, format, bitrate, is_alive, failures], ['dead', 'mp3', 128, true, 1]);
  assert.ok(standing !== null && standing < 50);
});

test('a worker that comes back after another claimed the stream writes nothing', async () => {
  const late = await checkOf(1, {}, false);
  await finish(await checkOf(1));
  await finish(late);
  assert.equal((await rowOf(1)).verdict, 'plays');
});

test('nor does it while the other is still listening', async () => {
  const late = await checkOf(1, {}, false);
  await claimed(1);
  await finish(late);
  assert.equal((await rowOf(1)).verdict, null);
});

test('what a listener said while it was listened to is not lost', async () => {
  await finish(await checkOf(1));
  const check = await checkOf(1);
  await database.pool.query(
    'UPDATE stream_checks SET standing = 10, standing_at = now() WHERE stream_id = 1',
  );
  await finish(check);
  const { standing, verdict } = await rowOf(1);
  assert.equal(verdict, 'plays');
  assert.ok(standing !== null && Math.abs(standing - 55) < 0.1, `half way from 10 to 100: ${standing}`);
});

test('only what Tune goes by is news', async () => {
  for (let times = 0; times < 8; times += 1) await finish(await checkOf(1));
  const { changed_at: known } = await rowOf(1);
  const isNews = async (more: Partial<StreamCheck>): Promise<boolean> => {
    await database.pool.query('UPDATE stream_checks SET changed_at = $1', [known?.toString()]);
    await finish(await checkOf(1, more));
    return !(await rowOf(1)).changed_at?.equals(known ?? '');
  };
  assert.equal(await isNews({}), false, 'it plays as ever');
  assert.equal(await isNews({ facts: { ...MP3, sampleRate: 44_100 } }), false);
  assert.equal(await isNews({ facts: { ...MP3, bitrate: 64 } }), true);
  assert.equal(
    await isNews({ facts: { ...MP3, bitrate: 64, resolvedAddress: 'http://b.example.net/' } }),
    true,
  );
  assert.equal(await isNews({ facts: { ...MP3, format: 'aac' } }), true);
  assert.equal(await isNews({ verdict: 'busy' }), true);
});

test('a standing that crosses the middle is news, however little it moves', async () => {
  await finish(await checkOf(1, {}, false));
  await database.pool.query(
    "UPDATE stream_checks SET standing = 49.5, standing_at = now(), verdict = 'dead', changed_at = '2020-01-01Z'",
  );
  const evidence = { isGood: true, weight: 0.02, atMs: Date.now() };
  await finish(await checkOf(1, { verdict: 'dead', evidence, facts: undefined }));
  assert.notEqual((await rowOf(1)).changed_at?.toString(), '2020-01-01T00:00:00Z');
});

test('the catalogue’s version knows whether checks have found anything since', async () => {
  await bumpCatalogue(database.pool);
  assert.equal(await hasStreamNews(database.pool), false);
  await finish(await checkOf(1));
  assert.equal(await hasStreamNews(database.pool), true);
  await bumpCatalogue(database.pool);
  assert.equal(await hasStreamNews(database.pool), false);
});
