import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../../test/database/database.ts';
import { fillCatalogue, randomCatalogue, randomNumbers } from '../../../../test/content/random-catalogue.ts';
import { buildSnapshot } from '../snapshot/build-snapshot.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { type Dimensions, DIMENSIONS, dimensionsOf } from './dimensions.ts';
import { Listings } from './listings.ts';
import { type Choice, narrow, type Narrowed } from './narrow.ts';

let database: TestDatabase;
let snapshot: Snapshot;
let dimensions: Dimensions;

before(async () => {
  database = await testDatabase();
  await fillCatalogue(database.pool, randomCatalogue(7, 300));
  snapshot = withFamilies(await buildSnapshot(database.pool));
  dimensions = await dimensionsOf(snapshot);
});
after(() => database?.[Symbol.asyncDispose]());

/** Every third station is the copy of one of the first ten; two of those are channels of a network. */
function withFamilies(made: Snapshot): Snapshot {
  const familyOf = Int32Array.from(made.everyRank, (rank) => (rank % 3 === 0 ? rank % 10 : rank));
  const membersOf = new Map<number, Int32Array>();
  for (const family of new Set(familyOf)) {
    const members = made.everyRank.filter((rank) => familyOf[rank] === family);
    if (members.length > 1) membersOf.set(family, members);
  }
  const network = {
    id: 5,
    name: 'Quay',
    homepage: undefined,
    stationCount: 9,
    ranks: new Int32Array(),
    playable: 0,
  };
  const networkOf = new Map([...membersOf.keys()].slice(0, 2).map((family) => [family, network]));
  return { ...made, families: { ...made.families, familyOf, membersOf, networkOf } };
}

/** Choices by chance, one to four of them, also of options that are rare together. */
function randomChoices(seed: number, count: number): Choice[] {
  const chance = randomNumbers(seed);
  return Array.from({ length: count }, () =>
    Object.fromEntries(
      DIMENSIONS.filter(() => chance() < 0.5).map((name) => {
        const { options } = dimensions[name];
        return [name, options[Math.floor(chance() * options.length)] ?? 'none'];
      }),
    ),
  );
}

const matches = (rank: number, choice: Choice): boolean => {
  const { countryCode, languageIds, bitrate, genreIds } = snapshot.stations[rank]!;
  const { country = countryCode, language, quality, kind } = choice;
  const kbits = Number.parseInt(quality ?? '0', 10);
  const slugs = genreIds.flatMap((id) => {
    const genre = snapshot.genreById.get(id)!;
    const { parent } = genre;
    // Of a third level nothing counts but what is above it.
    const lineage = [genre, parent, parent?.parent].filter((one) => one !== undefined);
    return lineage.slice(-2).map(({ slug }) => slug);
  });
  return (
    country === countryCode &&
    (language === undefined || languageIds.some((id) => snapshot.languageById.get(id)?.code === language)) &&
    (quality === undefined || (quality.endsWith('-') ? bitrate > 0 && bitrate <= kbits : bitrate >= kbits)) &&
    (kind === undefined || slugs.includes(kind))
  );
};

test('a list has exactly the stations that match all that is chosen, in its order', () => {
  for (const choice of randomChoices(1, 60)) {
    const { ranks } = narrow(snapshot, snapshot.everyRank, { choice, dimensions, oneLine: false });
    assert.deepEqual(
      [...ranks],
      [...snapshot.everyRank].filter((rank) => matches(rank, choice)),
    );
  }
});

for (const oneLine of [false, true])
  test(`the count of an option is how many there are when it is chosen, ${oneLine ? 'families as one line' : 'each by itself'}`, () => {
    let compared = 0;
    for (const choice of randomChoices(2, 25)) {
      const list = narrow(snapshot, snapshot.everyRank, { choice, dimensions, oneLine });
      for (const name of DIMENSIONS)
        for (const { option, count } of list.counts[name]) {
          const chosen = { choice: { ...choice, [name]: option }, dimensions, oneLine };
          assert.equal(narrow(snapshot, snapshot.everyRank, chosen).ranks.length, count, `${name} ${option}`);
          compared += 1;
        }
    }
    assert.ok(compared > 200, `${compared}`);
  });

test('an option that is not offered has no station', () => {
  for (const choice of randomChoices(3, 25)) {
    const { counts } = narrow(snapshot, snapshot.everyRank, { choice, dimensions, oneLine: true });
    for (const name of DIMENSIONS) {
      const offered = new Set(counts[name].map(({ option }) => option));
      for (const option of [...dimensions[name].options, 'nowhere'].filter((one) => !offered.has(one)))
        assert.equal(
          narrow(snapshot, snapshot.everyRank, {
            choice: { ...choice, [name]: option },
            dimensions,
            oneLine: true,
          }).ranks.length,
          0,
        );
    }
  }
});

test('a family is the line of its first that matches, with the network behind it', () => {
  const { familyOf, networkOf } = snapshot.families;
  for (const choice of randomChoices(4, 20)) {
    const all = [...narrow(snapshot, snapshot.everyRank, { choice, dimensions, oneLine: false }).ranks];
    const { ranks, networks } = narrow(snapshot, snapshot.everyRank, { choice, dimensions, oneLine: true });
    const firsts = all.filter((rank) => all.find((other) => familyOf[other] === familyOf[rank]) === rank);
    assert.deepEqual([...ranks], firsts);
    for (const rank of firsts) {
      const several = all.filter((other) => familyOf[other] === familyOf[rank]).length > 1;
      assert.equal(networks.get(rank), several ? networkOf.get(familyOf[rank]!) : undefined);
    }
  }
});

test('lists of groups are kept for the next page, and are those of their groups', async () => {
  const listings = new Listings();
  const region = [...snapshot.regionById.values()].find(({ stationCount }) => stationCount > 5)!;
  const find = (choice: Choice): Promise<Narrowed> =>
    listings.find(snapshot, { regionId: region.id }, choice);
  assert.deepEqual((await find({})).ranks, region.ranks);
  assert.equal(await find({}), await find({}));
  assert.notEqual(await find({}), await find({ quality: '128' }));
  assert.equal((await listings.find(snapshot, { regionId: -1 }, {})).ranks.length, 0);
  const genre = [...snapshot.genreById.values()].find(({ stationCount }) => stationCount > 5)!;
  const both = await listings.find(snapshot, { regionId: region.id, genreId: genre.id }, {});
  assert.deepEqual(
    [...both.ranks],
    [...region.ranks].filter((rank) => genre.ranks.includes(rank)),
  );
});
