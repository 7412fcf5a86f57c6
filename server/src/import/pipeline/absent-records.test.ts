import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { guideIds } from '../../../test/database/catalogue/catalogue-state.ts';
import { testDatabase, type TestDatabase } from '../../../test/database/database.ts';
import { addSmallWorld, type Said, sourceItems } from '../../../test/content/station-records.ts';
import { buildSnapshot } from '../../core/directory/snapshot/build-snapshot.ts';
import { type AbsenceRules, importStations } from './import-stations.ts';
import { type ImportSummary, writeSummary } from './import-summary.ts';
import { ManualClock } from '../../../test/time/manual-clock.ts';
import { setStreamListed } from '../../../test/database/catalogue/edit-catalogue.ts';

let database: TestDatabase;
let clock: ManualClock;
before(async () => {
  database = await testDatabase();
  await addSmallWorld(database.pool);
});
after(() => database[Symbol.asyncDispose]());
beforeEach(async () => {
  clock = new ManualClock('2026-03-01T00:00:00Z');
  await database.pool.query('TRUNCATE stations, streams, station_records, aliases, images CASCADE');
});

interface Options {
  brokenOff?: boolean;
  absence?: Partial<AbsenceRules>;
}

const run = (
  records: readonly Said[],
  { brokenOff = false, absence = {} }: Options = {},
): Promise<ImportSummary> =>
  importStations({
    pool: database.pool,
    source: 'test',
    items: sourceItems(records, { brokenOff }),
    clock,
    absence,
    maxWaitMs: 240_000,
  });

const [A, B, C] = [{ record: 'a' }, { record: 'b' }, { record: 'c' }];

async function listed(): Promise<string[]> {
  const { rows } = await database.pool.query<{ address: string }>(
    'SELECT address FROM streams WHERE listed ORDER BY address',
  );
  return rows.map(({ address }) => address.replace('http://stream.radio-haven.net/', ''));
}

const stationsShown = async (): Promise<string[]> =>
  [...(await buildSnapshot(database.pool)).stations.values()].map(({ name }) => name).toSorted();

async function absent(): Promise<unknown[]> {
  const { rows } = await database.pool.query(
    'SELECT record, withdrawn_at IS NOT NULL AS withdrawn FROM absent_records ORDER BY record',
  );
  return rows;
}

/** Heard so many days before the clock's time, by a probe. */
const hear = (record: string, days: number): Promise<unknown> =>
  database.pool.query(
    `INSERT INTO stream_checks (stream_id, host, next_due_at, alive_at)
     SELECT stream_id, '', now(), $2 FROM station_records WHERE record = $1
     ON CONFLICT (stream_id) DO UPDATE SET alive_at = excluded.alive_at`,
    [
      record,
      clock
        .now()
        .subtract({ hours: 24 * days })
        .toString(),
    ],
  );

test('what its source has lacked for thirty days is withdrawn, and listed again when it comes back', async () => {
  await run([A, B, C]);
  const ids = await guideIds(database.pool);
  const noted = await run([A, B]);
  assert.deepEqual([noted.absent, noted.withdrawn], [1, 0]);
  clock.advance({ hours: 24 * 30 - 1 });
  assert.equal((await run([A, B])).withdrawn, 0);
  assert.deepEqual(await listed(), ['a', 'b', 'c']);

  clock.advance({ hours: 1 });
  const summary = await run([A, B]);
  assert.deepEqual([summary.absent, summary.withdrawn, summary.streamsUnlisted], [0, 1, 1]);
  assert.match(writeSummary(summary), /\n {2}1 withdrawn after a long absence: 1 streams unlisted$/);
  assert.deepEqual(await listed(), ['a', 'b']);
  assert.deepEqual(await stationsShown(), ['Harbour a', 'Harbour b']);
  assert.deepEqual(await guideIds(database.pool), ids);
  assert.equal((await run([A, B])).withdrawn, 0);

  const back = await run([A, B, C]);
  assert.deepEqual([back.returned, back.added, back.unchanged], [1, 0, 2]);
  assert.match(writeSummary(back), /\n {2}1 there again after an absence$/);
  assert.deepEqual(await listed(), ['a', 'b', 'c']);
  assert.deepEqual(await stationsShown(), ['Harbour a', 'Harbour b', 'Harbour c']);
  assert.deepEqual(await absent(), []);
  assert.deepEqual(await guideIds(database.pool), ids);
});

