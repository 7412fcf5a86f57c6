import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { after, beforeEach, test } from 'node:test';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { collectGarbage } from '../../../test/processes/collect-garbage.ts';
import { testDatabase } from '../../../test/database/database.ts';
import { fillCatalogue, randomCatalogue } from '../../../test/content/random-catalogue.ts';
import { createLog } from '../../lib/log.ts';
import { ALL_FORMATS } from '../../lib/stream-format.ts';
import { bumpCatalogue } from '../../storage/catalog/stations/version.ts';
import { createPool } from '../../storage/db/pool.ts';
import { transaction } from '../../storage/db/transaction.ts';
import { type Directory, type DirectoryOptions, explainLoadFailure, openDirectory } from './directory.ts';
import { selectStations } from './groups/select-stations.ts';
import { findStation, listRegionsOf, listSpokenLanguages, listTopGenres } from './lookup/lookups.ts';
import { near } from './nearby/near.ts';
import type { Snapshot } from './snapshot/snapshot.ts';
import { catalogueVersion } from '../../../test/database/catalogue/edit-catalogue.ts';
import { stationsOfGenre, stationsOfRegion } from '../../../test/directory/stations-of.ts';

const NEVER_SECONDS = 3600;
const database = await testDatabase();
after(() => database[Symbol.asyncDispose]());
beforeEach(() => fillCatalogue(database.pool, randomCatalogue(1, 300)));

const logged: string[] = [];
const log = createLog({ level: 'info', sink: { write: (line) => void logged.push(line) } });

const open = (options: Partial<DirectoryOptions> = {}): Promise<Directory> =>
  openDirectory({
    pool: database.pool,
    databaseUrl: database.url,
    log,
    pollSeconds: NEVER_SECONDS,
    pauseSeconds: 0,
    ...options,
  });

/** Moves the version, writes it into every name, and tells of it unless `isQuiet`. */
const change = (isQuiet = false): Promise<number> =>
  transaction(database.pool, async (client) => {
    const version = 1 + (await catalogueVersion(client));
    await client.query(`UPDATE stations SET name = 'v${version}'`);
    await client.query(`UPDATE genres SET name = 'v${version}'`);
    await client.query(`UPDATE regions SET name = 'v${version}'`);
    await client.query(`UPDATE languages SET name = 'v${version}'`);
    if (isQuiet) await client.query('UPDATE catalogue SET version = $1', [version]);
    else await bumpCatalogue(client);
    return version;
  });

async function until(condition: () => boolean, what: string, withinMs = 10_000): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!condition()) {
    if (performance.now() > deadline) assert.fail(`not within ${withinMs} ms: ${what}`);
    await sleep(5);
  }
}

const showing = (directory: Directory, version: number): Promise<void> =>
  until(() => directory.current().version === version, `a directory of version ${version}`);

/** Every name that lookups show, all of one version. */
function checkWhole(snapshot: Snapshot): void {
  const page = { formats: ALL_FORMATS, offset: 0, limit: 1000 };
  const popular = selectStations(snapshot, page).stations;
  assert.ok(popular.length > 100);
  const names = new Set([
    ...popular.map(({ id }) => findStation(snapshot, id)?.name),
    ...stationsOfGenre(snapshot, 100, page).stations.map(({ name }) => name),
    ...stationsOfRegion(snapshot, 0, page).stations.map(({ name }) => name),
    ...near(snapshot, { latitude: 1, longitude: 2 }, page).stations.map(({ name }) => name),
    ...popular.map(({ genreName }) => genreName),
    ...popular.map(({ languageName }) => languageName),
    ...popular.map(({ placeName }) => placeName),
    ...listTopGenres(snapshot, page).map(({ name }) => name),
    ...listRegionsOf(snapshot, 0, page).map(({ name }) => name),
    ...listSpokenLanguages(snapshot, page).map(({ name }) => name),
  ]);
  names.delete(undefined);
  assert.deepEqual([...names], [`v${snapshot.version}`]);
}

test('readers see whole versions only while the catalogue changes twenty times', async () => {
  await change();
  await using directory = await open();
  const seen = new Set<Snapshot>();
  const done = new AbortController();
  const readers = [1, 3, 10].map((turns) => read(directory, turns, seen, done.signal));
  try {
    await changeTwentyTimes(directory);
  } finally {
    done.abort();
    await Promise.all(readers);
  }
  assert.ok(seen.size > 10, `${seen.size} snapshots were seen`);
});

/** Reads until the end, holding on to each snapshot for some turns of the event loop. */
async function read(
  directory: Directory,
  turns: number,
  seen: Set<Snapshot>,
  end: AbortSignal,
): Promise<void> {
  while (!end.aborted) {
    const snapshot = directory.current();
    seen.add(snapshot);
    checkWhole(snapshot);
    for (let turn = 0; turn < turns; turn++) await nextTurn();
    checkWhole(snapshot);
  }
}

/** Every other change is waited for; the ones between fall into a rebuild. */
async function changeTwentyTimes(directory: Directory): Promise<void> {
  for (let round = 0; round < 20; round++) {
    const version = await change();
    if (round % 2 === 1) await showing(directory, version);
  }
}

