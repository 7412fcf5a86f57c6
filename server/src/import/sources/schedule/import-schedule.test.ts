import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type TestDatabase, testDatabase } from '../../../../test/database/database.ts';
import type { SavedSchedule } from '../../../core/on-air/save-schedule.ts';
import { listBroadcastsOfStation } from '../../../storage/catalog/schedules/broadcasts.ts';
import { ensureGenres } from '../../../storage/catalog/stations/station-groups.ts';
import { extendSchedules } from '../../../workers/schedules/maintain-schedules.ts';
import { importSchedule, type ScheduleImport } from './import-schedule.ts';
import { catalogueVersion } from '../../../../test/database/catalogue/edit-catalogue.ts';

const NOW = Temporal.Instant.from('2026-10-20T10:00:00Z');
let database: TestDatabase;
before(async () => {
  database = await testDatabase();
  await ensureGenres(database.pool);
  await database.pool.query(
    `INSERT INTO stations (id, name, name_key, zone) SELECT n, 'Test FM', 'test fm', 'Europe/Berlin' FROM generate_series(1, 20) n;
     INSERT INTO stations (id, name, name_key) VALUES (21, 'Nowhere', 'nowhere')`,
  );
});
after(() => database[Symbol.asyncDispose]());

async function* bytesOf(text: string | Uint8Array): AsyncGenerator<Uint8Array> {
  yield typeof text === 'string' ? Buffer.from(text) : text;
}
const read = (
  stationId: number,
  text: string | Uint8Array,
  more: Partial<ScheduleImport> = {},
): Promise<SavedSchedule> =>
  importSchedule({ pool: database.pool, stationId, bytes: bytesOf(text), now: NOW, ...more });

const extend = (now: Temporal.Instant): Promise<number> =>
  extendSchedules({
    pool: database.pool,
    now,
    onTrouble: (_stationId, error) => {
      throw error;
    },
  });

/** `A 06:00-09:00`, in UTC, of the days from one until before another. */
async function onAir(stationId: number, from: string, until: string): Promise<string[]> {
  const range = {
    from: Temporal.Instant.from(`${from}T00:00Z`),
    until: Temporal.Instant.from(`${until}T00:00Z`),
  };
  const rows = await listBroadcastsOfStation(database.pool, stationId, range);
  return rows.map(({ title, starts_at: start, ends_at: end }) => `${title} ${clock(start)}-${clock(end)}`);
}
const clock = (instant: Temporal.Instant): string => instant.toString().slice(5, 16).replace('T', ' ');

const azuracast = (...items: [title: string, start: string, end: string][]): string =>
  JSON.stringify(items.map(([title, start, end]) => ({ title, start: `${start}:00Z`, end: `${end}:00Z` })));

test('what is read again replaces the time it covers, and what ran into that ends there', async () => {
  await read(
    1,
    azuracast(
      ['Night', '2026-10-20T22:00', '2026-10-21T06:00'],
      ['Day', '2026-10-21T06:00', '2026-10-21T12:00'],
      ['Late', '2026-10-21T12:00', '2026-10-21T13:00'],
    ),
  );
  const version = await catalogueVersion(database.pool);
  const { newShows } = await read(
    1,
    azuracast(
      ['New', '2026-10-21T05:00', '2026-10-21T08:00'],
      ['day', '2026-10-21T08:00', '2026-10-21T12:00'],
    ),
  );
  assert.equal(newShows, 1, 'a title in other letters is the same show');
  assert.deepEqual(await onAir(1, '2026-10-20', '2026-10-22'), [
    'Night 10-20 22:00-10-21 05:00',
    'New 10-21 05:00-10-21 08:00',
    'Day 10-21 08:00-10-21 12:00',
    'Late 10-21 12:00-10-21 13:00',
  ]);
  assert.equal(await catalogueVersion(database.pool), version + 1);
});

const spinitron = (description: string, image: string): string =>
  JSON.stringify({
    items: [
      {
        title: 'Blue Hour',
        description,
        category: 'Jazz',
        image,
        url: 'https://blue.radio-haven.net/',
        start: '2026-10-21T06:00:00Z',
        end: '2026-10-21T07:00:00Z',
      },
    ],
  });

test('shows are told what the schedule says, are found by search, and keep what was pinned', async () => {
  const given = async () => {
    const { rows } = await database.pool.query(
      `SELECT s.description, s.homepage, g.slug, i.address, d.name_key FROM station_shows ss JOIN shows s ON s.id = show_id
       LEFT JOIN genres g ON g.id = genre_id LEFT JOIN images i ON i.kind = 'p' AND i.item_id = s.id
       LEFT JOIN search_documents d ON d.kind = 'p' AND d.item_id = s.id WHERE ss.station_id = 2`,
    );
    return rows;
  };
  await read(2, spinitron('<p>One</p>', 'https://img.radio-haven.net/1.png'));
  const first = {
    description: 'One',
    homepage: 'https://blue.radio-haven.net/',
    slug: 'jazz',
    address: 'https://img.radio-haven.net/1.png',
    name_key: 'bluehour',
  };
  assert.deepEqual(await given(), [first]);
  await read(2, spinitron('Two', 'http://192.168.1.1/2.png'));
  assert.deepEqual(await given(), [{ ...first, description: 'Two' }]);
  await database.pool.query(`UPDATE shows SET pinned = '{description}' WHERE title = 'Blue Hour'`);
  await read(2, spinitron('Three', ''));
  assert.deepEqual(await given(), [{ ...first, description: 'Two' }]);
});

