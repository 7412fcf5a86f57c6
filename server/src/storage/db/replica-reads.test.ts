import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startBlackHole } from '../../../test/internet/black-hole.ts';
import { type TestDatabase, testDatabase } from '../../../test/database/database.ts';
import { createLog, type Log } from '../../lib/log.ts';
import { createPool } from './pool.ts';
import { ReplicaReads } from './replica-reads.ts';
import { setDatabaseWaitFactor } from './wait-factor.ts';

// Replicas of a cluster are in test/cluster/replica-reads.test.ts. Here one server is both, and says that it follows and has no tables.

// How long a silent one is waited for is measured.
setDatabaseWaitFactor(1);

const FOLLOWER = `CREATE SCHEMA follower;
  CREATE FUNCTION follower.pg_is_in_recovery() RETURNS bool LANGUAGE sql AS 'SELECT true';
  CREATE FUNCTION follower.pg_last_wal_replay_lsn() RETURNS pg_lsn LANGUAGE sql AS 'SELECT pg_catalog.pg_current_wal_lsn()';
  CREATE TABLE news (id int PRIMARY KEY);
  INSERT INTO news VALUES (7)`;

async function openFollower(database: TestDatabase): Promise<string> {
  await database.pool.query(FOLLOWER);
  const url = new URL(database.url);
  url.searchParams.set('options', '-c search_path=follower,pg_catalog');
  return url.href;
}

function readsOf({ pool: primary }: TestDatabase, databaseUrl: string, log?: Log): ReplicaReads {
  const replicas = createPool({ databaseUrl, size: 10, applicationName: 'reads' });
  return new ReplicaReads({ primary, replicas, log });
}

const isByReplica = async (reads: ReplicaReads): Promise<boolean> => {
  await reads.query({ text: 'SELECT 1 AS one' });
  return reads.counts.replica > 0;
};

async function untilByReplica(reads: ReplicaReads): Promise<void> {
  while (!(await isByReplica(reads))) await sleep(50);
}

test('what only the replica fails at is answered by the primary, and a bug of ours is seen', async () => {
  await using database = await testDatabase();
  await using reads = readsOf(database, await openFollower(database));
  await untilByReplica(reads);
  const { rows } = await reads.query({ text: 'SELECT id FROM news' });
  assert.deepEqual(rows, [{ id: 7 }], 'a table that has not arrived there');
  const before = reads.counts.replica;
  await reads.query({ text: 'SELECT 1 AS one' });
  assert.equal(reads.counts.replica, before + 1, 'it is still asked for all else');
  await assert.rejects(reads.query({ text: 'SELECT id FROM nowhere' }), { code: '42P01' });
});

for (const [what, change] of [
  ['a wrong password', (url: URL) => (url.password = 'wrong')],
  ['no such database', (url: URL) => (url.pathname = '/none')],
  ['nobody there', (url: URL) => (url.port = '1')],
] as const)
  test(`replicas by an address with ${what}: the primary answers`, async () => {
    await using database = await testDatabase();
    const url = new URL(database.url);
    change(url);
    await using reads = readsOf(database, url.href);
    const { rows } = await reads.query({ text: 'SELECT 1 AS one' });
    assert.deepEqual(rows, [{ one: 1 }]);
  });

test('a statement that takes a replica too long is answered by the primary, and replicas are asked all else', async () => {
  await using database = await testDatabase();
  const lines: string[] = [];
  const log = createLog({ level: 'info', sink: { write: (line) => void lines.push(line) } });
  await using reads = readsOf(database, await openFollower(database), log);
  await untilByReplica(reads);
  for (let time = 0; time < 3; time += 1) {
    const before = reads.counts;
    const { rows } = await reads.query({ text: 'SELECT 1 AS one FROM pg_sleep(0.5)' });
    assert.deepEqual(rows, [{ one: 1 }]);
    assert.equal(reads.counts.primary, before.primary + 1);
    await reads.query({ text: 'SELECT 1 AS one' });
    assert.equal(reads.counts.replica, before.replica + 1);
  }
  assert.deepEqual(lines, []);
});

test('of many calls one alone finds out whether a silent replica is back', async () => {
  await using database = await testDatabase();
  const url = await openFollower(database);
  await using network = await startBlackHole(Number(new URL(url).port));
  const lines: string[] = [];
  const log = createLog({ level: 'info', sink: { write: (line) => void lines.push(line) } });
  await using reads = readsOf(database, network.urlOf(url), log);
  await untilByReplica(reads);
  network.swallow();
  while (lines.length === 0) await reads.query({ text: 'SELECT 1 AS one' });
  await sleep(2100);
  const waits = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const started = performance.now();
      await reads.query({ text: 'SELECT 1 AS one' });
      return performance.now() - started;
    }),
  );
  // A replica is waited for 300 ms; who asked the primary straight away has been answered by then.
  assert.equal(waits.filter((ms) => ms >= 290).length, 1, waits.map(Math.round).join(' '));
  network.letPass();
  const before = reads.counts.replica;
  while (reads.counts.replica === before) {
    await sleep(200);
    await reads.query({ text: 'SELECT 1 AS one' });
  }
  assert.equal(lines.length, 2, lines.join(''));
  assert.match(lines[0] ?? '', /do not answer: the primary is asked instead/);
  assert.match(lines[1] ?? '', /replicas answer again/);
});
