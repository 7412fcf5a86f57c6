import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../../test/database/database.ts';
import { uuidOf } from '../../../lib/ids.ts';
import type { Claim } from '../claim-due.ts';
import {
  claimStream,
  claimStreams,
  unscheduleStreams,
  scheduleStreams,
  rescheduleStreams,
} from './due-streams.ts';

let database: TestDatabase;
let stationId: number;
before(async () => {
  database = await testDatabase();
  const { rows } = await database.pool.query<{ id: number }>(
    "INSERT INTO stations (name, name_key, popularity) VALUES ('Town FM', 'town fm', 42) RETURNING id",
  );
  stationId = rows[0]?.id ?? 0;
});
after(() => database[Symbol.asyncDispose]());
beforeEach(async () => {
  await database.pool.query('TRUNCATE streams, stream_checks CASCADE');
});

async function streamOn(host: string, path: string): Promise<number> {
  const address = `http://${host}/${path}`;
  const { rows } = await database.pool.query<{ id: number }>(
    'INSERT INTO streams (station_id, address, address_key) VALUES ($1, $2, $3) RETURNING id',
    [stationId, address, uuidOf(address)],
  );
  return rows[0]?.id ?? 0;
}

/** Enlisted and due now. */
async function dueOn(host: string, path: string): Promise<number> {
  const id = await streamOn(host, path);
  await scheduleStreams(database.pool);
  await database.pool.query('UPDATE stream_checks SET next_due_at = now() WHERE stream_id = $1', [id]);
  return id;
}

const claim = (more: Partial<Claim> = {}) =>
  claimStreams(database.pool, { most: 100, leaseSeconds: 300, busy: new Map(), mostPerHost: 2, ...more });
const later = (seconds: number) =>
  database.pool.query(
    `UPDATE stream_checks SET next_due_at = next_due_at - make_interval(secs => $1),
       claimed_at = claimed_at - make_interval(secs => $1)`,
    [seconds],
  );

test('new streams are enlisted one after the other, those no longer listed leave', async () => {
  for (let n = 0; n < 100; n += 1) await streamOn('a.example.net', String(n));
  assert.equal(await scheduleStreams(database.pool), 100);
  assert.equal(await scheduleStreams(database.pool), 0);
  const { rows } = await database.pool.query<{ first: number; last: number; times: number }>(
    `SELECT min(extract(epoch FROM next_due_at - now()))::float8 AS first, count(DISTINCT next_due_at)::int4 AS times,
       max(extract(epoch FROM next_due_at - now()))::float8 AS last FROM stream_checks`,
  );
  const { first = 0, last = 0, times } = rows[0] ?? {};
  assert.ok(last - first > 1.9 && last <= 2, `fifty a second: within ${last} s`);
  assert.equal(times, 100);
  await database.pool.query('UPDATE streams SET listed = false WHERE id % 10 = 0');
  assert.equal(await unscheduleStreams(database.pool), 10);
  assert.equal(await scheduleStreams(database.pool), 0, 'and do not come back');
});

test('a stream that moves to another host counts there', async () => {
  const id = await dueOn('a.example.net', '1');
  await database.pool.query("UPDATE streams SET address = 'http://b.example.net/1' WHERE id = $1", [id]);
  await scheduleStreams(database.pool);
  assert.deepEqual(
    (await claim()).map(({ host, address }) => [host, address]),
    [['b.example.net', 'http://b.example.net/1']],
  );
});

test('what is claimed is nobody else’s until its lease is over', async () => {
  const id = await dueOn('a.example.net', '1');
  const [claimed] = await claim();
  assert.deepEqual(
    [claimed?.stream_id, claimed?.address, claimed?.popularity],
    [id, 'http://a.example.net/1', 42],
  );
  assert.deepEqual(await claim(), []);
  await later(301);
  assert.equal((await claim()).length, 1);
});

test('however often it is called for, a stream has five minutes of rest', async () => {
  await dueOn('a.example.net', '1');
  assert.equal((await claim()).length, 1);
  for (let times = 0; times < 3; times += 1) {
    await database.pool.query('UPDATE stream_checks SET next_due_at = now()');
    assert.deepEqual(await claim(), []);
  }
  await later(301);
  assert.equal((await claim()).length, 1);
});

test('one that was put back is due soon, unless another has claimed it since', async () => {
  const id = await dueOn('a.example.net', '1');
  const [first] = await claim();
  assert.ok(first);
  await rescheduleStreams(database.pool, [{ due: first, dueInSeconds: 0 }]);
  const [second] = await claim();
  assert.equal(second?.stream_id, id);
  await rescheduleStreams(database.pool, [{ due: first, dueInSeconds: 0 }]);
  assert.deepEqual(await claim(), []);
});

test('many who claim at once share what is due, and no stream is given twice', async () => {
  for (let n = 0; n < 120; n += 1) await streamOn(`h${n}.example.net`, 's');
  await scheduleStreams(database.pool);
  await later(10);
  const ids: number[] = [];
  for (let round = 0; round < 20 && ids.length < 120; round += 1) {
    const shares = await Promise.all(Array.from({ length: 8 }, () => claim({ most: 20 })));
    ids.push(...shares.flat().map(({ stream_id }) => stream_id));
  }
  assert.equal(ids.length, 120);
  assert.equal(new Set(ids).size, 120);
});

test('a host with hundreds of streams gets its two, and the others do not wait behind it', async () => {
  for (let n = 0; n < 300; n += 1) await streamOn('large.example.net', String(n));
  await scheduleStreams(database.pool);
  await later(10);
  const small = await dueOn('small.example.net', '1');
  const given = await claim();
  assert.equal(given.length, 2);
  const busy = new Map([['large.example.net', 2]]);
  const next = await claim({ busy });
  assert.deepEqual(
    next.map(({ stream_id }) => stream_id),
    [small],
  );
  const { rows } = await database.pool.query(
    'SELECT count(*)::int4 AS waiting FROM stream_checks WHERE put_off > 0 AND next_due_at > now() AND claimed_at IS NULL',
  );
  assert.ok(rows[0].waiting >= 198, 'put off, but not claimed');
});

test('an operator may listen to any stream now', async () => {
  const id = await streamOn('a.example.net', '1');
  const first = await claimStream(database.pool, id);
  const second = await claimStream(database.pool, id);
  assert.deepEqual([first?.stream_id, second?.stream_id], [id, id]);
  assert.equal(await claimStream(database.pool, id + 1), undefined);
});
