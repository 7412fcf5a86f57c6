import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { testDatabase, type TestDatabase } from '../../../test/database/database.ts';
import { makeSmallWorld } from '../../../test/content/small-world.ts';
import { buildSnapshot } from '../../core/directory/snapshot/build-snapshot.ts';
import { findStation } from '../../core/directory/lookup/lookups.ts';
import { listChangesBefore } from '../../storage/catalog/stations/station-changes.ts';
import { pinned } from '../../storage/catalog/stations/station-fields.ts';
import { findStationRow } from '../../storage/catalog/stations/stations.ts';
import { importStations } from '../pipeline/import-stations.ts';
import { type ImportSummary, type Notice, writeSummary } from '../pipeline/import-summary.ts';
import type { StationRecord } from '../pipeline/record.ts';
import { readFields } from './field-values.ts';
import { type Hand, hideStation, openHand, setFields, unhideStation, type WithHand } from './hand.ts';
import { mergeStations, splitStation } from './regroup.ts';
import { revertChange } from './revert.ts';
import { catalogueVersion } from '../../../test/database/catalogue/edit-catalogue.ts';

let database: TestDatabase;
let withHand: WithHand;
before(async () => {
  database = await testDatabase();
  await makeSmallWorld(database.pool);
  withHand = openHand(database.pool);
});
after(() => database[Symbol.asyncDispose]());

type Said = Partial<StationRecord> & { record: string };

const RECORDS: Said[] = [
  { record: 'a', name: 'Harbour Folk', homepage: 'http://folk.radio-haven.net/' },
  { record: 'b', name: 'Harbour Jazz', tags: ['jazz'], votes: 9 },
  { record: 'c', name: 'Harbour Folk', bitrateKbps: 64 },
];
const [FOLK, JAZZ] = [1, 2];

async function run(records: Said[], notices: Notice[] = []): Promise<ImportSummary> {
  async function* items() {
    for (const { record, ...more } of records) {
      const address = `http://stream.radio-haven.net/${record}`;
      const rest = {
        countryCode: 'IE',
        languages: ['en'],
        tags: ['folk'],
        bitrateKbps: 128,
        hls: false,
        votes: 1,
      };
      yield { record: { source: 'test', record, name: '', address, ...rest, clicks: 0, ...more } };
    }
  }
  const onNotice = (notice: Notice): unknown => notices.push(notice);
  return importStations({
    pool: database.pool,
    source: 'test',
    items: items(),
    maxWaitMs: 240_000,
    onNotice,
  });
}

beforeEach(async () => {
  await database.pool.query(
    'TRUNCATE stations, streams, station_genres, station_languages, station_records, aliases, images, presets, takedowns RESTART IDENTITY CASCADE',
  );
  await run(RECORDS);
});

const ann = { who: 'ann', why: 'a letter' };

async function set(id: number, ...words: string[]): Promise<number | undefined> {
  const station = await findStationRow(database.pool, id);
  assert.ok(station);
  const fields = await readFields(database.pool, station, words);
  return withHand(ann, (hand) => setFields(hand, id, fields));
}
const revert = (id: number | undefined) => withHand(ann, (hand) => revertChange(hand, id ?? 0));
const rowsOf = async (text: string): Promise<unknown[]> => (await database.pool.query(text)).rows;
const streamsOf = async (): Promise<unknown> =>
  Object.fromEntries(
    (
      await database.pool.query<{ record: string; station_id: number }>(
        `SELECT record, t.station_id FROM station_records r JOIN streams t ON t.id = r.stream_id
         WHERE t.station_id = r.station_id ORDER BY record`,
      )
    ).rows.map(({ record, station_id: station }) => [record, station]),
  );

