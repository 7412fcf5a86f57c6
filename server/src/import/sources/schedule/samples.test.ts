import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../../test/database/database.ts';
import { REAL_SCHEDULES, withoutRealData } from '../../../../test/content/real-data.ts';
import { listBroadcastsOfStation } from '../../../storage/catalog/schedules/broadcasts.ts';
import { importSchedule } from './import-schedule.ts';

/** 2026-03-29 in Berlin, where clocks go from two to three in the night: the programme that all samples tell of. */
const PROGRAMME = {
  lateSaturday: 'Samstag Nacht 2026-03-28T22:00:00+01:00 PT4H',
  night: 'Nachtprogramm 2026-03-29T01:00:00+01:00 PT4H',
  morning: 'Der Morgen 2026-03-29T06:00:00+02:00 PT3H',
  morningNews: 'Nachrichten 2026-03-29T07:00:00+02:00 PT5M',
  classics: 'Klassik am Sonntag 2026-03-29T09:00:00+02:00 PT3H',
  news: 'Nachrichten 2026-03-29T12:00:00+02:00 PT5M',
} as const;

/** Two samples say more than what part of the day they know: a host instead of the title, a show that was moved. */
const HOSTED = 'Anna und Ben 2026-03-29T06:00:00+02:00 PT3H';
const SHORTENED = 'Klassik am Sonntag 2026-03-29T10:00:00+02:00 PT2H';

const { lateSaturday, night, morning, morningNews, classics, news } = PROGRAMME;
const SAMPLES: [format: string, file: string, day: string[]][] = [
  ['xmltv', 'xmltv.xml', [night, morning, classics, news]],
  ['spi', 'radiodns-spi-pi.xml', [morning, morningNews]],
  ['ics', 'schedule.ics', [morning, SHORTENED]],
  ['azuracast', 'azuracast-schedule.json', [HOSTED, classics]],
  ['spinitron', 'spinitron-shows.json', [morning, classics]],
  ['libretime', 'libretime-week-info.json', [morning, classics]],
  ['bbc', 'bbc-rms-schedule.json', [morning, classics]],
  ['csv', 'weekly.csv', [lateSaturday, morning, classics]],
];

const ZONE = 'Europe/Berlin';
const NOW = Temporal.Instant.from('2026-03-29T03:30:00Z');
const DAY = {
  from: Temporal.Instant.from('2026-03-28T23:00:00Z'),
  until: Temporal.Instant.from('2026-03-29T22:00:00Z'),
};

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
  await database.pool.query(
    `INSERT INTO stations (id, name, name_key, zone) SELECT n, 'Test FM', 'test fm', '${ZONE}' FROM generate_series(1, 20) n`,
  );
});
after(() => database[Symbol.asyncDispose]());

async function dayOf(stationId: number): Promise<string[]> {
  const rows = await listBroadcastsOfStation(database.pool, stationId, DAY);
  return rows.map(({ title, starts_at: start, ends_at: end }) => {
    const local = start.toZonedDateTimeISO(ZONE).toString({ timeZoneName: 'never' });
    return `${title} ${local} ${start.until(end, { largestUnit: 'hours' }).toString()}`;
  });
}

const read = (file: string, stationId: number, format?: string) =>
  importSchedule({
    pool: database.pool,
    stationId,
    bytes: createReadStream(join(REAL_SCHEDULES, file)),
    format,
    now: NOW,
  });

for (const [index, [format, file, day]] of SAMPLES.entries()) {
  test(`${file}: its part of the one programme`, { skip: withoutRealData }, async () => {
    const summary = await read(file, index + 1);
    assert.equal(summary.format, format, 'found by looking at the content');
    assert.deepEqual(summary.passedOver, []);
    assert.deepEqual(await dayOf(index + 1), day);
    const shows = await showsOf(index + 1);
    await read(file, index + 1, format);
    assert.deepEqual(await dayOf(index + 1), day, 'read again');
    assert.deepEqual(await showsOf(index + 1), shows, 'shows keep their ids');
  });
}

const showsOf = async (stationId: number): Promise<unknown[]> => {
  const sql = `SELECT DISTINCT s.id, s.title FROM broadcasts b JOIN shows s ON s.id = show_id WHERE station_id = $1 ORDER BY 1`;
  return (await database.pool.query(sql, [stationId])).rows;
};

test(
  'all into one station: the formats agree on when a show is, and on which show it is',
  { skip: withoutRealData },
  async () => {
    for (const [, file] of SAMPLES) await read(file, 20);
    const rows = await showsOf(20);
    const { rows: named } = await database.pool.query<{ titles: string[] }>(
      `SELECT array_agg(title ORDER BY title) AS titles FROM station_shows JOIN shows ON shows.id = show_id WHERE station_id = 20`,
    );
    assert.deepEqual(named[0]?.titles, [
      'Anna und Ben',
      'Der Morgen',
      'Klassik am Sonntag',
      'Nachrichten',
      'Nachtprogramm',
      'Samstag Nacht',
    ]);
    assert.ok(rows.length >= 3);
    // The last one read has the last word on the time that it covers: the table's whole week.
    assert.deepEqual(await dayOf(20), [lateSaturday, morning, classics]);
  },
);
