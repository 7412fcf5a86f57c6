import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as fc from 'fast-check';
import { type TestDatabase, testDatabase } from '../../../test/database/database.ts';
import { type ModelChange, OperatorModel, type ModelStation } from '../../../test/content/operator-model.ts';
import { makeSmallWorld } from '../../../test/content/small-world.ts';
import { pinned } from '../../storage/catalog/stations/station-fields.ts';
import { importStations } from '../pipeline/import-stations.ts';
import { type Hand, hideStation, openHand, setFields, unhideStation, type WithHand } from './hand.ts';
import { mergeStations, splitStation } from './regroup.ts';
import { revertChange } from './revert.ts';

const SEQUENCES = Number(process.env['OPERATOR_SEQUENCES'] ?? 60);

let database: TestDatabase;
let withHand: WithHand;
before(async () => {
  database = await testDatabase();
  await makeSmallWorld(database.pool);
  withHand = openHand(database.pool);
});
after(() => database[Symbol.asyncDispose]());

/** Four stations of two streams each; the second record calls its station otherwise than the first. */
const WORDS = ['Alpha', 'Beta', 'Gamma', 'Delta'];
const namesOf = (world: number): string[] =>
  WORDS.flatMap((word) => [`World ${world} ${word}`, `World ${world} ${word} (64 kbps)`]);

async function importWorlds(worlds: readonly number[], votes: number): Promise<void> {
  async function* items() {
    for (const world of worlds) {
      for (const [index, name] of namesOf(world).entries()) {
        const record = `${world}-${index}`;
        const address = `http://stream.radio-haven.net/${record}`;
        const rest = { languages: [], tags: [], bitrateKbps: 0, hls: false, clicks: 0, votes };
        yield { record: { source: 'model', record, name, address, countryCode: 'IE', ...rest } };
      }
    }
  }
  await importStations({ pool: database.pool, source: 'model', items: items(), maxWaitMs: 240_000 });
}

const WORLDS_AT_ONCE = 50;
let made = 0;
const models = new Map<number, OperatorModel>();

/** A world that no sequence has touched. */
async function freshWorld(): Promise<OperatorModel> {
  const world = models.size;
  if (world >= made) {
    const next = Array.from({ length: WORLDS_AT_ONCE }, (_none, index) => made + index);
    await importWorlds(next, 1);
    made += WORLDS_AT_ONCE;
  }
  const { rows } = await database.pool.query<{
    id: number;
    station_id: number;
    name: string;
    ordinal: number;
  }>(
    `SELECT t.id, t.station_id, r.facts ->> 'name' AS name, r.ordinal
     FROM station_records r JOIN streams t ON t.id = r.stream_id WHERE r.record ~ $1 ORDER BY r.ordinal`,
    [`^${world}-`],
  );
  const model = new OperatorModel(
    rows.map(({ id, station_id: station, name, ordinal }) => ({ id, station, name, ordinal })),
  );
  models.set(world, model);
  return model;
}

interface Step {
  does: 'name' | 'slogan' | 'hide' | 'unhide' | 'merge' | 'split' | 'revert';
  /** Which of the stations there are, the streams of one, the changes. */
  one: number;
  other: number;
  value: number;
}

const steps = fc.array(
  fc.record<Step>({
    does: fc.constantFrom(
      'name',
      'slogan',
      'hide',
      'unhide',
      'merge',
      'merge',
      'split',
      'split',
      'revert',
      'revert',
      'revert',
    ),
    one: fc.nat(7),
    other: fc.nat(7),
    value: fc.nat(3),
  }),
  { minLength: 4, maxLength: 16, size: 'max' },
);

const author = { who: 'model' };

interface Made {
  id: number;
  part?: number;
}

/** The same steps in the database; nothing where all is so already. */
const ACTS: Record<
  Step['does'],
  (hand: Hand, model: OperatorModel, step: Step) => Promise<Made | undefined>
