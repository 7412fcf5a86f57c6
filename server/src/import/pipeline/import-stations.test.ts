import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { catalogueState, guideIds } from '../../../test/database/catalogue/catalogue-state.ts';
import { editStation } from '../../../test/database/catalogue/edit-station.ts';
import { type Said, stationRecord } from '../../../test/content/station-records.ts';
import { testDatabase, testDatabaseWithPlaces, type TestDatabase } from '../../../test/database/database.ts';
import { importStations } from './import-stations.ts';
import type { ImportSummary, Notice } from './import-summary.ts';
import type { StationRecord } from './record.ts';
import { setStreamListed } from '../../../test/database/catalogue/edit-catalogue.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabaseWithPlaces();
});
after(() => database[Symbol.asyncDispose]());

const said = (record: Said): StationRecord => stationRecord({ name: 'Harbour Folk', ...record });

async function run(records: Said[], notices: Notice[] = []): Promise<ImportSummary> {
  async function* items() {
    for (const record of records) yield { record: said(record) };
  }
  return importStations({
    pool: database.pool,
    source: 'test',
    items: items(),
    // An import takes longer than the usual patience on a busy machine.
    maxWaitMs: 240_000,
    onNotice: (notice) => notices.push(notice),
  });
}

/** Each test starts with an empty catalogue and the world's places. */
async function empty(): Promise<void> {
  await database.pool.query(
    'TRUNCATE stations, streams, station_genres, station_languages, station_records, aliases, images CASCADE',
  );
}

const rowsOf = async (text: string): Promise<unknown[]> => (await database.pool.query(text)).rows;

test('records of one station become one station with several streams', async () => {
  await empty();
  const notices: Notice[] = [];
  const summary = await run(
    [{ record: 'a' }, { record: 'b', bitrateKbps: 64 }, { record: 'c', name: 'Other' }],
    notices,
  );
  assert.deepEqual(
    [summary.added, summary.merged, summary.stationsAdded, summary.streamsAdded],
    [2, 1, 2, 3],
  );
  assert.deepEqual(
    await rowsOf(
      'SELECT name, (SELECT count(*) FROM streams t WHERE t.station_id = s.id) AS n FROM stations s ORDER BY id',
    ),
    [
      { name: 'Harbour Folk', n: 2 },
      { name: 'Other', n: 1 },
    ],
  );
  assert.equal(notices.length, 1);
});

test('a record that the database would not take is refused or mended, and the others are imported', async () => {
  await empty();
  const notices: Notice[] = [];
  const emoji = '\u{1f4fb}';
  const summary = await run(
    [
      { record: 'a', name: 'One' },
      { record: 'x'.repeat(201), name: 'Two' },
      { record: 'nul\0', name: 'Three' },
      { record: 'half\ud83d', name: 'Four' },
      { record: 'b', name: 'Five', city: `${'A'.repeat(99)}${emoji}`, state: 'Cork \ud83d' },
      { record: 'c', name: 'Six', list: `${'l'.repeat(99)}${emoji}` },
      { record: 'd', name: 'Seven', list: '\0odd\ud83d' },
      // The key of a name is longer than the name where letters are taken apart, and Gothic ones are pairs.
      { record: 'e', name: `ﬃ${'\u{10330}'.repeat(59)}` },
    ],
    notices,
  );
  assert.deepEqual([summary.added, summary.stationsAdded], [5, 5]);
  assert.deepEqual(
    notices.map((notice) => notice.what === 'refused' && `${notice.record.slice(0, 3)}: ${notice.why}`),
    [
      'xxx: its id is longer than 200 characters: give it a shorter one',
      'nul: its id has a character that cannot be stored: give it an id of letters and digits',
      'hal: its id has a character that cannot be stored: give it an id of letters and digits',
    ],
  );
  const [facts] = await rowsOf(
    "SELECT facts->>'city' AS city, facts->>'state' AS state FROM station_records WHERE record = 'b'",
  );
  assert.deepEqual(facts, { city: 'A'.repeat(99), state: 'Cork' });
  assert.deepEqual(
    await rowsOf("SELECT facts->>'list' AS list FROM station_records WHERE facts ? 'list' ORDER BY record"),
    [{ list: 'l'.repeat(99) }, { list: 'odd\ufffd' }],
  );
});

test('a second run adds and changes nothing', async () => {
  await empty();
  const records = [{ record: 'a' }, { record: 'b' }, { record: 'c', name: 'Other' }];
  await run(records);
  const state = await catalogueState(database.pool);
  const summary = await run(records);
  assert.deepEqual([summary.added, summary.merged, summary.changed, summary.unchanged], [0, 0, 0, 3]);
  assert.deepEqual(await catalogueState(database.pool), state);
});

test('a record that says something new changes its station as if it had always said so', async () => {
  await empty();
  await run([
    { record: 'a', homepage: 'http://old.radio-haven.net/' },
    { record: 'b', votes: 9 },
  ]);
  const ids = await guideIds(database.pool);
  const changes = [
    { record: 'a', homepage: 'http://new.radio-haven.net/', tags: ['jazz'] },
    { record: 'b', votes: 9 },
  ];
  const summary = await run(changes);
  assert.deepEqual([summary.changed, summary.unchanged], [1, 1]);
  const changed = await catalogueState(database.pool);
  assert.deepEqual(await guideIds(database.pool), ids);

  await empty();
  await run(changes);
  const fresh = await catalogueState(database.pool);
  for (const table of ['stations', 'streams', 'station_genres', 'station_languages']) {
    assert.equal(changed[table], fresh[table], table);
  }
});