test('a show that the station had before it had a schedule is that show', async () => {
  await database.pool.query(
    `INSERT INTO shows (id, title) VALUES (9000, 'Café Été');
     INSERT INTO broadcasts VALUES (3, '2026-01-01T00:00Z', '2026-01-01T01:00Z', 9000)`,
  );
  assert.equal((await read(3, azuracast(['CAFE ETE', '2026-10-21T06:00', '2026-10-21T07:00']))).newShows, 0);
  const { rows } = await database.pool.query('SELECT show_id FROM station_shows WHERE station_id = 3');
  assert.deepEqual(rows, [{ show_id: 9000 }]);
});

const WEEK = 'weekday,start,end,show\ndaily,06:00,09:00,Morning\nsun,02:30,06:00,Small Hours\n';

test('rules reach three weeks ahead, over the end of summer time, and go on when they are let', async () => {
  const { broadcasts, rules } = await read(4, WEEK);
  assert.deepEqual([broadcasts, rules], [23 + 3, 2]);
  // In Berlin clocks show 02:30 twice on October 25; the show begins the first time.
  assert.deepEqual(await onAir(4, '2026-10-24', '2026-10-27'), [
    'Morning 10-24 04:00-10-24 07:00',
    'Small Hours 10-25 00:30-10-25 05:00',
    'Morning 10-25 05:00-10-25 08:00',
    'Morning 10-26 05:00-10-26 08:00',
  ]);
  assert.equal(await extend(NOW), 0, 'nothing to do yet');
  const later = NOW.add({ hours: 24 * 10 });
  await read(4, azuracast(['Special', '2026-11-15T04:00', '2026-11-15T06:00']));
  assert.equal(await extend(later), 1);
  assert.equal(await extend(later), 0);
  assert.deepEqual(
    await onAir(4, '2026-11-09', '2026-11-13'),
    ['09', '10', '11', '12'].map((day) => `Morning 11-${day} 05:00-11-${day} 08:00`),
  );
  assert.deepEqual(
    await onAir(4, '2026-11-15', '2026-11-16'),
    ['Special 11-15 04:00-11-15 06:00'],
    'what was read for a day is not overruled',
  );
  assert.deepEqual((await onAir(4, '2026-11-20', '2026-12-01')).at(-1), 'Morning 11-21 05:00-11-21 08:00');
});

test('rules read again are the rules, whatever they were', async () => {
  await read(5, WEEK, { now: NOW.subtract({ hours: 48 }) });
  await extend(NOW);
  assert.match((await onAir(5, '2026-11-11', '2026-11-20')).join(), /^Morning 11-11/);
  await read(5, 'weekday,start,end,show\nmon,10:00,11:00,Only\n');
  assert.deepEqual(await onAir(5, '2026-10-20', '2026-11-20'), [
    'Only 10-26 09:00-10-26 10:00',
    'Only 11-02 09:00-11-02 10:00',
    'Only 11-09 09:00-11-09 10:00',
  ]);
});

test('a packed file, and one in another encoding', async () => {
  await read(6, gzipSync(azuracast(['Packed', '2026-10-21T06:00', '2026-10-21T07:00'])));
  await read(
    6,
    Buffer.from(
      '<?xml version="1.0" encoding="ISO-8859-2"?><tv><programme start="20261022060000" stop="20261022070000" channel="x"><title>\xb3</title></programme></tv>',
      'latin1',
    ),
  );
  assert.deepEqual(await onAir(6, '2026-10-21', '2026-10-23'), [
    'Packed 10-21 06:00-10-21 07:00',
    'ł 10-22 06:00-10-22 07:00',
  ]);
});

test('two imports of one station at once add no show twice', async () => {
  const text = azuracast(['Same', '2026-10-21T06:00', '2026-10-21T07:00']);
  await Promise.all([read(7, text), read(7, text), read(7, text)]);
  const { rows } = await database.pool.query(`SELECT count(*) FROM shows WHERE title = 'Same'`);
  assert.deepEqual(rows, [{ count: 1 }]);
});

const REFUSED: [what: string, text: string, why: RegExp, more?: Partial<ScheduleImport>][] = [
  ['no station', '[]', /there is no station s99/, { stationId: 99 }],
  ['nothing known', 'hello', /is in no known schedule format: give --format with one of xmltv, spi/],
  ['no such format', '[]', /there is no format 'teletext'/, { format: 'teletext' }],
  ['nothing in it', '[]', /nothing in the schedule can be used, so nothing was changed/],
  [
    'nothing that ends',
    '<tv><programme start="20261021060000" channel="x"><title>A</title></programme></tv>',
    /it has no end/,
  ],
  [
    'no zone',
    WEEK,
    /the zone of station s21 is unknown: give --zone, such as Europe\/Berlin/,
    { stationId: 21 },
  ],
  ['a zone that is none', WEEK, /'Europe\/Atlantis' is not a time zone/, { zone: 'Europe/Atlantis' }],
  ['an encoding nobody knows', '<?xml version="1.0" encoding="klingon"?><tv/>', /save it as UTF-8/],
  ['too much', ' '.repeat(16 * 2 ** 20 + 1), /more than 16777216 bytes/],
  [
    'a show every minute',
    `BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:A\nDTSTART:20260101T000000\nDURATION:PT1M\nRRULE:FREQ=HOURLY;BYMINUTE=${Array.from({ length: 60 }, (_, n) => n).join(',')}\nEND:VEVENT\nEND:VCALENDAR`,
    /over 20000 broadcasts in three weeks/,
  ],
  [
    'all past',
    'BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:A\nDTSTART:20200101T060000\nDURATION:PT1H\nEND:VEVENT\nEND:VCALENDAR',
    /every event of the schedule is past/,
  ],
];
for (const [what, text, why, more = {}] of REFUSED) {
  test(`refused: ${what}`, async () => {
    await assert.rejects(read(8, text, more), why);
    assert.deepEqual(await onAir(8, '2026-10-01', '2026-12-01'), []);
  });
}