test('a short absence is forgotten and counts from the start when it is repeated', async () => {
  await run([A, B]);
  await run([A]);
  clock.advance({ hours: 24 * 20 });
  assert.equal((await run([A, B])).returned, 1);
  await run([A]);
  clock.advance({ hours: 24 * 20 });
  assert.equal((await run([A])).withdrawn, 0);
  assert.deepEqual(await absent(), [{ record: 'b', withdrawn: false }]);
});

test('a stream that is heard stays until it has been silent as long', async () => {
  await run([A, B]);
  await run([A]);
  clock.advance({ hours: 24 * 40 });
  await hear('b', 3);
  assert.equal((await run([A])).withdrawn, 0);
  clock.advance({ hours: 24 * 27 });
  assert.equal((await run([A])).withdrawn, 1);
  assert.deepEqual(await listed(), ['a']);
});

test('a stream that another record names stays, also when another record of its station changes', async () => {
  const shared = { name: 'Harbour', address: 'http://stream.radio-haven.net/shared' };
  const [one, two] = [
    { record: 'one', ...shared },
    { record: 'two', ...shared },
  ];
  const third = { record: 'three', name: 'Harbour' };
  await run([one, two, third]);
  await run([one]);
  clock.advance({ hours: 24 * 31 });
  const summary = await run([one]);
  assert.deepEqual([summary.withdrawn, summary.streamsUnlisted], [2, 1]);
  assert.deepEqual(await listed(), ['shared']);
  await run([{ ...one, votes: 9 }]);
  assert.deepEqual(await listed(), ['shared']);
  assert.deepEqual(await stationsShown(), ['Harbour']);
});

test('what an operator set by hand stays as it is', async () => {
  await run([A, B, C]);
  const { rows } = await database.pool.query<{ record: string; stream_id: number }>(
    'SELECT record, stream_id FROM station_records',
  );
  const stream = new Map(rows.map(({ record, stream_id }) => [record, stream_id]));
  await setStreamListed(database.pool, stream.get('b') ?? 0, true);
  await setStreamListed(database.pool, stream.get('c') ?? 0, false);
  await run([A]);
  clock.advance({ hours: 24 * 31 });
  const summary = await run([A]);
  assert.deepEqual([summary.withdrawn, summary.streamsUnlisted], [2, 0]);
  assert.deepEqual(await listed(), ['a', 'b']);
  await run([A, B, C]);
  assert.deepEqual(await listed(), ['a', 'b']);
});

test('a run that broke off, or that had no record at all, says nothing about what is missing', async () => {
  await run([A, B]);
  await assert.rejects(run([A], { brokenOff: true }), /ends in the middle/);
  assert.deepEqual((await run([])).held, { known: 2, lost: 2, isEmpty: true });
  assert.deepEqual(await absent(), []);
  assert.equal((await run([], { absence: { acceptDrop: true } })).absent, 2);
});

const records = (from: number, to: number): Said[] =>
  Array.from({ length: to - from }, (_item, index) => ({ record: `r${from + index}` }));

test('a source that lost more than five in a hundred, and over twenty, is not believed until it is accepted', async () => {
  await run(records(0, 500));
  await run(records(1, 500));
  clock.advance({ hours: 24 * 31 });
  const held = await run(records(30, 500));
  assert.deepEqual(held.held, { known: 499, lost: 29, isEmpty: false });
  assert.match(
    writeSummary(held),
    /\n {2}29 of 499 earlier records are not in it, so none of them counts as gone: run it again with --accept-drop/,
  );
  // Not even the one that has been due before.
  assert.deepEqual([held.withdrawn, await absent()], [0, [{ record: 'r0', withdrawn: false }]]);

  assert.equal((await run(records(30, 500), { absence: { maxDropPercent: 6 } })).held, undefined);
  assert.equal((await absent()).length, 30);
  assert.equal((await run(records(55, 500))).held?.lost, 25);
  assert.equal((await run(records(53, 500))).absent, 23);
  const accepted = await run(records(300, 500), { absence: { acceptDrop: true } });
  assert.deepEqual([accepted.held, accepted.absent], [undefined, 247]);
});

test('a small source may lose twenty, and what was held is noted when it is back to normal', async () => {
  await run(records(0, 40));
  assert.equal((await run(records(21, 40))).held?.lost, 21);
  assert.equal((await run(records(20, 40))).absent, 20);
  assert.equal((await run(records(0, 40))).returned, 20);
});

test('one source says nothing about the records of another', async () => {
  await run([A, { ...B, source: 'test' }]);
  await run([{ ...C, source: 'other' }]);
  assert.deepEqual(await absent(), []);
});
