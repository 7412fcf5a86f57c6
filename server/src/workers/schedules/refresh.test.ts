import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import {
  clock,
  DAILY,
  database,
  due,
  heard,
  host,
  kept,
  deps,
  onAir,
  pages,
  publishWeek,
  spi,
  tagged,
  XMLTV,
} from '../../../test/content/schedule-world.ts';
import { claimSchedules } from '../../storage/catalog/schedules/due-schedules.ts';
import { followSchedule, unfollowSchedule, refreshSchedule } from './refresh.ts';

test('SPI: a document a day, what runs over midnight is whole, days not published yet are no failure', async () => {
  publishWeek();
  const { format, broadcasts } = await followSchedule(deps(), { stationId: 1, address: `${host}${DAILY}` });
  assert.deepEqual([format, broadcasts], ['spi', 3]);
  assert.deepEqual(await onAir(1), [
    'Day 20 06:00-20 22:00',
    'Night 20 22:00-21 02:00',
    'Early 21 02:00-21 22:00',
  ]);
  assert.deepEqual(
    heard,
    ['20', '21', '22', '23'].map((day) => `/spi/202610${day}_PI.xml`),
  );
});

test('a second reading is answered by 304 and writes no broadcast', async () => {
  publishWeek();
  await followSchedule(deps(), { stationId: 2, address: `${host}${DAILY}` });
  const marked = await database.pool.query(
    'SELECT xmin FROM broadcasts WHERE station_id = 2 ORDER BY starts_at',
  );
  heard.length = 0;
  assert.equal(await refreshSchedule(deps(), await due(2)), 'same');
  assert.deepEqual(heard.slice(0, 2), ['/spi/20261020_PI.xml "a"', '/spi/20261021_PI.xml "b"']);
  const again = await database.pool.query(
    'SELECT xmin FROM broadcasts WHERE station_id = 2 ORDER BY starts_at',
  );
  assert.deepEqual(again.rows, marked.rows);
});

test('a server that has nothing new is asked again before what is known runs out', async () => {
  pages.set('/week', tagged('"w"', XMLTV, { 'cache-control': 'max-age=86400' }));
  await followSchedule(deps(), { stationId: 46, address: `${host}/week` });
  assert.equal((await kept(46))?.interval_seconds, 9.5 * 3600, 'of the nineteen hours to seven o’clock');
  clock.advance({ hours: 9 });
  assert.equal(await refreshSchedule(deps(), await due(46)), 'same');
  clock.advance({ hours: -9 });
  assert.equal((await kept(46))?.interval_seconds, 5 * 3600, 'of ten');
});

test('rules go on by themselves, and are no reason to ask sooner', async () => {
  pages.set('/table', tagged('"t"', CSV));
  await followSchedule(deps(), { stationId: 47, address: `${host}/table` });
  assert.equal(await refreshSchedule(deps(), await due(47)), 'same');
  assert.equal((await kept(47))?.interval_seconds, 4.5 * 3600);
});

test('when one day changes, all are settled together again: what it runs into is not lost', async () => {
  publishWeek();
  await followSchedule(deps(), { stationId: 3, address: `${host}${DAILY}` });
  const longer = spi('2026-10-20', ['Day', '06:00', 'PT15H'], ['Night', '21:00', 'PT9H']);
  pages.set('/spi/20261020_PI.xml', tagged('"c"', longer));
  assert.equal(await refreshSchedule(deps(), await due(3)), 'new');
  assert.deepEqual(await onAir(3), [
    'Day 20 06:00-20 21:00',
    'Night 20 21:00-21 02:00',
    'Early 21 02:00-21 22:00',
  ]);
});

test('the day after, what began before midnight still ends where it did', async () => {
  publishWeek();
  await followSchedule(deps(), { stationId: 4, address: `${host}${DAILY}` });
  clock.advance({ hours: 24 });
  pages.delete('/spi/20261020_PI.xml');
  pages.set('/spi/20261022_PI.xml', tagged('"d"', spi('2026-10-22', ['New', '06:00', 'PT1H'])));
  assert.equal(await refreshSchedule(deps(), await due(4)), 'new');
  clock.advance({ hours: -24 });
  assert.deepEqual(await onAir(4), [
    'Day 20 06:00-20 22:00',
    'Night 20 22:00-21 02:00',
    'Early 21 02:00-21 22:00',
    'New 22 06:00-22 07:00',
  ]);
});

const ICS =
  'BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nSUMMARY:A\nDTSTART;TZID=Europe/Berlin:20261021T060000\nDTEND;TZID=Europe/Berlin:20261021T070000\nEND:VEVENT\nEND:VCALENDAR';
const seconds = (iso: string): number => Temporal.Instant.from(iso).epochMilliseconds / 1000;
const AZURACAST = JSON.stringify([
  {
    title: 'A',
    start_timestamp: seconds('2026-10-21T06:00+02:00'),
    end_timestamp: seconds('2026-10-21T07:00+02:00'),
  },
]);
const show = (key: 'name' | 'title', times: Record<string, string>) => [{ [key]: 'A', ...times }];
const LIBRETIME = JSON.stringify({
  monday: [],
  wednesday: show('name', { starts: '2026-10-21 06:00:00', ends: '2026-10-21 07:00:00' }),
});
const SPINITRON = JSON.stringify({
  items: show('title', { start: '2026-10-21T04:00:00+0000', end: '2026-10-21T05:00:00+0000' }),
});
const CSV = 'weekday,start,end,show\nwed,06:00,07:00,A\n';