test('what an operator sets is written down with who and why, survives an import, and can be undone', async () => {
  const earlier = await catalogueVersion(database.pool);
  const change = await set(FOLK, 'name=Harbour Folk Cork', 'genres=jazz', 'place=Cork, IE', 'frequency=97,9');
  assert.equal(await catalogueVersion(database.pool), earlier + 1);
  const [row] = await listChangesBefore(database.pool, FOLK, { limit: 5 });
  assert.deepEqual([row?.id, row?.who, row?.why, row?.action], [change, 'ann', 'a letter', 'set']);
  assert.deepEqual(Object(row?.before).name, { value: 'Harbour Folk', pinned: false });
  const notices: Notice[] = [];
  const summary = await run([{ ...RECORDS[0], record: 'a', votes: 50 }, ...RECORDS.slice(1)], notices);
  const station = await findStationRow(database.pool, FOLK);
  assert.deepEqual([station?.name, station?.frequency, station?.band], ['Harbour Folk Cork', '97.9', 'FM']);
  assert.equal(summary.disagreeing, 1);
  assert.match(
    writeSummary(summary),
    /\n1 station has fields that an operator set and this source says otherwise/,
  );
  const kept = notices.filter((notice) => notice.what === 'kept');
  assert.ok(kept.some((notice) => notice.field === 'name' && notice.source === 'Harbour Folk'));
  await revert(change);
  const undone = await findStationRow(database.pool, FOLK);
  assert.deepEqual([undone?.name, undone?.frequency, undone?.pinned], ['Harbour Folk', null, []]);
  assert.deepEqual(
    await rowsOf('SELECT g.slug FROM station_genres JOIN genres g ON g.id = genre_id WHERE station_id = 1'),
    [{ slug: 'folk' }],
  );
  await assert.rejects(revert(change), /is undone already/);
});

test('an undone field is what the source says now, not what it said then', async () => {
  const change = await set(FOLK, 'homepage=https://mine.radio-haven.net/');
  await run([{ ...RECORDS[0], record: 'a', homepage: 'http://new.radio-haven.net/' }]);
  await revert(change);
  assert.equal((await findStationRow(database.pool, FOLK))?.homepage, 'http://new.radio-haven.net/');
});

test('a later change of the same field is in the way of undoing', async () => {
  const first = await set(FOLK, 'name=One', 'slogan=S');
  const second = await set(FOLK, 'name=Two');
  const other = await set(FOLK, 'homepage=');
  await assert.rejects(
    revert(first),
    new RegExp(`change ${second} \\(set of s1\\) came after .* station revert ${second}`),
  );
  await revert(second);
  assert.equal((await findStationRow(database.pool, FOLK))?.name, 'One');
  await revert(first);
  assert.equal((await findStationRow(database.pool, FOLK))?.name, 'Harbour Folk');
  await revert(other);
  assert.equal((await findStationRow(database.pool, FOLK))?.homepage, 'http://folk.radio-haven.net/');
  assert.equal(
    (await set(JAZZ, 'name=Harbour Jazz')) === undefined,
    false,
    'pinning what is so already is a change',
  );
  assert.equal(await set(JAZZ, 'name=Harbour Jazz'), undefined);
});

const isShown = async (): Promise<boolean> =>
  findStation(await buildSnapshot(database.pool), FOLK) !== undefined;

test('a hidden station is in no directory, stays hidden through an import, and comes back', async () => {
  const hidden = await withHand(ann, (hand) => hideStation(hand, FOLK));
  assert.equal(await isShown(), false);
  await run(RECORDS.map((said) => ({ ...said, votes: 77 })));
  assert.equal(await isShown(), false);
  await assert.rejects(
    withHand(ann, (hand) => hideStation(hand, FOLK)),
    /hidden already/,
  );
  const shown = await withHand(ann, (hand) => unhideStation(hand, FOLK));
  assert.equal(await isShown(), true);
  await assert.rejects(revert(hidden), /change \d+ \(unhide of s1\) came after/);
  await revert(shown);
  assert.equal(await isShown(), false);
  await revert(hidden);
  assert.equal(await isShown(), true);
});

