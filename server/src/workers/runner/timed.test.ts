import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { type TestDatabase, testDatabase } from '../../../test/database/database.ts';
import { createLog } from '../../lib/log.ts';
import { JobMetrics } from './due-job.ts';
import { migrateTimedJobs, TimedJobs } from './timed.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
  await migrateTimedJobs(database.url);
});
after(() => database[Symbol.asyncDispose]());

/** As its time of day would: the job is there, due now. */
const makeDue = (name: string): Promise<unknown> =>
  database.pool.query('SELECT graphile_worker.add_job($1, job_key => $1)', [name]);

async function until(isTrue: () => boolean): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!isTrue()) {
    assert.ok(performance.now() < deadline, 'waited in vain');
    await sleep(10);
  }
}

function worker() {
  const registry = new Registry();
  const log = createLog({ level: 'silent' });
  return { registry, around: { log, metrics: new JobMetrics(registry) } };
}

test('a timed job is done once, whoever of two workers does it, and counted', async () => {
  let times = 0;
  const job = { name: 'nightly', at: '17 3 * * *', work: async () => ((times += 1), 'done') };
  const [one, other] = [worker(), worker()];
  await using first = new TimedJobs([job], database.url, one.around);
  await using second = new TimedJobs([job], database.url, other.around);
  void first;
  void second;
  await makeDue('nightly');
  await until(() => times > 0);
  await sleep(200);
  assert.equal(times, 1);
  const counted = `${await one.registry.metrics()}${await other.registry.metrics()}`;
  assert.match(counted, /jobs_total\{job="nightly",outcome="done"\} 1/);
});

test('one that fails stays to be tried again, with the reason', async () => {
  let times = 0;
  const job = {
    name: 'shaky',
    at: '17 3 * * *',
    work: async (): Promise<string> => {
      times += 1;
      throw new Error('not today');
    },
  };
  await using running = new TimedJobs([job], database.url, worker().around);
  void running;
  await makeDue('shaky');
  await until(() => times > 0);
  await sleep(200);
  const { rows } = await database.pool.query(
    "SELECT attempts, last_error, run_at > now() AS is_later FROM graphile_worker.jobs WHERE key = 'shaky'",
  );
  assert.equal(rows.length, 1);
  assert.deepEqual([rows[0].attempts, rows[0].is_later], [1, true]);
  assert.match(rows[0].last_error, /not today/);
});

test('a stop waits for the job under way', async () => {
  let ended = false;
  let isUnderWay = false;
  const job = {
    name: 'long',
    at: '17 3 * * *',
    work: async (): Promise<string> => {
      isUnderWay = true;
      await sleep(300);
      ended = true;
      return 'done';
    },
  };
  const running = new TimedJobs([job], database.url, worker().around);
  await makeDue('long');
  await until(() => isUnderWay);
  await running[Symbol.asyncDispose]();
  assert.equal(ended, true);
  const { rowCount } = await database.pool.query("SELECT FROM graphile_worker.jobs WHERE key = 'long'");
  assert.equal(rowCount, 0, 'and is written down as done');
});

test('a night on which no worker ran is made up for', async () => {
  let times = 0;
  const job = { name: 'missed', at: '17 3 * * *', work: async () => ((times += 1), 'done') };
  await database.pool.query(
    `INSERT INTO graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
     VALUES ('missed', now() - interval '9 days', now() - interval '3 days')`,
  );
  await using running = new TimedJobs([job], database.url, worker().around);
  void running;
  await until(() => times > 0);
  await sleep(200);
  assert.equal(times, 1);
});

const cutOff = (): Promise<unknown> =>
  database.pool.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'longwave timed' AND datname = current_database()",
  );

test('jobs go on after the database was away', async () => {
  let times = 0;
  const job = { name: 'patient', at: '17 3 * * *', work: async () => ((times += 1), 'done') };
  await using running = new TimedJobs([job], database.url, worker().around);
  void running;
  await makeDue('patient');
  await until(() => times === 1);
  await cutOff();
  await makeDue('patient');
  await until(() => times === 2);
});

test('a database that is away when a job ends does not end the worker', async () => {
  let times = 0;
  const work = async (): Promise<string> => {
    times += 1;
    if (times === 1) await cutOff();
    return 'done';
  };
  const job = { name: 'unlucky', at: '17 3 * * *', work };
  await using running = new TimedJobs([job], database.url, worker().around);
  void running;
  await makeDue('unlucky');
  await until(() => times === 1);
  await makeDue('unlucky');
  await until(() => times === 2);
});
