import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { type TestDatabase, testDatabaseWithPlaces } from '../database/database.ts';
import { waitUntil } from '../time/wait-until.ts';
import { TEST_WAIT_FACTOR } from '../time/wait-factor.ts';
import { closedPort } from '../servers/port-of.ts';
import { REAL_PODCASTS, REAL_SAMPLE, withoutRealData } from '../content/real-data.ts';

const CHECKOUT = join(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'longwave-demo-'));
const run = promisify(execFile);

let database: TestDatabase;
let env: NodeJS.ProcessEnv;
let httpsPort: string;
before(async () => {
  database = await testDatabaseWithPlaces();
  const [HTTP_PORT, PRIVATE_PORT, HTTPS_PORT = ''] = await ports();
  httpsPort = HTTPS_PORT;
  const own = { DATABASE_URL: database.url, LONGWAVE_DEMO_DIR: folder };
  env = { ...process.env, ...own, HTTP_PORT, PRIVATE_PORT, DATABASE_WAIT_FACTOR: `${TEST_WAIT_FACTOR}` };
});
after(async () => {
  await demo('--stop');
  await database[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const ports = async (): Promise<string[]> =>
  (await Promise.all([closedPort(), closedPort(), closedPort()])).map(String);

async function npm(script: string, args: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<string> {
  const { stdout } = await run('npm', ['run', '--silent', script, '--', ...args], {
    cwd: CHECKOUT,
    env: { ...env, ...more },
  });
  return stdout;
}

/** It has a certificate of its own, which other commands know nothing of. */
const demo = (...what: string[]): Promise<string> => npm('demo', what, { HTTPS_PORT: httpsPort });

const read = async (path: string): Promise<string> => (await ask(`${path}&partnerId=demo`)).text();

const ask = (path: string): Promise<Response> =>
  fetch(`http://127.0.0.1:${env['HTTP_PORT']}${path}`, { signal: AbortSignal.timeout(10_000) });

test('the first five minutes: the demo starts, answers as a radio and a browser ask, and stops', async () => {
  const said = await demo('--detach');
  assert.match(said, /Longwave answers on http:/);
  assert.match(await (await ask('/Browse.ashx?partnerId=demo')).text(), /<outline [^>]*key="local"/);
  assert.match(await (await ask('/listen/')).text(), /<div id="root">/);

  // Every station of the demo is fictional, which is no fault of the installation.
  assert.match(await npm('longwave', ['doctor']), /✓ server [^]*✓ tune [^]*! sound .*fictional[^]*It works/);

  assert.match(await demo('--stop'), /the demo has stopped/);
  await assert.rejects(ask('/Browse.ashx'));
  assert.match(
    await npm('services', ['status']),
    /PostgreSQL: running[^]*Redis: running/,
    'they were there before',
  );
});

test('--help says what the demo takes, and an unknown option is answered with it instead of a stack', async () => {
  assert.match(await demo('--help'), /^usage: npm run demo -- [^]*--stations FILE/);
  await assert.rejects(demo('--staions', 'file'), (error: { code: number; stderr: string }) => {
    assert.match(error.stderr, /Unknown option '--staions'[^]*usage: npm run demo -- [^]*--stations FILE/);
    assert.doesNotMatch(error.stderr, /^ +at /m);
    return error.code === 2;
  });
});

test(
  'nothing of the protocol is empty beside real stations and podcasts',
  { skip: withoutRealData },
  async () => {
    await demo('--detach', '--stations', REAL_SAMPLE, '--podcasts', REAL_PODCASTS);

    const [station = ''] = /s\d+/.exec(await read('/Search.ashx?query=Harbour+Folk')) ?? [];
    assert.match(
      await read(`/Browse.ashx?c=schedule&id=${station}`),
      /The Morning Boat[^]*Letters from the Pier/,
    );
    const show = await found('The Morning Boat', 'p');
    const topic = /guide_id="(t\d+)"/.exec(await read(`/Tune.ashx?c=pbrowse&id=${show}`))?.[1];
    assert.match(
      await read(`/Tune.ashx?id=${topic}`),
      /^http:\/\/stream\.example\.net\/topics\/the-morning-boat-/m,
    );
    const song = await waitUntil(
      'a song',
      async () =>
        /First Light|Daughter|Last Bus/.exec(await read(`/Describe.ashx?c=nowplaying&id=${station}`))?.[0],
    );
    assert.ok(song);

    // And what is real is there as well: a station, and a podcast whose topics come when its feed is read.
    const { rows } = await database.pool.query<{ name: string }>(
      "SELECT name FROM stations WHERE homepage NOT LIKE '%example.net/%' ORDER BY id LIMIT 1",
    );
    await found(rows[0]?.name ?? '', 's');
    await found('99% Invisible', 'p');
    assert.match(await demo('--stop'), /the demo has stopped/);
  },
);

async function found(name: string, kind: 's' | 'p'): Promise<string> {
  const pattern = new RegExp(`guide_id="(${kind}\\d+)"`);
  return waitUntil(
    name,
    async () => pattern.exec(await read(`/Search.ashx?query=${encodeURIComponent(name)}`))?.[1],
  );
}