for (const [index, [format, text]] of Object.entries({
  xmltv: XMLTV,
  ics: ICS,
  azuracast: AZURACAST,
  libretime: LIBRETIME,
  spinitron: SPINITRON,
  csv: CSV,
}).entries()) {
  test(`${format} is read from an address, packed or not, and told by its content`, async () => {
    const stationId = 10 + index;
    pages.set('/schedule', (_request, response) => response.end(index % 2 === 0 ? text : gzipSync(text)));
    const followed = await followSchedule(deps(), { stationId, address: `${host}/schedule` });
    assert.equal(followed.format, format);
    assert.equal((await onAir(stationId))[0], 'A 21 06:00-21 07:00');
    assert.equal(
      await refreshSchedule(deps(), await due(stationId)),
      'same',
      'without an etag the digest tells',
    );
  });
}

test('a schedule that moved for good is read where it is', async () => {
  pages.set('/old', (_request, response) => response.writeHead(301, { location: '/new' }).end());
  pages.set('/new', tagged('"1"', XMLTV));
  await followSchedule(deps(), { stationId: 41, address: `${host}/old` });
  assert.equal((await kept(41))?.address, `${host}/new`);
});

const follow = (address: string, format?: string): ReturnType<typeof followSchedule> =>
  followSchedule(deps(), { stationId: 42, address, format });

test('an address that cannot be read is not kept, nor one that must not be asked', async () => {
  await assert.rejects(follow(`${host}/nothing`), /answered 404: there is no schedule at this address/);
  await assert.rejects(follow('http://10.1.2.3/x'), /is not read: the address is not on the public internet/);
  await assert.rejects(follow('ftp://a.radio-haven.net/x'), /ftp: is neither http: nor https:/);
  await assert.rejects(follow('https://a:b@radio-haven.net/x'), /contains a user name or password/);
  await assert.rejects(follow(`${host}/x`, 'teletext'), /there is no format 'teletext'/);
  await assert.rejects(
    followSchedule(deps(), { stationId: 999, address: `${host}/x` }),
    /there is no station s999/,
  );
  assert.equal(await kept(42), undefined);
  assert.deepEqual(heard, ['/nothing']);
});

test('what two claim at once is given to one of them, and again when its lease is over', async () => {
  await database.pool.query(`UPDATE schedule_addresses SET next_due_at = now() - interval '1 minute'`);
  const { rows } = await database.pool.query<{ count: number }>('SELECT count(*) FROM schedule_addresses');
  const all = rows[0]?.count ?? 0;
  const claims = await Promise.all(Array.from({ length: 8 }, () => claimSchedules(database.pool, 5, 600)));
  const ids = claims.flat().map(({ stationId }) => stationId);
  assert.equal(new Set(ids).size, ids.length, 'none twice');
  assert.ok(all > 10 && ids.length <= all && ids.length > 5, `${ids.length} of ${all}`);
  const left = await claimSchedules(database.pool, 1000, 600);
  assert.equal(ids.length + left.length, all);
  assert.deepEqual(await claimSchedules(database.pool, 1000, 600), []);
  await database.pool.query(
    `UPDATE schedule_addresses SET next_due_at = next_due_at - interval '601 seconds'`,
  );
  assert.equal(
    (await claimSchedules(database.pool, 1000, 600)).length,
    all,
    'a worker that died lets go of them',
  );
});

test('an address that the operator changes while it is read keeps its own state', async () => {
  pages.set('/one', tagged('"1"', XMLTV));
  pages.set('/two', tagged('"2"', XMLTV));
  await followSchedule(deps(), { stationId: 43, address: `${host}/one` });
  const row = await due(43);
  await followSchedule(deps(), { stationId: 43, address: `${host}/two` });
  pages.delete('/one');
  assert.equal(await refreshSchedule(deps(), row), 'failed');
  const { address, failures } = (await kept(43)) ?? {};
  assert.deepEqual([address, failures], [`${host}/two`, 0]);
});

test('a stop in the middle of a reading is no failure of the address', async () => {
  pages.set('/slow', tagged('"1"', XMLTV));
  await followSchedule(deps(), { stationId: 44, address: `${host}/slow` });
  const stop = new AbortController();
  pages.set('/slow', () => stop.abort(new Error('the worker is stopping')));
  await assert.rejects(refreshSchedule(deps(), await due(44), stop.signal), /the worker is stopping/);
  assert.equal((await kept(44))?.failures, 0);
});

test('forgotten: it is read no more, and its rules do not go on', async () => {
  pages.set('/csv', (_request, response) => response.end(CSV));
  await followSchedule(deps(), { stationId: 45, address: `${host}/csv` });
  const known = await onAir(45);
  assert.equal(await unfollowSchedule(database.pool, 45), true);
  assert.equal(await unfollowSchedule(database.pool, 45), false);
  assert.deepEqual(await onAir(45), known);
  const { rows } = await database.pool.query(
    `SELECT (SELECT count(*) FROM schedule_addresses WHERE station_id = 45) AS addresses,
       (SELECT count(*) FROM schedule_rules WHERE station_id = 45) AS rules, rules_until
     FROM schedules WHERE station_id = 45`,
  );
  assert.deepEqual(rows, [{ addresses: 0, rules: 0, rules_until: null }]);
});
