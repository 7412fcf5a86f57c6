import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type SeededDirectory, seededDirectory } from '../../../../test/content/seeded-directory.ts';
import { ALL_FORMATS, parseFormats } from '../../../lib/stream-format.ts';
import { playableBits, wantedBits } from '../groups/compiled-filter.ts';
import {
  type DirectoryRegion,
  type DirectoryStation,
  lineageOf,
  type Snapshot,
} from '../snapshot/snapshot.ts';
import { similarRanks } from './similar.ts';

let seeded: SeededDirectory;
let snapshot: Snapshot;
before(async () => {
  seeded = await seededDirectory();
  snapshot = seeded.directory.current();
});
after(() => seeded[Symbol.asyncDispose]());

const named = (name: string): DirectoryStation => {
  const station = snapshot.stations.find((candidate) => candidate.name === name);
  assert.ok(station, name);
  return station;
};
const similarTo = (station: DirectoryStation, limit = 10, formats = ALL_FORMATS): DirectoryStation[] =>
  similarRanks(snapshot, station, { formats, limit }).map((rank) => snapshot.stations[rank]!);

test('the same genre in the same language comes first, by popularity', () => {
  const jazz = named('Lantern Jazz');
  const [first, ...rest] = similarTo(jazz);
  assert.equal(first?.name, 'Highveld Jazz');
  assert.ok(rest.length > 3, 'others follow when those are used up');
});

const genreLineage = (id: number | undefined): number[] => {
  const genre = snapshot.genreById.get(id ?? -1);
  return genre ? lineageOf(genre).map((node) => node.id) : [];
};
const regionLineage = (id: number | undefined): DirectoryRegion[] => {
  const region = snapshot.regionById.get(id ?? -1);
  return region ? lineageOf(region) : [];
};

/** How close two stations are by the rule's words, worked out without the directory's lists; -1 is not at all. */
function distance(one: DirectoryStation, other: DirectoryStation): number {
  const genres = other.genreIds.flatMap(genreLineage);
  const isGenre = one.genreId !== undefined && genres.includes(one.genreId);
  const wider = genreLineage(one.genreId)[1];
  const isLanguage = one.languageIds[0] !== undefined && other.languageIds.includes(one.languageIds[0]);
  const country = regionLineage(one.regionId).find(({ kind }) => kind === 'country');
  const isCountry = country !== undefined && regionLineage(other.regionId).includes(country);
  const isPlace = regionLineage(other.regionId).some(({ id }) => id === one.regionId);
  return [
    isGenre && isLanguage,
    isGenre && isCountry,
    isLanguage && isPlace,
    wider !== undefined && genres.includes(wider) && isLanguage,
    isGenre,
    isLanguage && isCountry,
    isLanguage,
    isCountry,
  ].indexOf(true);
}

test('for every station the list is what sorting all stations by the rule gives', () => {
  for (const formats of [ALL_FORMATS, parseFormats('aac')]) {
    for (const station of snapshot.stations) {
      const wanted = wantedBits(formats);
      const expected = snapshot.stations
        .filter((other) => other !== station && (playableBits(other) & wanted) !== 0)
        .map((other) => ({ other, far: distance(station, other) }))
        .filter(({ far }) => far !== -1)
        .toSorted((a, b) => a.far - b.far)
        .slice(0, 10);
      assert.deepEqual(
        similarTo(station, 10, formats).map(({ name }) => name),
        expected.map(({ other }) => other.name),
        station.name,
      );
    }
  }
});

test('a limit is kept, and is never the station itself', () => {
  const folk = named('Harbour Folk');
  for (const limit of [0, 1, 3, 5000]) {
    const found = similarTo(folk, limit);
    assert.ok(found.length <= limit);
    assert.ok(!found.includes(folk));
    assert.equal(new Set(found).size, found.length);
  }
});