test('merged stations are one, under both ids, with all that refers to them, also after an import', async () => {
  await database.pool.query(`
    INSERT INTO aliases VALUES ('elsewhere', 'x2', 's', 2);
    INSERT INTO accounts (id) VALUES (7) ON CONFLICT DO NOTHING;
    INSERT INTO folders (account_id, id, name, position) VALUES (7, 1031, 'F', 1) ON CONFLICT DO NOTHING;
    INSERT INTO presets (account_id, id, folder_id, position, kind, item_id) VALUES (7, 2055, 1031, 1, 's', 2);
    INSERT INTO reports (kind, item_kind, item_id, dedupe_key) VALUES ('feedback', 's', 2, gen_random_uuid());
    INSERT INTO station_songs (station_id, started_at, title) VALUES (2, '2026-01-01Z', 'Song')`);
  const owner = `SELECT (SELECT item_id FROM aliases WHERE foreign_id = 'x2') AS alias, (SELECT item_id FROM presets) AS preset,
    (SELECT item_id FROM reports LIMIT 1) AS report, (SELECT station_id FROM station_songs) AS song`;
  const change = await withHand(ann, (hand) => mergeStations(hand, FOLK, JAZZ));
  const check = async (): Promise<void> => {
    assert.deepEqual(await streamsOf(), { a: 1, b: 1, c: 1 });
    assert.deepEqual(await rowsOf(owner), [{ alias: 1, preset: 1, report: 1, song: 1 }]);
    const snapshot = await buildSnapshot(database.pool);
    assert.equal(findStation(snapshot, JAZZ)?.id, FOLK);
    assert.equal(findStation(snapshot, FOLK)?.name, 'Harbour Folk');
    assert.deepEqual([snapshot.stations.length, findStation(snapshot, FOLK)?.streams.length], [1, 3]);
  };
  await check();
  // Changed records of both, and a new one that is recognised by the name of the station that is gone.
  await run([...RECORDS.map((said) => ({ ...said, clicks: 3 })), { record: 'd', name: 'Harbour Jazz' }]);
  assert.deepEqual(await streamsOf(), { a: 1, b: 1, c: 1, d: 1 });
  await assert.rejects(
    set(JAZZ, 'name=X').then(() => withHand(ann, (hand) => hideStation(hand, JAZZ))),
    /s2 is part of s1 now/,
  );
  await revert(change);
  assert.deepEqual(await streamsOf(), { a: 1, b: 2, c: 1, d: 1 });
  assert.deepEqual(await rowsOf(owner), [{ alias: 2, preset: 2, report: 2, song: 2 }]);
  assert.equal((await findStationRow(database.pool, JAZZ))?.name, 'Harbour Jazz');
});

test('split streams are a station of their own, also after an import, and go back', async () => {
  const { change, newStation } = await withHand(ann, (hand) => splitStation(hand, FOLK, [3]));
  assert.deepEqual(await streamsOf(), { a: 1, b: 2, c: newStation });
  assert.equal((await findStationRow(database.pool, newStation))?.name, 'Harbour Folk');
  await run(RECORDS.map((said) => ({ ...said, clicks: 3 })));
  assert.deepEqual(await streamsOf(), { a: 1, b: 2, c: newStation });
  const hidden = await withHand(ann, (hand) => hideStation(hand, newStation));
  await assert.rejects(revert(change), new RegExp(`change ${hidden} .hide of s${newStation}. came after`));
  await revert(hidden);
  await revert(change);
  assert.deepEqual(await streamsOf(), { a: 1, b: 2, c: 1 });
  const snapshot = await buildSnapshot(database.pool);
  assert.equal(findStation(snapshot, newStation)?.id, FOLK, 'its id is somewhere on a radio by now');
});

test('what a station says about relays goes with its streams', async () => {
  await set(JAZZ, 'relay=never');
  await assert.rejects(
    withHand(ann, (hand) => mergeStations(hand, FOLK, JAZZ)),
    /s2 says relay=never, and s1 does not: say so there first \(longwave station set s1 relay=never\)/,
  );
  await set(FOLK, 'relay=never');
  const { newStation } = await withHand(ann, (hand) => splitStation(hand, FOLK, [3]));
  assert.equal((await findStationRow(database.pool, newStation))?.relay, 'never');
  await withHand(ann, (hand) => mergeStations(hand, FOLK, JAZZ));
});