> = {
  name: (hand, model, step) => set(hand, model, step, 'name'),
  slogan: (hand, model, step) => set(hand, model, step, 'slogan'),
  hide: async (hand, model, { one }) => ({ id: await hideStation(hand, model.stationAt(one).id) }),
  unhide: async (hand, model, { one }) => ({ id: await unhideStation(hand, model.stationAt(one).id) }),
  merge: async (hand, model, { one, other }) => ({
    id: await mergeStations(hand, model.stationAt(one).id, model.stationAt(other).id),
  }),
  split: async (hand, model, step) => {
    const station = model.stationAt(step.one);
    const { change, newStation } = await splitStation(hand, station.id, streamsMeant(model, station, step));
    return { id: change, part: newStation };
  },
  revert: async (hand, model, step) => {
    const id = changeMeant(model, step)?.id ?? 0;
    await revertChange(hand, id);
    return { id };
  },
};

async function set(
  hand: Hand,
  model: OperatorModel,
  step: Step,
  field: 'name' | 'slogan',
): Promise<Made | undefined> {
  const fields = { [field]: pinned(`Value ${step.value}`) };
  const id = await setFields(hand, model.stationAt(step.one).id, fields);
  return id === undefined ? undefined : { id };
}

/** Undefined where it was refused, or changed nothing. */
async function perform(model: OperatorModel, step: Step): Promise<Made | undefined> {
  try {
    return await withHand(author, (hand) => ACTS[step.does](hand, model, step));
  } catch (error) {
    assert.ok(error instanceof Error && REFUSED.test(error.message), String(error));
    return undefined;
  }
}

/** What is refused on purpose; anything else is a fault. */
const REFUSED =
  /^(?:s\d+ is (?:part of|hidden|not hidden)|give (?:two stations|the streams)|these are all|s\d+ has no stream|there is no change|change \d+ )/;

const streamsMeant = (model: OperatorModel, one: ModelStation, { other, value }: Step): number[] => [
  ...model.streamsOf(one.id).filter((_id, index) => (other >> index) % 2 === 1),
  ...(value === 3 ? [0] : []),
];

const changeMeant = (model: OperatorModel, { one }: Step): ModelChange | undefined =>
  model.changes.at(-1 - one);

/** Takes the same step in the model; says what the database must have answered. */
function foretell(model: OperatorModel, step: Step): ((id: number, part?: number) => void) | undefined {
  const [one, other] = [model.stationAt(step.one), model.stationAt(step.other)];
  if (step.does === 'merge') return model.merge(one, other);
  if (step.does === 'split') return model.split(one, streamsMeant(model, one, step));
  if (step.does === 'revert') return model.revert(changeMeant(model, step));
  if (step.does === 'hide') return model.set(one, 'hidden', true);
  if (step.does === 'unhide') return model.set(one, 'hidden', false);
  return model.set(one, step.does, `Value ${step.value}`);
}

async function compare(model: OperatorModel, when: string): Promise<void> {
  const ids = model.stations.map(({ id }) => id);
  const { rows } = await database.pool.query(
    `SELECT id, name, slogan, NOT listed AS hidden, merged_into AS into,
       ARRAY (SELECT t.id FROM streams t JOIN station_records r ON r.stream_id = t.id AND r.station_id = s.id
         WHERE t.station_id = s.id AND t.listed ORDER BY t.id) AS streams
     FROM stations s WHERE id = ANY ($1) ORDER BY id`,
    [ids],
  );
  assert.deepEqual(rows, model.expected(rows), when);
}

test(`${SEQUENCES} sequences of changes leave what a simple model says, also after an import of all`, async () => {
  const counts = { made: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const model = await freshWorld();
      for (const [index, step] of sequence.entries()) {
        const expected = foretell(model, step);
        const done = await perform(model, step);
        const when = `step ${index} (${JSON.stringify(step)})`;
        assert.equal(
          done !== undefined,
          expected !== undefined,
          `${when} is ${expected ? 'made' : 'refused'}`,
        );
        if (done) expected?.(done.id, done.part);
        counts[done ? 'made' : 'refused'] += 1;
        await compare(model, when);
      }
    }),
    { numRuns: SEQUENCES, endOnFailure: SEQUENCES <= 60 },
  );
  assert.ok(counts.made > counts.refused / 2, JSON.stringify(counts));
  await importWorlds([...models.keys()], 2);
  for (const [world, model] of models)
    await compare(model, `world ${world} after an import that brings news`);
});
