import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../test/database/database.ts';
import { makeSmallWorld } from '../../../test/content/small-world.ts';
import { importStations } from '../pipeline/import-stations.ts';
import { type ImportSummary, writeSummary } from '../pipeline/import-summary.ts';
import type { StationRecord } from '../pipeline/record.ts';
import { hideStation, openHand, unhideStation, type WithHand } from './hand.ts';
import { revertChange } from './revert.ts';
import { applyTakedown, liftTakedown, matchTakedown, MAX_LINES, parseTakedownList } from './takedown.ts';

let database: TestDatabase;
let withHand: WithHand;
before(async () => {
  database = await testDatabase();
  await makeSmallWorld(database.pool);
  withHand = openHand(database.pool);
});
after(() => database[Symbol.asyncDispose]());

type Said = Partial<StationRecord> & { record: string; name: string };

async function run(records: Said[], source = 'test'): Promise<ImportSummary> {
  async function* items() {
    for (const { record, ...more } of records) {
      const address = `http://stream.radio-haven.net/${record}`;
      const rest = { languages: ['en'], tags: [], bitrateKbps: 128, hls: false, votes: 1, clicks: 0 };
      yield { record: { source, record, address, countryCode: 'IE', ...rest, ...more } };
    }
  }
  return importStations({ pool: database.pool, source, items: items(), maxWaitMs: 240_000 });
}

const RECORDS: Said[] = [
  { record: 'a', name: 'Harbour Folk', homepage: 'http://www.folk-haven.net/' },
  { record: 'b', name: 'Harbour Jazz' },
  { record: 'c', name: 'Harbour Jazz', countryCode: 'AT' },
  { record: 'd', name: 'Harbour Rock' },
];

beforeEach(async () => {
  await database.pool.query('TRUNCATE stations, takedowns RESTART IDENTITY CASCADE');
  await run(RECORDS);
});

const ann = { who: 'ann', why: 'a letter' };
const takeDown = (...lines: string[]): Promise<number> =>
  withHand(ann, async (hand) => {
    const matched = await matchTakedown(hand.client, parseTakedownList(lines.join('\n')));
    return (await applyTakedown(hand, matched)).id;
  });
const lift = (id: number): Promise<number> => withHand(ann, (hand) => liftTakedown(hand, id));
const hidden = async (): Promise<number[]> => {
  const { rows } = await database.pool.query<{ id: number }>(
    "SELECT id FROM stations WHERE NOT listed AND 'listed' = ANY (pinned) ORDER BY id",
  );
  return rows.map(({ id }) => id);
};
const meant = async (line: string): Promise<number[]> => {
  const [matched] = await matchTakedown(database.pool, parseTakedownList(line));
  return matched?.stations.map(({ id }) => id) ?? [];
};

test('a line means stations by name, by name in one country, by stream and by homepage', async () => {
  assert.deepEqual(await meant('HARBOUR  folk'), [1]);
  assert.deepEqual(await meant('Harbour Jazz'), [2, 3]);
  assert.deepEqual(await meant('Harbour Jazz | Austria'), [3]);
  assert.deepEqual(await meant('https://stream.radio-haven.net/d'), [4]);
  assert.deepEqual(await meant('stream.radio-haven.net/d'), [4]);
  assert.deepEqual(await meant('https://folk-haven.net'), [1]);
  assert.deepEqual(await meant('https://folk-haven.net/other'), []);
  assert.deepEqual(await meant('Harbour'), []);
});

test('a list is read with comments, and refused with what is wrong', () => {
  assert.deepEqual(
    parseTakedownList('# a letter\r\n\r\nHarbour Folk\n  #x\n http://a.example.net/ ').map(
      ({ number }) => number,
    ),
    [3, 5],
  );
  assert.throws(() => parseTakedownList('# nothing'), /names nothing; write a name/);
  assert.throws(() => parseTakedownList('a\n'.repeat(MAX_LINES + 1)), /over 10000; split it/);
  assert.throws(() => parseTakedownList('x\nHarbour | Atlantis'), /line 2: 'Atlantis' is no country/);
});

