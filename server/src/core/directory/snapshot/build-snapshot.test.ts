import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testDatabase } from '../../../../test/database/database.ts';
import { fillCatalogue, randomCatalogue } from '../../../../test/content/random-catalogue.ts';
import { stationOutline } from '../../../formats/opml/outlines.ts';
import { parseFormats } from '../../../lib/stream-format.ts';
import { createPool } from '../../../storage/db/pool.ts';
import { transaction } from '../../../storage/db/transaction.ts';
import { findStation } from '../lookup/lookups.ts';
import { buildSnapshot } from './build-snapshot.ts';

const database = await testDatabase();
after(() => database[Symbol.asyncDispose]());

test('an empty catalogue makes an empty directory', async () => {
  const snapshot = await buildSnapshot(database.pool);
  assert.deepEqual([snapshot.stations, snapshot.languages, snapshot.topGenres], [[], [], []]);
});

/** A small catalogue with one station whose every fact is known. */
async function townRadio(): Promise<void> {
  await fillCatalogue(database.pool, randomCatalogue(1, 0));
  await database.pool.query(`
    INSERT INTO stations (id, name, name_key, call_sign, frequency, band, slogan, description, homepage, zone, relay, region_id,
        latitude, longitude, popularity, votes, clicks, created_at)
      VALUES (7, 'Town Radio', 'town radio', 'KTWN', '97.9', 'FM', 'Always on', 'All day', 'http://town.example/',
        'America/Chicago', 'each', 1111, 30.27, -97.74, 12, 3, 4, '1970-01-02T03:59:59Z');
    INSERT INTO affiliates (id, name, name_key) VALUES (5, 'Towns', 'towns'), (6, 'Nobody', 'nobody') ON CONFLICT DO NOTHING;
    INSERT INTO station_affiliates VALUES (7, 5);
    INSERT INTO station_genres VALUES (7, 211, 2), (7, 110, 1);
    INSERT INTO station_languages VALUES (7, 9, 1), (7, 6, 2);
    INSERT INTO images (kind, item_id, address) VALUES ('s', 7, 'http://logo.example/7.png');
    INSERT INTO streams (id, station_id, address, address_key, resolved_address, format, playlist, bitrate, reliability, listed)
      VALUES (1, 7, 'http://a.example/', md5('1')::uuid, NULL, 'mp3', NULL, 128, 80, true),
             (2, 7, 'http://b.example/', md5('2')::uuid, 'http://b.example/live', 'aac', 'pls', 64, 95, true),
             (3, 7, 'http://c.example/', md5('3')::uuid, 'http://c.example/', NULL, NULL, 96, 80, true),
             (4, 7, 'http://d.example/', md5('4')::uuid, NULL, 'flac', NULL, 900, 100, false)`);
}

test('a station has the facts that menus and tuning need', async () => {
  await townRadio();
  const snapshot = await buildSnapshot(database.pool);
  const { streams, ...facts } = findStation(snapshot, 7) ?? assert.fail();
  assert.deepEqual(facts, {
    id: 7,
    rank: 0,
    name: 'Town Radio',
    frequency: '97.9',
    band: 'FM',
    slogan: 'Always on',
    callSign: 'KTWN',
    description: 'All day',
    homepage: 'http://town.example/',
    zone: 'America/Chicago',
    relay: 'each',
    countryCode: undefined,
    coordinate: { latitude: 30.27, longitude: -97.74 },
    genreId: 110,
    genreName: 'Middle 110',
    languageName: 'German',
    regionId: 1111,
    placeName: 'Austin, Texas',
    genreIds: [110, 211],
    languageIds: [9, 6],
    affiliateIds: [5],
    popularity: 12,
    votes: 3,
    clicks: 4,
    addedHour: 27,
    bitrate: 128,
    reliability: 95,
    formats: parseFormats('mp3,aac'),
    hasUnknownFormat: true,
    hasLogo: true,
  });
  assert.deepEqual(
    streams.map(({ id, format, playlist, resolvedAddress }) => [id, format, playlist, resolvedAddress]),
    [
      [2, 'aac', 'pls', 'http://b.example/live'],
      [1, 'mp3', undefined, undefined],
      [3, undefined, undefined, undefined],
    ],
    'the most reliable first, then the higher bitrate; unlisted ones are not here',
  );
  assert.equal(snapshot.version, 1, 'a catalogue starts at its first version');
  assert.equal(snapshot.streamCount, 3);
  const networks = [...snapshot.affiliateById.values()].map(({ name, ranks }) => [name, [...ranks]]);
  assert.deepEqual(networks, [['Towns', [0]]], 'a network without stations is not here');
});

test('a station is presented as it is, without a copy', async () => {
  await townRadio();
  const station = findStation(await buildSnapshot(database.pool), 7) ?? assert.fail();
  assert.equal(stationOutline(station, 'byGenre').text, 'Town Radio (Austin, Texas)');
  assert.equal(stationOutline(station, 'byPlace').text, 'Town Radio 97.9 (Middle 110)');
});

test('nothing is read of a change that is committed while reading', async () => {
  await fillCatalogue(database.pool, randomCatalogue(1, 400));
  await writeVersionEverywhere();
  const done = new AbortController();
  let writes = 0;
  const writing = (async () => {
    for (; !done.signal.aborted; writes++) await writeVersionEverywhere();
  })();
  let disturbed = 0;
  while (disturbed < 4) {
    const before = writes;
    const { version, stations } = await buildSnapshot(database.pool, { batchSize: 10 });
    if (writes > before) disturbed++;
    assert.deepEqual([...new Set(stations.map(({ name }) => name))], [String(version)]);
    const addresses = new Set(stations.flatMap(({ streams }) => streams.map(({ address }) => address)));
    assert.deepEqual([...addresses], [`http://${version}`]);
  }
  done.abort();
  await writing;
});

const writeVersionEverywhere = (): Promise<void> =>
  transaction(database.pool, async (client) => {
    await client.query('UPDATE catalogue SET version = version + 1');
    await client.query(
      'UPDATE stations SET name = (SELECT version FROM catalogue)::text, popularity = id % 50',
    );
    await client.query(`UPDATE streams SET address = 'http://' || (SELECT version FROM catalogue)`);
  });

test('a connection that breaks while reading fails the build and nothing else', async () => {
  await fillCatalogue(database.pool, randomCatalogue(1, 400));
  const pool = createPool({ databaseUrl: database.url, size: 1, applicationName: 'to be ended' });
  const building = buildSnapshot(pool, { batchSize: 1 });
  const broken = assert.rejects(building, /terminat|not queryable/i);
  await endConnections('to be ended');
  await broken;
  assert.ok((await buildSnapshot(pool)).stations.length > 0, 'the pool gives another connection');
  await pool.end();
});

async function endConnections(name: string): Promise<void> {
  for (;;) {
    const { rowCount } = await database.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = $1 AND xact_start IS NOT NULL AND query <> ''`,
      [name],
    );
    if (rowCount) return;
  }
}

test('a build that is stopped gives its connection up', async () => {
  await fillCatalogue(database.pool, randomCatalogue(1, 400));
  const stop = new AbortController();
  const stopped = assert.rejects(
    buildSnapshot(database.pool, { batchSize: 1, signal: stop.signal }),
    /stopped/,
  );
  setTimeout(() => stop.abort(), 20);
  await stopped;
  assert.equal(database.pool.totalCount, database.pool.idleCount);
  await assert.rejects(buildSnapshot(database.pool, { signal: stop.signal }), /stopped/);
});