test('a change that is told of is shown at once', async () => {
  await using directory = await open();
  await showing(directory, await change());
  const started = performance.now();
  await showing(directory, await change());
  assert.ok(performance.now() - started < 3000);
});

test('a change that nobody tells of is found by looking', async () => {
  await using directory = await open({ pollSeconds: 0.05 });
  await showing(directory, await change(true));
});

test('a lower version is a change too, as after a restore', async () => {
  const version = await change();
  await using directory = await open({ pollSeconds: 0.05 });
  await database.pool.query('UPDATE catalogue SET version = $1', [version - 1]);
  await showing(directory, version - 1);
});

test('the same version of another time is a change too, as after a restore and an edit', async () => {
  await using directory = await open();
  const version = await change();
  await showing(directory, version);
  const shown = directory.current();
  // What is restored is older; the edit after it is given the number that was given before.
  await database.pool.query('UPDATE catalogue SET version = version - 1');
  assert.equal(await change(), version);
  // It may be read between the two, and is then read once more.
  await until(
    () => directory.current() !== shown && directory.current().version === version,
    'a directory of the restored catalogue',
  );
});

test('an import that moves the version with each batch causes few rebuilds, the last one after its end', async () => {
  await using directory = await open({ pauseSeconds: 0.4 });
  let swaps = 0;
  directory.onSwap(() => swaps++);
  const started = performance.now();
  let version = 0;
  while (performance.now() - started < 1500) version = await change();
  await showing(directory, version);
  const pauses = (performance.now() - started) / 400;
  assert.ok(swaps >= 2 && swaps <= pauses + 1, `${swaps} swaps in ${pauses} pauses`);
});

test('a listening connection that breaks is made again, and what was missed is found', async () => {
  await using directory = await open();
  await showing(directory, await change());
  await database.pool.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'longwave directory' AND datname = current_database()`,
  );
  await showing(directory, await change());
  await showing(directory, await change());
});

test('what is closed while it still connects is closed at once', { timeout: 20_000 }, async () => {
  const directory = await open();
  await directory[Symbol.asyncDispose]();
});

test('a rebuild that fails leaves the last directory in use and one line in the log', async () => {
  await using directory = await open({ pollSeconds: 0.05 });
  await showing(directory, await change());
  const last = directory.current();
  await database.pool.query('ALTER TABLE images RENAME TO images_away');
  logged.length = 0;
  const version = await change();
  await until(() => logged.length > 0, 'a line in the log');
  await sleep(300);
  assert.equal(directory.current(), last);
  assert.equal(logged.filter((line) => line.includes('could not be reloaded')).length, 1);
  await database.pool.query('ALTER TABLE images_away RENAME TO images');
  await showing(directory, version);
});

test('listeners hear of each swap until they leave, whatever other listeners do', async () => {
  await using directory = await open();
  const heard: number[] = [];
  directory.onSwap(() => {
    throw new Error('a listener that fails');
  });
  const leave = directory.onSwap(({ version }) => void heard.push(version));
  const first = await change();
  await showing(directory, first);
  leave();
  await showing(directory, await change());
  assert.deepEqual(heard, [first]);
});

test('an old snapshot is let go', async () => {
  await using directory = await open();
  const first = new WeakRef(directory.current());
  collectGarbage();
  assert.ok(first.deref(), 'in use');
  await showing(directory, await change());
  await until(() => {
    collectGarbage();
    return first.deref() === undefined;
  }, 'the first snapshot is collected');
});

test('without the database at the start, the error says what to do', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  server.close();
  const databaseUrl = `postgres://me:secret@127.0.0.1:${port}/longwave`;
  const pool = createPool({ databaseUrl, size: 1, applicationName: 'test' });
  await assert.rejects(open({ pool, databaseUrl }), (error: Error) => {
    assert.match(
      error.message,
      new RegExp(`127.0.0.1:${port}/longwave: nothing listens there: start PostgreSQL`),
    );
    assert.doesNotMatch(error.message, /secret/);
    return true;
  });
  await pool.end();
});

const url = 'postgres://me:secret@db.example:5432/radio';
const failure = (code: string): Error => Object.assign(new Error('the driver says so'), { code });

const cases: [cause: unknown, says: RegExp][] = [
  [failure('ECONNREFUSED'), /db\.example:5432\/radio: nothing listens there: start PostgreSQL/],
  [new AggregateError([failure('ECONNREFUSED')]), /nothing listens there/],
  [failure('42P01'), /run longwave migrate/],
  [failure('57P03'), /still starting: try again in a moment/],
  [failure('53300'), /connections are taken: raise its max_connections/],
  [failure('25006'), /read-only, as a standby is: point DATABASE_URL/],
  [new Error('timeout exceeded when trying to connect'), /did not answer in time: check that it is running/],
  [failure('28P01'), /refused the password/],
  [failure('XX000'), /the driver says so: check that it is running/],
  ['odd', /odd: check that/],
];
for (const [cause, says] of cases) {
  test(`says ${says.source}`, () => {
    const error = explainLoadFailure(cause, url);
    assert.match(error.message, says);
    assert.doesNotMatch(error.message, /secret/);
    assert.equal(error.cause, cause);
  });
}

test('an address that is no URL is not repeated, since it may hold a password', () => {
  assert.doesNotMatch(explainLoadFailure('odd', 'me:secret@db').message, /secret/);
});
