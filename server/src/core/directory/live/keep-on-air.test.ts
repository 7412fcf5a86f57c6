import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { QueryConfig } from 'pg';
import { testDatabase } from '../../../../test/database/database.ts';
import { fillCatalogue, randomCatalogue } from '../../../../test/content/random-catalogue.ts';
import type { Queryable } from '../../../storage/db/pool.ts';
import { createLog } from '../../../lib/log.ts';
import { buildSnapshot } from '../snapshot/build-snapshot.ts';
import { OnAirKeeper, openOnAirBoard } from './keep-on-air.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { addShow } from '../../../../test/database/catalogue/add-show.ts';
import { ManualClock } from '../../../../test/time/manual-clock.ts';

const STATIONS = 1200;
const database = await testDatabase();
const { pool } = database;
await fillCatalogue(pool, randomCatalogue(3, STATIONS));
const snapshot = await buildSnapshot(pool);
const ids = snapshot.stations.map(({ id }) => id).toSorted((a, b) => a - b);
const [one = 0, two = 0] = ids;
const [morning = 0, bulletin = 0, noon = 0] = await Promise.all(
  ['Morning', 'Bulletin', 'Noon'].map((title) => addShow(pool, { title })),
);
after(() => database[Symbol.asyncDispose]());

/** A database that can be away, and remembers how many stations it was asked about each time. */
class WatchedDatabase implements Queryable {
  isAway = false;
  asked: number[] = [];

  readonly query: Queryable['query'] = (config: QueryConfig) => {
    if (this.isAway) return Promise.reject(new Error('Connection terminated unexpectedly'));
    const [first] = config.values ?? [];
    if (Array.isArray(first)) this.asked.push(first.length);
    return pool.query(config);
  };
}

let db: WatchedDatabase;
let clock: ManualClock;
let keeper: OnAirKeeper;
let swap: (next: Snapshot) => void;
let logged: string[];
beforeEach(async () => {
  await pool.query('TRUNCATE broadcasts');
  db = new WatchedDatabase();
  clock = new ManualClock('2026-05-01T06:30:00Z');
  logged = [];
  const directory = {
    current: () => snapshot,
    onSwap: (listener: typeof swap) => ((swap = listener), () => undefined),
  };
  const log = createLog({ level: 'info', sink: { write: (line) => void logged.push(line) } });
  keeper = new OnAirKeeper({ db, directory, clock, log });
});

const addBroadcast = (stationId: number, showId: number, start: string, end: string): Promise<unknown> =>
  pool.query('INSERT INTO broadcasts (station_id, show_id, starts_at, ends_at) VALUES ($1, $2, $3, $4)', [
    stationId,
    showId,
    `2026-05-01T${start}Z`,
    `2026-05-01T${end}Z`,
  ]);

function heardOn(id: number, of = snapshot): string | undefined {
  const now = keeper.board.on(of);
  return now?.shows[now.placeOf.get(of.stationById.get(id)?.rank ?? -1) ?? -1]?.showTitle;
}

async function soon(isSo: () => boolean): Promise<void> {
  for (let turns = 0; !isSo(); turns += 1) {
    assert.ok(turns < 100_000, 'it does not come');
    await nextTurn();
  }
}

async function lookAt(time: string): Promise<void> {
  const at = Temporal.Instant.from(`2026-05-01T${time}Z`);
  clock.advance(clock.now().until(at));
  await keeper.look();
}

test('the show changes when its time is over, with a bulletin inside of it', async () => {
  await addBroadcast(one, morning, '06:00', '09:00');
  await addBroadcast(one, bulletin, '07:00', '07:05');
  await addBroadcast(one, noon, '12:00', '13:00');
  const heard: (string | undefined)[] = [];
  const TIMES = ['06:30', '06:59:30', '07:00', '07:04:30', '07:05', '08:59:30', '09:00', '12:00', '13:00'];
  for (const time of TIMES) {
    await lookAt(time);
    heard.push(heardOn(one));
  }
  const expected = ['Morning', 'Morning', 'Bulletin', 'Bulletin', 'Morning', 'Morning'];
  assert.deepEqual(heard, [...expected, undefined, 'Noon', undefined]);
});

test('between two looks at all only those are asked about whose show is over', async () => {
  await addBroadcast(one, morning, '06:00', '06:35');
  await addBroadcast(one, noon, '06:35', '13:00');
  await addBroadcast(two, morning, '06:00', '09:00');
  await lookAt('06:30');
  assert.deepEqual(db.asked, [2]);
  const stamp = keeper.board.on(snapshot)?.stamp;
  await lookAt('06:34:30');
  assert.deepEqual(db.asked, [2], 'nothing is asked while nothing changes');
  assert.equal(keeper.board.on(snapshot)?.stamp, stamp);
  await lookAt('06:35');
  assert.deepEqual(db.asked, [2, 1]);
  assert.equal(heardOn(one), 'Noon');
  assert.notEqual(keeper.board.on(snapshot)?.stamp, stamp);
  await lookAt('06:40');
  assert.deepEqual(db.asked, [2, 1, 2], 'all of them every ten minutes');
});

