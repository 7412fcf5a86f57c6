import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { type TestDatabase, testDatabase } from '../database/database.ts';
import { mp3Bytes } from '../content/sound-bytes.ts';

const MAIN = join(import.meta.dirname, '../../src/main.ts');

let database: TestDatabase;
let server: Server;
let origin: string;
before(async () => {
  database = await testDatabase();
  await database.pool.query("INSERT INTO stations (id, name, name_key) VALUES (1, 'Town FM', 'town fm')");
  await database.pool.query(
    `INSERT INTO streams (id, station_id, address, address_key)
     VALUES (7, 1, 'http://127.0.0.1:1025/live', md5('127.0.0.1:1025/live')::uuid),
       (8, 1, 'http://nowhere.invalid/live', md5('nowhere.invalid/live')::uuid)`,
  );
  server = createServer(({ url }, response) => {
    if (url === '/moved') response.writeHead(302, { location: '/live' }).end();
    else if (url === '/odd') response.writeHead(404, 'No\u009b31m such thing').end();
    else response.writeHead(200, { 'content-type': 'audio/mpeg', 'icy-br': '128' }).end(mp3Bytes(40_000));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(typeof address === 'object' && address);
  origin = `http://127.0.0.1:${address.port}`;
});
after(async () => {
  server.close();
  await database[Symbol.asyncDispose]();
});

interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** Beside the server of this process, which must go on answering. */
function probe(...args: string[]): Promise<Ran> {
  const env = { ...process.env, DATABASE_URL: database.url };
  const { promise, resolve } = Promise.withResolvers<Ran>();
  const child = execFile(process.execPath, [MAIN, 'probe', ...args], { env }, (_error, stdout, stderr) =>
    resolve({ code: child.exitCode ?? -1, stdout, stderr }),
  );
  return promise;
}

test('an operator’s own address is listened to, step by step, and nothing is written', async () => {
  const { stdout, code } = await probe(`${origin}/moved`);
  assert.equal(code, 0, stdout);
  assert.match(stdout, /^not in the directory {2}http:\/\/127\.0\.0\.1:\d+\/moved\n/);
  const steps = stdout.split('\n').map((line) => line.trim().split(/\s+/)[0]);
  assert.deepEqual(steps.slice(1, -2), ['connect', 'redirect', 'connect', 'answer', 'audio', 'audio']);
  assert.match(stdout, / {2}=> plays: it plays, mp3 \(MPEG 1 Layer 3\), 128 kbit\/s, 1 redirect\n/);
  const { rowCount } = await database.pool.query('SELECT FROM stream_checks');
  assert.equal(rowCount, 0);
});

test('what a server says does not steer the terminal', async () => {
  const { stdout } = await probe(`${origin}/odd`);
  assert.match(stdout, /=> dead: no answer/);
  assert.ok(!stdout.includes('\u009b') && stdout.includes('404'));
});

test('all streams of a station are listened to, what is found is written, and our own network is left alone', async () => {
  const { stdout, code } = await probe('s1');
  assert.equal(code, 0);
  assert.match(stdout, /^e7 {2}http:\/\/127\.0\.0\.1:1025\/live$/m);
  assert.match(stdout, /^ {2}=> dead: .*; next probe in \d+ (?:min|h)$/m);
  const { rows } = await database.pool.query(
    'SELECT stream_id, verdict, steps FROM stream_checks WHERE stream_id = 7',
  );
  assert.equal(rows[0].verdict, 'dead');
  assert.match(rows[0].steps.at(-1).detail, /public internet/);
});

test('what cannot be meant is said, with what can be', async () => {
  const rows: [args: string[], code: number, said: RegExp][] = [
    [[], 2, /give what to probe/],
    [['Town FM'], 2, /not a station \(s123\), a stream \(e123\) or an address/],
    [['e99'], 1, /there is no stream e99/],
  ];
  for (const [args, code, said] of rows) {
    const ran = await probe(...args);
    assert.equal(ran.code, code, ran.stderr);
    assert.match(ran.stderr, said);
  }
});
