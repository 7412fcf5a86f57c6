import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { testDatabase, type TestDatabase } from '../../test/database/database.ts';
import { portOf } from '../../test/servers/port-of.ts';
import { addSmallWorld } from '../../test/content/station-records.ts';
import { systemClock } from '../lib/clock.ts';
import { createLog } from '../lib/log.ts';
import { SafeFetcher } from '../net/fetch/fetch-safely.ts';
import { DueLoop, JobMetrics } from '../workers/runner/due-job.ts';
import { sourceJob } from './station-sources.ts';

/** 127.0.0.2 plays the internet. */
const policy = {
  resolve: async () => ['127.0.0.2'],
  isAllowed: (ip: string) => ip === '127.0.0.2',
  connectMs: 30_000,
};

const CSV =
  'name,url\nQuay Rock,http://csv.radio-haven.net/rock\nQuay Jazz,http://csv.radio-haven.net/jazz\n';
let answers: ServerResponse[] = [];
const server = createServer((_request, response) => void answers.push(response));

let database: TestDatabase;
let port: number;
before(async () => {
  database = await testDatabase();
  await addSmallWorld(database.pool);
  server.listen(0, '127.0.0.2');
  await once(server, 'listening');
  port = portOf(server);
});
after(async () => {
  server.closeAllConnections();
  server.close();
  await database[Symbol.asyncDispose]();
});
beforeEach(async () => {
  answers = [];
  await database.pool.query('TRUNCATE stations, streams, station_records, station_sources CASCADE');
});

/** How often workers found nothing to do, and how often they ended something. */
let [vainClaims, worked] = [0, 0];

/** Until a free worker has looked for work several times. */
async function lookedAgain(): Promise<void> {
  const enough = vainClaims + 3;
  await until(() => vainClaims > enough);
}

/** As a `longwave work` of its own. */
function startWorker(): AsyncDisposable {
  const { pool } = database;
  const log = createLog({ level: 'silent' });
  const absence = { withdrawAfterDays: 30, maxDropPercent: 5 };
  const fetcher = new SafeFetcher({ policy });
  const deps = { pool, claimPool: pool, fetcher, clock: systemClock, log, chance: Math.random, absence };
  const address = `http://lists.radio-haven.net:${port}/house.csv`;
  const { claim, work, ...job } = sourceJob(deps, [{ name: 'house', kind: 'csv', address }]);
  const watched: typeof job & { claim: typeof claim; work: typeof work } = {
    ...job,
    async claim(most) {
      const rows = await claim(most);
      if (rows.length === 0) vainClaims += 1;
      return rows;
    },
    work: (...args) => work(...args).finally(() => (worked += 1)),
  };
  return new DueLoop(watched, { log, metrics: new JobMetrics(new Registry()) });
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(20);
}

async function imported(): Promise<boolean> {
  const { rows } = await database.pool.query(
    "SELECT FROM station_sources WHERE name = 'csv:house' AND read_at IS NOT NULL",
  );
  return rows.length > 0;
}

const makeDue = (): Promise<unknown> => database.pool.query('UPDATE station_sources SET next_due_at = now()');

const claimedAt = async (): Promise<unknown> =>
  (await database.pool.query('SELECT claimed_at FROM station_sources')).rows[0].claimed_at;

const sources = async (): Promise<unknown[]> =>
  (await database.pool.query('SELECT source, count(*) FROM station_records GROUP BY source')).rows;

test('of two workers one reads a source, and neither does so again before it is due', async () => {
  await using one = startWorker();
  void one;
  await using two = startWorker();
  void two;
  await until(() => answers.length > 0);
  await lookedAgain();
  assert.equal(answers.length, 1);
  answers[0]?.end(CSV);
  await until(imported);
  await lookedAgain();
  assert.equal(answers.length, 1);
  assert.deepEqual(await sources(), [{ source: 'csv:house', count: 2 }]);
  await makeDue();
  await until(() => answers.length === 2);
});

test('a worker that stops half-way leaves the source to the next one at once', async () => {
  const stopped = startWorker();
  await until(() => answers.length === 1);
  answers[0]?.write(CSV.slice(0, 30));
  await stopped[Symbol.asyncDispose]();
  assert.deepEqual(await sources(), []);
  await using next = startWorker();
  void next;
  await until(() => answers.length === 2);
  answers[1]?.end(CSV);
  await until(imported);
  assert.deepEqual(await sources(), [{ source: 'csv:house', count: 2 }]);
});

test('a worker that was away longer than its claim records nothing', async () => {
  await using one = startWorker();
  void one;
  await until(() => answers.length === 1);
  await makeDue();
  await using two = startWorker();
  void two;
  await until(() => answers.length === 2);
  const second = await claimedAt();
  const earlier = worked;
  answers[0]?.writeHead(500).end();
  await until(() => worked > earlier);
  assert.deepEqual(await claimedAt(), second);
  answers[1]?.end(CSV);
  await until(imported);
});
