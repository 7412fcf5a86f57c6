import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { uuidOf } from '../../src/lib/ids.ts';
import { addFeeds } from '../../src/storage/catalog/feeds/feeds.ts';
import { serverUrl } from '../database/database-server.ts';
import { type TestDatabase, testDatabase } from '../database/database.ts';
import { keepLog } from '../processes/keep-log.ts';
import { runLongwave } from '../processes/run-longwave.ts';
import { addShow } from '../database/catalogue/add-show.ts';

const MAIN = join(import.meta.dirname, '../../src/main.ts');

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database[Symbol.asyncDispose]());

interface Line {
  msg: string;
  privatePort?: number;
}

test('it works until it is told to stop, says how it is, and leaves our own network alone', async () => {
  const address = 'http://127.0.0.1:1/feed.xml';
  const showId = await addShow(database.pool, { title: 'Inside', feed: { address, key: uuidOf(address) } });
  assert.ok(showId);
  await addFeeds(database.pool, [showId]);
  const child = spawn(process.execPath, [MAIN, 'work'], {
    env: { ...process.env, DATABASE_URL: database.url, WORK_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<Line> => {
    const { value }: { value?: string | undefined } = await lines.next();
    keepLog(value ?? '');
    return JSON.parse(value ?? '{}');
  };
  const working = await next();
  assert.equal(working.msg, 'working');
  const origin = `http://127.0.0.1:${working.privatePort}`;
  assert.equal((await fetch(`${origin}/readyz`)).status, 200);
  const counted = async (): Promise<string> => (await fetch(`${origin}/metrics`)).text();
  while (!(await counted()).includes('jobs_total{job="feeds",outcome="failed"} 1')) await sleep(50);
  const { rows } = await database.pool.query('SELECT failures, trouble FROM feeds WHERE show_id = $1', [
    showId,
  ]);
  assert.equal(rows[0].failures, 1);
  assert.match(rows[0].trouble, /port|public internet/);
  child.kill('SIGTERM');
  assert.equal((await next()).msg, 'stopping');
  assert.equal((await next()).msg, 'stopped');
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});

test('on a schema it does not know it does not start, and says what to do', async () => {
  const name = `test_work_${process.pid}`;
  const client = new Client({ connectionString: serverUrl() });
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${name}`);
    const url = Object.assign(new URL(serverUrl()), { pathname: `/${name}` });
    const { status, stderr } = runLongwave(['work'], { DATABASE_URL: url.href, WORK_PORT: '0' });
    assert.equal(status, 1);
    assert.match(stderr, /run longwave migrate first/);
  } finally {
    await client.query(`DROP DATABASE IF EXISTS ${name}`);
    await client.end();
  }
});
