import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { after, test } from 'node:test';
import { serverUrl } from '../../../test/database/database-server.ts';
import { testDatabase } from '../../../test/database/database.ts';
import { findingsOf, contextOf } from '../../../test/doctor/doctor-context.ts';
import { portOf } from '../../../test/servers/port-of.ts';
import { createPool } from '../../storage/db/pool.ts';
import type { Finding } from './check.ts';
import { directoryCheck } from './directory-check.ts';
import { examine } from './examine.ts';
import { thisMachine } from './machine.ts';
import { diskLine, postgresCheck } from './postgres-check.ts';
import { setDatabaseWaitFactor } from '../../storage/db/wait-factor.ts';

// How long it takes to give up is measured.
setDatabaseWaitFactor(1);

const database = await testDatabase();
after(() => database[Symbol.asyncDispose]());
const { pool, url } = database;
const here = new URL(serverUrl());

const look = (): Promise<Map<string, Finding>> =>
  findingsOf(postgresCheck, contextOf({ DATABASE_URL: url }, pool));

/** What is found at another address, whoever listens there. */
async function lookAt(databaseUrl: string): Promise<Finding | undefined> {
  await using opened = new AsyncDisposableStack();
  const other = createPool({ databaseUrl, size: 2, applicationName: 'test' });
  opened.defer(() => other.end());
  const context = contextOf({ DATABASE_URL: databaseUrl }, other);
  const [postgres, directory] = await examine(context, [postgresCheck, directoryCheck]);
  assert.deepEqual(
    directory?.findings.map(({ state }) => state),
    ['unknown'],
    'what rests on it is not called broken too',
  );
  assert.equal(postgres?.findings.length, 1);
  return postgres?.findings[0];
}

async function listenAndSayNothing(): Promise<AsyncDisposable & { port: number }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sockets = new Set<{ destroy(): void }>();
  server.on('connection', (socket) => sockets.add(socket.on('error', () => undefined)));
  return {
    port: portOf(server),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

test('all is well with a database of this version', async () => {
  const found = await look();
  assert.deepEqual([...found.keys()], ['answers', 'speed', 'schema', 'extensions', 'disk']);
  assert.match(found.get('answers')?.text ?? '', new RegExp(String.raw`^\d+\.\d+ at ${here.host}/test_\w+$`));
  assert.match(found.get('schema')?.text ?? '', /^all \d+ migrations$/);
  for (const name of ['answers', 'schema', 'extensions']) assert.equal(found.get(name)?.state, 'well', name);
});

const URLS: [what: string, change: (to: URL) => void, text: RegExp, mend: RegExp][] = [
  ['a closed port', (to) => (to.port = '1'), /:1\/\w+: nothing listens there$/, /^start PostgreSQL, or/],
  [
    'a wrong password',
    (to) => (to.password = 'wrong'),
    /: it refused the password$/,
    /^correct DATABASE_URL$/,
  ],
  ['no such database', (to) => (to.pathname = '/none'), /: it has no such database$/, /^create it/],
];
for (const [what, change, text, mend] of URLS) {
  test(`${what} is told with what to do`, async () => {
    const to = new URL(url);
    change(to);
    const found = await lookAt(to.href);
    assert.equal(found?.state, 'broken');
    assert.match(found?.text ?? '', text);
    assert.match(found?.mend ?? '', mend);
  });
}

test('replicas that would not be asked are told, since the primary answers in their place', async () => {
  const wrong = new URL(url);
  wrong.password = 'wrong';
  for (const [replicas, text, mend] of [
    [url, /follows no other server, so it is not asked$/, /^lead DATABASE_READ_URL to a standby/],
    [wrong.href, /: it refused the password$/, /^correct DATABASE_READ_URL; until then/],
  ] as const) {
    const found = await findingsOf(
      postgresCheck,
      contextOf({ DATABASE_URL: url, DATABASE_READ_URL: replicas }, pool),
    );
    assert.equal(found.get('answers')?.state, 'well');
    assert.equal(found.get('replicas')?.state, 'warning');
    assert.match(found.get('replicas')?.text ?? '', text);
    assert.match(found.get('replicas')?.mend ?? '', mend);
  }
});

test('a server that takes the connection and says nothing holds nobody up', async () => {
  await using silent = await listenAndSayNothing();
  const started = performance.now();
  const found = await lookAt(`postgres://me:secret@127.0.0.1:${silent.port}/db`);
  assert.equal(found?.state, 'broken');
  assert.ok(performance.now() - started < 5500, 'the deadline of a check');
});

test('an extension that is missing is told with the statement that makes it', async () => {
  await pool.query('DROP EXTENSION unaccent CASCADE');
  const found = (await look()).get('extensions');
  assert.deepEqual([found?.state, found?.text], ['broken', 'unaccent missing']);
  assert.equal(found?.mend, 'in the database: CREATE EXTENSION unaccent;');
});

const schema = async (): Promise<Finding | undefined> => (await look()).get('schema');

test('a schema before, beside and behind this version is told apart', async () => {
  await pool.query("INSERT INTO migrations (name, checksum) VALUES ('9999_later.sql', 'x')");
  assert.match((await schema())?.text ?? '', /^9999_later\.sql belongs to a newer version of Longwave$/);
  await pool.query("DELETE FROM migrations WHERE name = '9999_later.sql'");
  await pool.query("UPDATE migrations SET checksum = 'x' WHERE name = '0001_places.sql'");
  assert.match((await schema())?.text ?? '', /^0001_places\.sql has changed since it was applied$/);
  await pool.query("DELETE FROM migrations WHERE name IN ('0001_places.sql', '0002_stations.sql')");
  const missing = await schema();
  assert.deepEqual([missing?.state, missing?.mend], ['broken', 'longwave migrate']);
  assert.match(missing?.text ?? '', /^0001_places\.sql, 0002_stations\.sql missing/);
  await pool.query('DROP TABLE migrations');
  const found = await look();
  assert.equal(found.get('schema')?.text, 'the database has no tables');
  assert.ok(!found.has('extensions'), 'which the same command makes');
});

test('tables that are not there yet leave the rest unknown, not broken', async () => {
  await pool.query('DROP TABLE import_runs');
  await pool.query("INSERT INTO stations (id, name, name_key) VALUES (1, 'Town FM', 'town fm')");
  const found = (await findingsOf(directoryCheck, contextOf({}, pool))).get('all');
  assert.equal(found?.text, 'not checked: the schema is not that of this version');
});

test('little room on the disk is a warning, and what cannot be seen is not made up', async () => {
  assert.equal(diskLine(5e8, 1e9).state, 'warning');
  assert.deepEqual(diskLine(1.5e9, 3e11).text, 'the database takes 1.5 GB, 300 GB free');
  assert.equal(diskLine(5e8, undefined).state, 'note');
  assert.ok(((await thisMachine.freeBytes(tmpdir())) ?? 0) > 0);
  assert.equal(await thisMachine.freeBytes('/no/such/folder'), undefined);
});
