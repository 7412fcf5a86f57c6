import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { waitUntil } from '../../../scripts/services/service.ts';
import { createPool } from '../../src/storage/db/pool.ts';
import { ReplicaReads } from '../../src/storage/db/replica-reads.ts';
import { poolOf } from '../database/database-server.ts';
import { fillPrivate } from '../database/fill-private.ts';
import { startService } from '../processes/service-process.ts';
import type { Machine } from './machine.ts';
import { type RunningCluster, startCluster } from './start-cluster.ts';

const MAX_BEHIND_MS = 3000;
/** Longer than one is behind at most, and than it is asked. */
const TOO_LONG_MS = MAX_BEHIND_MS + 3000;
const SOON_MS = 60_000;
const PARTNER = 'reader';
const MEMBER_KEY = 'a key for drills, which protects nobody';

let cluster: RunningCluster;
let primary: Pool;
let reads: ReplicaReads;
let replicas: Machine[];
let stations: string[];
before(async () => {
  cluster = await startCluster({ isPatient: true });
  stations = await fillPrivate(cluster.url, PARTNER);
  primary = poolOf(cluster.url, 4);
  await primary.query('CREATE TABLE news (id int PRIMARY KEY)');
  await primary.query('INSERT INTO news VALUES (0)');
  const pool = createPool({ databaseUrl: cluster.replicaUrl, size: 4, applicationName: 'reads' });
  reads = new ReplicaReads({ primary, replicas: pool, maxBehindMs: MAX_BEHIND_MS });
  ({ replicas } = await cluster.roles());
});
after(async () => {
  await reads[Symbol.asyncDispose]();
  await primary.end();
  await cluster[Symbol.asyncDispose]();
});

const ASK = 'SELECT pg_is_in_recovery() AS replica, max(id) AS newest FROM news';

async function ask(): Promise<{ replica: boolean; newest: number }> {
  const { rows } = await reads.query<{ replica: boolean; newest: number }>({ text: ASK });
  assert.ok(rows[0]);
  return rows[0];
}

const byReplica = () => waitUntil('a replica', async () => (await ask()).replica, SOON_MS);
/** The process that replays changes stands still; others still receive them, and answer. Patroni would undo a pause. */
const REPLAY = 'startup recovering';
const pauseReplay = (servers = replicas): void => {
  for (const server of servers) server.signalTitled(REPLAY, 'SIGSTOP');
};
const resumeReplay = (servers = replicas): void => {
  for (const server of servers) server.signalTitled(REPLAY, 'SIGCONT');
};

test('a replica answers, also when nothing has happened on the primary for longer than it may be behind', async () => {
  await byReplica();
  await sleep(TOO_LONG_MS);
  await byReplica();
});

test('replicas that are too far behind are not asked, and are again when they have caught up', async () => {
  await byReplica();
  pauseReplay();
  await primary.query('INSERT INTO news VALUES (1)');
  await sleep(TOO_LONG_MS);
  for (let time = 0; time < 8; time += 1)
    assert.deepEqual(await ask(), { replica: false, newest: 1 }, 'the primary knows what they do not');
  resumeReplay();
  await byReplica();
  assert.equal((await ask()).newest, 1);
});

test('one of two is behind: only the other is asked', async () => {
  const [, late] = replicas;
  assert.ok(late);
  pauseReplay([late]);
  await primary.query('INSERT INTO news VALUES (2)');
  await sleep(TOO_LONG_MS);
  const answers = await Promise.all(Array.from({ length: 20 }, ask));
  assert.ok(answers.every(({ newest }) => newest === 2));
  assert.ok(answers.some(({ replica }) => replica));
  resumeReplay([late]);
});

test('what a replica has not found is asked of the primary', async () => {
  await byReplica();
  pauseReplay();
  await primary.query('INSERT INTO news VALUES (3)');
  const { rows } = await reads.query({ text: 'SELECT id FROM news WHERE id = 3' });
  assert.deepEqual(rows, [{ id: 3 }]);
  resumeReplay();
});

test('replicas that stand still keep nobody waiting', async () => {
  await byReplica();
  for (const server of replicas) server.freeze();
  const started = performance.now();
  assert.equal((await ask()).replica, false);
  // The deadline of one statement is a fraction of this, on a machine with nothing else to do.
  assert.ok(performance.now() - started < 10_000);
  for (const server of replicas) server.thaw();
  await cluster.whole();
  await byReplica();
});

test('with the primary away replicas answer on', async () => {
  await cluster.whole();
  await byReplica();
  const { primary: leader } = await cluster.roles();
  leader.network.cutOff();
  assert.equal((await ask()).newest, 3);
  leader.network.connect();
  await cluster.whole();
  ({ replicas } = await cluster.roles());
});

test('the service reads shows and searches of replicas, and presets of the primary right after a save', async () => {
  await using service = await startService(cluster.url, {
    MEMBER_KEY,
    DATABASE_READ_URL: cluster.replicaUrl,
  });
  const get = async (path: string): Promise<string> => (await fetch(service.origin + path)).text();
  const counted = async (server: string): Promise<number> => {
    const page = await (await fetch(`${service.privateOrigin}/metrics`)).text();
    return Number(
      new RegExp(`^longwave_database_reads_total\\{server="${server}"\\} (\\d+)`, 'm').exec(page)?.[1],
    );
  };
  await waitUntil(
    'a search by a replica',
    async () => {
      const found = await get(
        `/Search.ashx?query=harbour+folk&partnerId=${PARTNER}&serial=${performance.now()}`,
      );
      assert.match(found, /Harbour Folk/);
      await get(`/Search.ashx?query=folk${Math.round(performance.now())}`);
      return (await counted('replica')) > 0;
    },
    SOON_MS,
  );
  pauseReplay();
  try {
    const own = `partnerId=${PARTNER}&serial=own-writes`;
    for (const id of stations.slice(0, 5)) {
      assert.match(await get(`/Preset.ashx?c=add&id=${id}&${own}`), /<status>200</);
      assert.match(await get(`/Browse.ashx?c=presets&${own}`), new RegExp(`guide_id="${id}"`));
    }
  } finally {
    resumeReplay();
  }
});