test('merges chain, and are undone from the last one on', async () => {
  await run([...RECORDS, { record: 'e', name: 'Harbour Rock' }]);
  const first = await withHand(ann, (hand) => mergeStations(hand, FOLK, JAZZ));
  const second = await withHand(ann, (hand) => mergeStations(hand, 3, FOLK));
  assert.equal(findStation(await buildSnapshot(database.pool), JAZZ)?.name, 'Harbour Rock');
  await assert.rejects(revert(first), /s1 is part of s3 now/);
  await revert(second);
  assert.equal(findStation(await buildSnapshot(database.pool), JAZZ)?.name, 'Harbour Folk');
  await revert(first);
  assert.deepEqual(await streamsOf(), { a: 1, b: 2, c: 1, e: 3 });
});

test('what cannot be done says what to do instead', async () => {
  const trying: [(hand: Hand) => Promise<unknown>, RegExp][] = [
    [(hand) => mergeStations(hand, 1, 1), /give two stations/],
    [(hand) => mergeStations(hand, 1, 99), /there is no station s99; Search/],
    [(hand) => splitStation(hand, 1, [1, 3]), /all streams of s1; leave it at least one/],
    [(hand) => splitStation(hand, 1, [2]), /s1 has no stream e2; longwave station show s1/],
    [(hand) => unhideStation(hand, 1), /s1 is not hidden/],
    [(hand) => revertChange(hand, 4711), /there is no change 4711/],
  ];
  for (const [work, why] of trying) await assert.rejects(withHand(ann, work), why);
  await withHand(ann, (hand) => hideStation(hand, JAZZ));
  await assert.rejects(
    withHand(ann, (hand) => mergeStations(hand, FOLK, JAZZ)),
    /s2 is hidden and the other is not/,
  );
  assert.deepEqual(await rowsOf('SELECT action FROM station_changes'), [{ action: 'hide' }]);
});

const WRONG: [word: string, why: RegExp][] = [
  ['colour=red', /'colour' cannot be set; choose from name, homepage/],
  ['red', /write FIELD=VALUE/],
  ['name=http://x.example/', /only an address/],
  ['homepage=ftp://x', /no public web page/],
  ['frequency=300', /neither FM .76 to 108/],
  ['band=UHF', /choose from FM, AM, SW/],
  ['callSign=a b', /such as WNYC-FM/],
  ['country=Atlantis', /no country; give its code/],
  ['place=Cork', /has no country; write a city/],
  ['place=Nowhereville, IE', /no city 'Nowhereville' is known in Ireland/],
  ['latlon=99,0', /latlon=48\.21,16\.37/],
  ['latlon=48.21,16.37', /is not in Ireland; give the country too/],
  ['genres=xyzzy', /'xyzzy' is none/],
  ['relay=sometimes', /choose from never, each, shared, or relay= for none/],
  ['languages=xyzzy', /codes or names: languages=de,en/],
];
test('each wrong value is refused with what would be right', async () => {
  for (const [word, why] of WRONG) await assert.rejects(set(FOLK, word), why, word);
  await assert.rejects(set(FOLK, 'place=Cork, IE', 'latlon=1,1'), /not both/);
});

test('each field can be set', async () => {
  await set(
    FOLK,
    'name=N',
    'homepage=n.radio-haven.net',
    'slogan=S',
    'description=D',
    'frequency=1000',
    'callSign=wxyz',
  );
  await set(FOLK, 'relay=Never');
  await set(FOLK, 'latlon=48.21,16.37', 'country=AT', 'genres=Jazz,news', 'languages=de,English');
  const { rows } = await database.pool.query(
    `SELECT s.name, homepage, slogan, description, frequency, band, call_sign, relay, c.code, s.zone,
       (SELECT count(*) FROM station_genres g WHERE g.station_id = s.id) AS genres,
       (SELECT count(*) FROM station_languages l WHERE l.station_id = s.id) AS languages
     FROM stations s JOIN countries c ON c.id = country_id WHERE s.id = 1`,
  );
  assert.deepEqual(Object.values(rows[0] ?? {}), [
    'N',
    'http://n.radio-haven.net/',
    'S',
    'D',
    '1000',
    'AM',
    'WXYZ',
    'never',
    'AT',
    'Europe/Vienna',
    2,
    2,
  ]);
  await withHand(ann, (hand) => setFields(hand, FOLK, { slogan: pinned(null) }));
  assert.equal((await findStationRow(database.pool, FOLK))?.slogan, null);
});