test('all stations with a schedule are found, in batches', async () => {
  await pool.query(
    `INSERT INTO broadcasts (station_id, show_id, starts_at, ends_at)
     SELECT id, $1, timestamptz '2026-05-01 06:00Z' + n * interval '1 hour', timestamptz '2026-05-01 07:00Z' + n * interval '1 hour'
     FROM stations CROSS JOIN generate_series(-3, 3) AS n`,
    [morning],
  );
  await keeper.look();
  const { rows } = await pool.query<{ count: number }>('SELECT count(*) FROM stations');
  const count = rows[0]?.count ?? 0;
  assert.ok(count >= STATIONS);
  assert.equal(keeper.board.size, count);
  assert.deepEqual(db.asked, [500, 500, count - 1000]);
  assert.equal(keeper.board.on(snapshot)?.ranks.length, snapshot.stations.length);
});

test('a schedule that is new, or gone, is seen after the swap that its saving causes', async () => {
  await addBroadcast(one, morning, '06:00', '09:00');
  await keeper.look();
  await pool.query('DELETE FROM broadcasts');
  await addBroadcast(two, noon, '06:00', '09:00');
  await lookAt('06:30:30');
  assert.deepEqual([heardOn(one), heardOn(two)], ['Morning', undefined]);
  const turned = { ...snapshot, stationById: new Map(snapshot.stationById) };
  const stationTwo = snapshot.stationById.get(two);
  assert.ok(stationTwo);
  turned.stationById.set(two, { ...stationTwo, rank: 999_999 });
  swap(turned);
  assert.equal(heardOn(one, turned), 'Morning', 'what is known is shown on the new snapshot at once');
  await lookAt('06:31');
  assert.deepEqual([heardOn(one, turned), heardOn(two, turned)], [undefined, 'Noon']);
});

test('while the database is away a show is told until it ends, and it is said once in the log', async () => {
  await addBroadcast(one, morning, '06:00', '07:00');
  await addBroadcast(two, noon, '06:00', '13:00');
  await addBroadcast(one, noon, '07:00', '13:00');
  await keeper.look();
  db.isAway = true;
  await lookAt('06:59:30');
  assert.deepEqual([heardOn(one), heardOn(two)], ['Morning', 'Noon']);
  for (const time of ['07:00', '07:00:30', '07:10']) {
    await lookAt(time);
    assert.deepEqual([heardOn(one), heardOn(two)], [undefined, 'Noon']);
  }
  assert.equal(logged.filter((line) => line.includes('shows on air could not be read')).length, 1);
  db.isAway = false;
  await lookAt('07:10:30');
  assert.deepEqual([heardOn(one), heardOn(two)], ['Noon', 'Noon']);
  db.isAway = true;
  await lookAt('13:00');
  assert.equal(keeper.board.on(snapshot), undefined, 'nothing is told for ever');
});

test('it looks by itself, a moment after each half minute, until it is disposed', async (t) => {
  await addBroadcast(one, morning, '06:00', '09:00');
  await addBroadcast(one, noon, '09:00', '13:00');
  clock.advance({ seconds: 12 });
  await keeper.look();
  t.mock.timers.enable({ apis: ['setTimeout'] });
  keeper.start();
  clock.advance({ hours: 3 });
  t.mock.timers.tick(18_249);
  await soon(() => heardOn(one) === 'Morning');
  assert.deepEqual(db.asked, [1]);
  t.mock.timers.tick(1);
  await soon(() => heardOn(one) === 'Noon');
  clock.advance({ hours: 4 });
  t.mock.timers.tick(18_250);
  await soon(() => keeper.board.size === 0);
  await keeper[Symbol.asyncDispose]();
  const { length } = db.asked;
  clock.advance({ hours: 1 });
  t.mock.timers.tick(600_000);
  await nextTurn();
  assert.equal(db.asked.length, length);
});

test('a server starts while nothing can be read, and stops while it looks', async () => {
  db.isAway = true;
  const directory = { current: () => snapshot, onSwap: () => () => undefined };
  const log = createLog({ level: 'silent' });
  const opened = await openOnAirBoard({ db, directory, clock, log });
  assert.equal(opened.board.on(snapshot), undefined);
  await opened[Symbol.asyncDispose]();
});
