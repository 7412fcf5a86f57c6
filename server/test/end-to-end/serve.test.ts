import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { callUrl } from '../../../client/src/client.ts';
import { writeCertificate } from '../servers/certificates.ts';
import { testDatabase } from '../database/database.ts';
import { seededDirectory } from '../content/seeded-directory.ts';
import { waitingForLock } from '../database/waiting-for-lock.ts';

const MAIN = join(import.meta.dirname, '../../src/main.ts');

interface Ports {
  httpPort: number;
  httpsPort: number;
  privatePort: number;
}

function serve(databaseUrl: string, more: NodeJS.ProcessEnv = {}): ChildProcess {
  const ports = { HTTP_HOST: '127.0.0.1', HTTP_PORT: '0', PRIVATE_PORT: '0' };
  const env = { ...process.env, DATABASE_URL: databaseUrl, ...ports, ...more };
  return spawn(process.execPath, [MAIN, 'serve'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
}

/** The ports, from the line that the server writes when it is ready. */
async function ready(server: ChildProcess): Promise<Ports> {
  for await (const line of createInterface({ input: server.stdout! })) {
    const entry: Ports & { msg: string } = JSON.parse(line);
    if (entry.msg === 'serving') return entry;
  }
  throw new Error('the server ended before it was ready');
}

function getSecurely(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const url = `https://127.0.0.1:${port}/Browse.ashx?id=r0`;
    request(url, { rejectUnauthorized: false }, (response) => {
      let body = '';
      response.on('data', (bytes: Buffer) => (body += bytes.toString()));
      response.on('end', () => resolve(body));
    })
      .on('error', reject)
      .end();
  });
}

test('longwave serve: HTTP, HTTPS, the private listener, and a stop in good order', async () => {
  await using seeded = await seededDirectory();
  const folder = mkdtempSync(join(tmpdir(), 'longwave-serve-'));
  const server = serve(seeded.database.url, { HTTPS_PORT: '0', ...writeCertificate(folder) });
  try {
    const { httpPort, httpsPort, privatePort } = await ready(server);
    const baseUrl = `http://127.0.0.1:${httpPort}`;
    const index = await fetch(callUrl({ baseUrl, partnerId: 'demo', formats: ['mp3'] }, '/Browse.ashx', {}));
    assert.match(
      await index.text(),
      new RegExp(`URL="${baseUrl}/Browse.ashx\\?c=local&amp;formats=mp3&amp;partnerId=demo"`),
    );
    const playlist = await fetch(callUrl({ baseUrl, formats: ['mp3'] }, '/Tune.ashx', { id: 's1' }));
    assert.equal(await playlist.text(), 'http://stream.example.net/harbourfolk-128.mp3\n');
    assert.match(await getSecurely(httpsPort), /text="Europe" URL="https:/);
    const inner = `http://127.0.0.1:${privatePort}`;
    assert.deepEqual(await (await fetch(`${inner}/readyz`)).json(), { state: 'ready', database: 'up' });
    assert.match(await (await fetch(`${inner}/metrics`)).text(), /^directory_stations 71$/m);
    assert.equal((await fetch(`${baseUrl}/metrics`)).status, 404);
  } finally {
    server.kill('SIGTERM');
  }
  const [code] = await once(server, 'exit');
  assert.equal(code, 0);
  rmSync(folder, { recursive: true });
});

test('a server on an old schema says what to run and does not start', async () => {
  await using database = await testDatabase();
  await database.pool.query("DELETE FROM migrations WHERE name LIKE '0005%'");
  const server = serve(database.url);
  let said = '';
  server.stderr?.on('data', (bytes: Buffer) => (said += bytes.toString()));
  const [code] = await once(server, 'exit');
  assert.equal(code, 1);
  assert.match(said, /lacks 0005_reports\.sql; run longwave migrate first/);
});

test('SIGHUP while the server still starts does not end it, and is obeyed when it is up', async () => {
  await using database = await testDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'longwave-serve-'));
  const blocker = await database.pool.connect();
  await blocker.query('BEGIN; LOCK TABLE stations IN ACCESS EXCLUSIVE MODE');
  const server = serve(database.url, { HTTPS_PORT: '0', ...writeCertificate(folder) });
  const exited = once(server, 'exit');
  try {
    const lines = createInterface({ input: server.stdout! })[Symbol.asyncIterator]();
    await waitingForLock(database.pool, 1, exited);
    server.kill('SIGHUP');
    await blocker.query('COMMIT');
    assert.match(String((await lines.next()).value), /"serving"/);
    assert.match(String((await lines.next()).value), /the TLS certificate was reloaded/);
  } finally {
    blocker.release();
    server.kill('SIGTERM');
  }
  assert.deepEqual(await exited, [0, null]);
  rmSync(folder, { recursive: true });
});

test('SIGHUP from the birth of one of several processes on ends none, and is obeyed when it is up', async () => {
  await using database = await testDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'longwave-serve-'));
  const server = serve(database.url, {
    SERVE_PROCESSES: '2',
    HTTPS_PORT: '0',
    ...writeCertificate(folder),
  });
  const exited = once(server, 'exit');
  const hasChild = (): boolean =>
    readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8') !== '';
  const hangUp = setInterval(() => hasChild() && server.kill('SIGHUP'), 5);
  const [serving, reloaded] = [new Set<number>(), new Set<number>()];
  try {
    for await (const line of createInterface({ input: server.stdout! })) {
      const { msg, pid }: { msg: string; pid: number } = JSON.parse(line);
      if (msg === 'serving') serving.add(pid);
      if (msg === 'the TLS certificate was reloaded') reloaded.add(pid);
      if (serving.size === 2) clearInterval(hangUp);
      if (reloaded.size === 2) break;
    }
    assert.deepEqual([serving.size, reloaded.size], [2, 2]);
  } finally {
    clearInterval(hangUp);
    server.kill('SIGTERM');
  }
  assert.deepEqual(await exited, [0, null]);
  rmSync(folder, { recursive: true });
});