test('a changed address is a new stream, and the one nobody names is no longer listed', async () => {
  await empty();
  await run([{ record: 'a' }]);
  await run([{ record: 'a', address: 'http://stream.radio-haven.net/moved' }]);
  assert.deepEqual(await rowsOf('SELECT address, listed, station_id FROM streams ORDER BY id'), [
    { address: 'http://stream.radio-haven.net/a', listed: false, station_id: 1 },
    { address: 'http://stream.radio-haven.net/moved', listed: true, station_id: 1 },
  ]);
});

test('what an operator edited survives a re-import, also one that brings news', async () => {
  await empty();
  await run([{ record: 'a' }, { record: 'b' }]);
  await editStation(database.pool, 1, {
    name: 'Harbour Folk Cork',
    homepage: 'http://mine.radio-haven.net/',
  });
  await setStreamListed(database.pool, 2, false);
  await run([
    { record: 'a', votes: 50, homepage: 'http://theirs.radio-haven.net/' },
    { record: 'b', bitrateKbps: 96 },
  ]);
  assert.deepEqual(await rowsOf('SELECT name, homepage, votes FROM stations'), [
    { name: 'Harbour Folk Cork', homepage: 'http://mine.radio-haven.net/', votes: 50 },
  ]);
  assert.deepEqual(await rowsOf('SELECT listed, bitrate FROM streams WHERE id = 2'), [
    { listed: false, bitrate: 96 },
  ]);
});

test('a batch that fails leaves nothing behind and its numbers are given again', async () => {
  await empty();
  await run([{ record: 'a' }]);
  await database.pool.query("ALTER TABLE station_records ADD CONSTRAINT no_b CHECK (record <> 'b')");
  await assert.rejects(run([{ record: 'b', name: 'Second' }]), /no_b/);
  await database.pool.query('ALTER TABLE station_records DROP CONSTRAINT no_b');
  await run([{ record: 'b', name: 'Second' }]);
  assert.deepEqual(await rowsOf('SELECT id, name FROM stations ORDER BY id'), [
    { id: 1, name: 'Harbour Folk' },
    { id: 2, name: 'Second' },
  ]);
});

test('two imports at once do not interleave', async () => {
  await empty();
  await Promise.all([run([{ record: 'a' }]), run([{ record: 'a' }, { record: 'b' }])]);
  assert.deepEqual(await rowsOf('SELECT count(*) FROM stations'), [{ count: 1 }]);
  assert.deepEqual(await rowsOf('SELECT count(*) FROM streams'), [{ count: 2 }]);
});

/** As a restart of the database does, or a network that drops what it thinks idle. */
async function cutHolderOfLock(): Promise<void> {
  const holders = `FROM pg_locks JOIN pg_database d ON d.oid = database
    WHERE locktype = 'advisory' AND granted AND datname = current_database()`;
  await database.pool.query(`SELECT pg_terminate_backend(pid) ${holders}`);
  while ((await rowsOf(`SELECT ${holders}`)).length > 0) await sleep(10);
}

async function* overtaken() {
  yield { record: said({ record: 'a', name: 'Overtaken' }) };
  await cutHolderOfLock();
  await run([{ record: 'b' }]);
}

test('an import whose lock is lost with its connection writes nothing beside the next one', async () => {
  await empty();
  await assert.rejects(
    importStations({ pool: database.pool, source: 'test', items: overtaken() }),
    /the connection to PostgreSQL was lost, and with it the import lock; .*: run the import again/,
  );
  assert.deepEqual(await rowsOf('SELECT name FROM stations'), [{ name: 'Harbour Folk' }]);
});

async function* broken() {
  for (let number = 0; number < 4000; number += 1) yield { record: said({ record: `${number}` }) };
  throw new Error('the file ends in the middle');
}

test('what was read before a source broke off is written', async () => {
  await empty();
  await assert.rejects(
    importStations({ pool: database.pool, source: 'test', items: broken() }),
    /the file ends in the middle/,
  );
  assert.deepEqual(await rowsOf('SELECT count(*) FROM streams'), [{ count: 4000 }]);
});

test('what is refused is counted by reason, and radio-browser ids lead to stations', async () => {
  await empty();
  const notices: Notice[] = [];
  const id = '962cc6df-0601-11e8-ae97-52543be04c81';
  const summary = await run(
    [
      { record: 'a', radioBrowserId: id },
      { record: 'b', address: 'rtmp://x/y' },
      { record: 'c', codec: 'AAC,H.264' },
    ],
    notices,
  );
  assert.equal(
    summary.refused.values().reduce((sum, count) => sum + count, 0),
    2,
  );
  assert.ok(notices.every((notice) => notice.what === 'refused' && notice.why.length > 10));
  assert.deepEqual(await rowsOf('SELECT foreign_id, kind, item_id FROM aliases'), [
    { foreign_id: id, kind: 's', item_id: 1 },
  ]);
});

test('without places nothing is imported, and the way out is named', async () => {
  await using bare = await testDatabase();
  const importing = importStations({ pool: bare.pool, source: 'test', items: Readable.from([]) });
  await assert.rejects(importing, /import them first: longwave import places/);
});
