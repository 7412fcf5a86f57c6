import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type TestDatabase, seededDatabase, testDatabase } from '../database/database.ts';
import { runLongwave } from '../processes/run-longwave.ts';
import { type ServiceProcess, startService } from '../processes/service-process.ts';

const MAIN = join(import.meta.dirname, '../../src/main.ts');
const MEMBER_KEY = 'a-key-that-nobody-may-read-anywhere';

let database: TestDatabase;
let service: ServiceProcess;
before(async () => {
  database = await seededDatabase();
  service = await startService(database.url, { MEMBER_KEY });
});
after(async () => {
  await service[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

function doctor(args: readonly string[], settings: NodeJS.ProcessEnv): Promise<Ran> {
  const env = { ...process.env, DATABASE_URL: database.url, MEMBER_KEY, NO_COLOR: undefined, ...settings };
  const { promise, resolve } = Promise.withResolvers<Ran>();
  const child = execFile(process.execPath, [MAIN, 'doctor', ...args], { env }, (_error, stdout, stderr) =>
    resolve({ code: child.exitCode ?? -1, stdout, stderr }),
  );
  return promise;
}

/** Of a running service, as the doctor is told of it. */
const running = (): NodeJS.ProcessEnv => ({
  HTTP_PORT: new URL(service.origin).port,
  PRIVATE_PORT: new URL(service.privateOrigin).port,
});

interface Report {
  state: string;
  summary: string;
  checks: { group: string; name: string; state: string; text: string; mend?: string }[];
}

test('a service that works is well, and what is worth a look changes no exit code', async () => {
  const { code, stdout, stderr } = await doctor([], running());
  assert.equal(code, 0, stdout);
  assert.equal(stderr, '');
  assert.match(stdout, /^Settings\n {2}✓ readable +\d+ settings, none malformed$/m);
  assert.match(stdout, /^ {2}✓ stations +\d+ with \d+ streams$/m);
  assert.match(stdout, /^ {2}! worker +none is running: .*\n +→ longwave work$/m);
  assert.match(stdout, /^ {2}! sound +the 3 most popular stations are fictional, as in the demo$/m);
  assert.match(stdout, /\n\nIt works: \d worth a look, the rest is fine\.\n$/);
  assert.ok(!stdout.includes('\u001B'), 'no colours where nobody sees them');
});

const SECRETS = {
  DATABASE_URL: 'postgres://me:database-secret@127.0.0.1:1/longwave',
  REDIS_URL: 'redis://:redis-secret@127.0.0.1:1',
  MAIL_URL: 'smtp://me:mail-secret@127.0.0.1:1',
  MAIL_FROM: 'radio@mail.example',
};

test('with the database and Redis away the rest is told all the same, and no secret with it', async () => {
  const started = performance.now();
  const all = await Promise.all([
    doctor([], { ...running(), ...SECRETS }),
    doctor(['--json'], { ...running(), ...SECRETS }),
  ]);
  assert.ok(performance.now() - started < 15_000);
  for (const { stdout, stderr } of all)
    for (const secret of ['database-secret', 'redis-secret', 'mail-secret', MEMBER_KEY])
      assert.ok(!`${stdout}${stderr}`.includes(secret), secret);
  const [{ code, stdout }, asJson] = all;
  assert.deepEqual([code, asJson.code], [1, 1]);
  assert.match(
    stdout,
    /✗ answers +PostgreSQL at 127\.0\.0\.1:1\/longwave: nothing listens there\n +→ start PostgreSQL/,
  );
  assert.match(stdout, /✗ answers +Redis at 127\.0\.0\.1:1: nothing listens there/);
  assert.match(stdout, /^Directory\n {2}\? all +not checked: PostgreSQL does not answer$/m);
  assert.match(
    stdout,
    /✓ server +http:\/\/127\.0\.0\.1:\d+ answers/,
    'the server goes on with what it has in memory',
  );

  assert.match(
    stdout,
    /\? key +not checked: PostgreSQL does not answer\n {2}! mail +no mail can be sent through 127\.0\.0\.1:1: /,
  );

  const report: Report = JSON.parse(asJson.stdout);
  assert.deepEqual(Object.keys(report), ['state', 'summary', 'checks']);
  assert.equal(report.state, 'broken');
  assert.match(report.summary, /^2 of \d+ are broken, .*Fix the first one and run it again\.$/);
  const postgres = report.checks.find(({ group }) => group === 'PostgreSQL');
  assert.deepEqual(postgres, {
    group: 'PostgreSQL',
    name: 'answers',
    state: 'broken',
    text: 'PostgreSQL at 127.0.0.1:1/longwave: nothing listens there',
    mend: 'start PostgreSQL, or correct DATABASE_URL',
  });
  assert.ok(report.checks.every(({ state, mend }) => state !== 'broken' || mend !== undefined));
});

test('an empty database has its imports told, by another address for the server too', async () => {
  await using empty = await testDatabase();
  const { code, stdout } = await doctor(['--json', '--base-url', service.origin], {
    DATABASE_URL: empty.url,
  });
  const { checks }: Report = JSON.parse(stdout);
  const broken = checks
    .filter(({ state }) => state === 'broken')
    .map(({ group, name }) => `${group}/${name}`);
  assert.deepEqual([code, broken], [1, ['Directory/places', 'Directory/stations']]);
  assert.equal(checks.find(({ group, name }) => group === 'Proof' && name === 'server')?.state, 'well');
});

test('settings that cannot be used are its business, and nobody else’s', async () => {
  const settings = { HTTP_PORT: 'eighty', npm_lifecycle_event: 'longwave' };
  const { code, stdout } = await doctor([], settings);
  assert.equal(code, 1);
  assert.match(stdout, /✗ readable +HTTP_PORT is 'eighty'; it must be a port number/);
  assert.match(stdout, /✓ schema/);
  assert.match(stdout, /→ npm run longwave -- work$/m, 'commands as they are typed where it was started');
  const other = runLongwave(['config'], settings);
  assert.deepEqual([other.status, other.stdout], [1, '']);
  assert.match(other.stderr, /The settings cannot be used:\n- HTTP_PORT is 'eighty'/);
});

test('an address that is none is a mistake of the command line', async () => {
  const { code, stderr } = await doctor(['--base-url', 'localhost'], {});
  assert.equal(code, 2);
  assert.match(stderr, /--base-url: 'localhost' is not a URL[^]*usage: longwave doctor/);
});
