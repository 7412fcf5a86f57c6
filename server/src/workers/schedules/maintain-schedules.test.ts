import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../test/database/database.ts';
import { createLog } from '../../lib/log.ts';
import { saveSchedule } from '../../core/on-air/save-schedule.ts';
import { maintainSchedules } from './maintain-schedules.ts';
import { ManualClock } from '../../../test/time/manual-clock.ts';

const clock = new ManualClock('2026-10-20T10:00:00Z');
const logged: string[] = [];
const log = createLog({ level: 'warn', sink: { write: (line) => logged.push(line) } });
const WEEK = 'weekday,start,end,show\ndaily,06:00,09:00,Morning\nsun,20:00,21:00,Late\n';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
  await database.pool.query(
    `INSERT INTO stations (id, name, name_key, zone) SELECT n, 'Test FM', 'test fm', 'Europe/Berlin' FROM generate_series(1, 40) n`,
  );
});
after(() => database[Symbol.asyncDispose]());

const save = (stationId: number) =>
  saveSchedule({ pool: database.pool, stationId, texts: [WEEK], now: clock.now() });
const goOn = (signal?: AbortSignal) => maintainSchedules({ pool: database.pool, clock, log }, signal);

async function count(where: string): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    `SELECT count(*) FROM broadcasts WHERE ${where}`,
  );
  return rows[0]?.count ?? 0;
}

test('one rule that cannot be read is left out and told; the others of its station and of all others go on', async () => {
  for (const stationId of [1, 2, 3]) await save(stationId);
  await database.pool
    .query(`UPDATE schedule_rules SET zone = 'Europe/Atlantis' WHERE station_id = 1 AND position = 2;
    UPDATE schedule_rules SET starts = '2026-99-99T99:99' WHERE station_id = 2 AND position = 2;
    UPDATE schedule_rules SET recurrence = 'FREQ=SOMETIMES' WHERE station_id = 3 AND position = 2`);
  const known = await count('station_id <= 3');
  clock.advance({ hours: 24 * 7 });
  assert.equal((await goOn()).stations, 3);
  // Of each station one more week of the daily show, and none of the Sunday one.
  assert.equal((await count('station_id <= 3')) - known, 3 * 7);
  const stations = logged.map((line) => /"station":"(s\d)"/.exec(line)?.[1]);
  assert.deepEqual(new Set(stations), new Set(['s1', 's2', 's3']));
  assert.equal(stations.length, 3);
  assert.match(logged[0] ?? '', /left out; import the schedule again/);
  assert.equal((await goOn()).stations, 0, 'and they are not in the way');
});

test('a station that fails whole does not stop the others, loses nothing, and is tried again', async () => {
  for (const stationId of [4, 5, 6]) await save(stationId);
  const minutes = Array.from({ length: 60 }, (_, n) => n).join(',');
  await database.pool.query(
    `UPDATE schedule_rules SET recurrence = 'FREQ=HOURLY;BYMINUTE=${minutes}' WHERE station_id = 5 AND position = 1`,
  );
  clock.advance({ hours: 24 * 12 });
  logged.length = 0;
  assert.equal((await goOn()).stations, 3 + 2, 'those of the test before, and two of these');
  assert.match(logged.join(''), /"station":"s5"/);
  await database.pool.query(
    `UPDATE schedule_rules SET recurrence = 'FREQ=DAILY' WHERE station_id = 5 AND position = 1`,
  );
  assert.equal((await goOn()).stations, 1);
  const [good, mended] = [await count('station_id = 4'), await count('station_id = 5')];
  assert.equal(good, mended, 'without a hole');
});

test('many run at once: each station is extended once', async () => {
  for (let stationId = 10; stationId < 40; stationId += 1) await save(stationId);
  clock.advance({ hours: 48 });
  const runs = await Promise.all(Array.from({ length: 6 }, () => goOn()));
  assert.equal(
    runs.reduce((sum, { stations }) => sum + stations, 0),
    36,
  );
  const { rows } = await database.pool.query(
    `SELECT DISTINCT count(*) FROM broadcasts WHERE station_id >= 10 GROUP BY station_id`,
  );
  assert.equal(rows.length, 1, 'all have the same');
});

test('what was on air over forty days ago goes, and nothing else', async () => {
  await database.pool.query(
    `INSERT INTO broadcasts (station_id, starts_at, ends_at, show_id)
     SELECT s, t, t + interval '1 hour', (SELECT min(id) FROM shows)
     FROM generate_series(10, 12) s, generate_series($1::timestamptz - interval '60 days', $1::timestamptz - interval '35 days', interval '1 hour') t`,
    [clock.now().toString()],
  );
  const isOld = `starts_at < timestamptz '${clock.now().toString()}' - interval '40 days'`;
  const [old, young] = [await count(isOld), await count(`NOT ${isOld}`)];
  assert.equal(old, 3 * 20 * 24);
  const runs = await Promise.all([goOn(), goOn()]);
  assert.equal(runs[0].pruned + runs[1].pruned, old);
  assert.deepEqual([await count(isOld), await count(`NOT ${isOld}`)], [0, young]);
});

test('told to stop, it takes nothing new', async () => {
  clock.advance({ hours: 48 });
  assert.equal((await goOn(AbortSignal.abort())).stations, 0);
  assert.equal((await goOn()).stations, 36);
});

test('what is there for a day already stays, and no rule lies over it', async () => {
  await save(7);
  const { rows } = await database.pool.query<{ last: Temporal.Instant }>(
    'SELECT max(starts_at) AS last FROM broadcasts WHERE station_id = 7',
  );
  const special = (rows[0]?.last ?? assert.fail()).add({ hours: 49 });
  await database.pool.query(
    `INSERT INTO broadcasts (station_id, starts_at, ends_at, show_id)
     SELECT 7, $1::timestamptz - interval '3 hours', $1::timestamptz + interval '3 hours', show_id FROM broadcasts
     WHERE station_id = 7 LIMIT 1`,
    [special.toString()],
  );
  clock.advance({ hours: 24 * 7 });
  await goOn();
  const over = await database.pool.query(
    `SELECT one.starts_at FROM broadcasts AS one JOIN broadcasts AS other
       ON other.station_id = 7 AND one.starts_at < other.ends_at AND other.starts_at < one.ends_at
       AND one.starts_at <> other.starts_at WHERE one.station_id = 7`,
  );
  assert.deepEqual(over.rows, []);
  assert.ok((await count(`station_id = 7 AND starts_at > '${special.toString()}'`)) > 2, 'the rules went on');
});