test('what is taken down stays so through imports, whatever record or source brings it', async () => {
  const id = await takeDown(
    'Harbour Jazz | IE',
    'http://stream.radio-haven.net/d',
    'Harbour Soul',
    'http://new-haven.net/',
  );
  assert.deepEqual(await hidden(), [2, 4]);
  const summary = await run(
    [
      {
        record: 'b',
        name: 'Harbour Jazz',
        homepage: 'http://elsewhere-haven.net/',
        address: 'http://x.radio-haven.net/1',
      },
      { record: 'e', name: 'Harbour Jazz', homepage: 'http://third-haven.net/' },
      { record: 'f', name: 'Harbour Soul', countryCode: 'AT' },
      { record: 'g', name: 'Harbour Page', homepage: 'http://new-haven.net' },
      { record: 'h', name: 'Harbour Waltz', countryCode: 'AT' },
    ],
    'other',
  );
  const { rows } = await database.pool.query<{ name: string; listed: boolean }>(
    "SELECT s.name || ' ' || c.code AS name, listed FROM stations s JOIN countries c ON c.id = country_id ORDER BY s.id",
  );
  const listed = rows.filter((row) => row.listed).map(({ name }) => name);
  assert.deepEqual(listed, ['Harbour Folk IE', 'Harbour Jazz AT', 'Harbour Waltz AT']);
  assert.match(writeSummary(summary), /\n\d new stations or streams came in hidden: they are taken down/);
  assert.ok((await lift(id)) >= 5);
  assert.deepEqual(await hidden(), []);
  await assert.rejects(lift(id), /lifted already, by ann/);
  await run([{ record: 'i', name: 'Harbour Soul', countryCode: 'IE' }], 'third');
  assert.deepEqual(await hidden(), [], 'what is lifted hides nothing');
});

test('a stream that is taken down does not come in through a station that is there', async () => {
  const id = await takeDown('http://stream.radio-haven.net/z');
  await run([{ record: 'z', name: 'Harbour Folk' }]);
  const streams = 'SELECT listed FROM streams WHERE station_id = 1 ORDER BY id';
  assert.deepEqual((await database.pool.query(streams)).rows, [{ listed: true }, { listed: false }]);
  await run([{ record: 'z', name: 'Harbour Folk', votes: 9 }]);
  assert.deepEqual((await database.pool.query(streams)).rows, [{ listed: true }, { listed: false }]);
  await lift(id);
  assert.deepEqual((await database.pool.query(streams)).rows, [{ listed: true }, { listed: true }]);
});

test('a station that two takedowns or a person hide shows only when all are undone', async () => {
  const byHand = await withHand(ann, (hand) => hideStation(hand, 1));
  const [one, two] = [await takeDown('Harbour Folk', 'Harbour Rock'), await takeDown('Harbour Folk')];
  await lift(one);
  assert.deepEqual(await hidden(), [1]);
  await assert.rejects(
    withHand(ann, (hand) => revertChange(hand, byHand)),
    new RegExp(`in the way; undo it first: longwave takedown lift ${two}`),
  );
  await lift(two);
  assert.deepEqual(await hidden(), [1]);
  await withHand(ann, (hand) => revertChange(hand, byHand));
  assert.deepEqual(await hidden(), []);
});

test('one station of a takedown can be shown again, and lifting leaves it so', async () => {
  const id = await takeDown('Harbour Folk', 'Harbour Rock');
  await withHand(ann, (hand) => unhideStation(hand, 1));
  await run(RECORDS.map((said) => ({ ...said, votes: 5 })));
  assert.deepEqual(await hidden(), [4]);
  await lift(id);
  assert.deepEqual(await hidden(), []);
  await assert.rejects(lift(4711), /there is no takedown 4711/);
});
