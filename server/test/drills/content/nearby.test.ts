import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Aliases } from '../../../src/core/directory/lookup/by-any-id.ts';
import {
  type DirectoryRegion,
  type DirectoryStation,
  lineageOf,
  type Snapshot,
} from '../../../src/core/directory/snapshot/snapshot.ts';
import { near } from '../../../src/core/directory/nearby/near.ts';
import { countryOf } from '../../../src/core/places/caller-places.ts';
import { type Coordinate, distanceKm } from '../../../src/lib/geo.ts';
import { ALL_FORMATS } from '../../../src/lib/stream-format.ts';
import { browseEndpoints } from '../../../src/protocols/radiotime/browse/browse.ts';
import { ask, stationsOf } from '../../apps/browse-app.ts';
import { testApp } from '../../apps/http-server.ts';
import { withoutRealData } from '../../content/real-data.ts';
import { realDirectory } from '../../content/real-directory.ts';

const CITIES = 200;
const SHOWN = 200;
const NEAR_KM = 75;
/** Two ways to measure agree to this. */
const TOLERANCE_KM = 0.001;

interface City {
  name: string;
  continent: string;
  coordinate: Coordinate;
}

/** As many of each continent, evenly among its cities. */
function chooseCities({ regionById }: Snapshot): City[] {
  const cities = [...regionById.values()].filter(({ kind }) => kind === 'city').flatMap(cityOf);
  const byContinent = Object.values(Object.groupBy(cities, ({ continent }) => continent));
  const share = Math.ceil(CITIES / byContinent.length);
  const chosen = byContinent.flatMap((group = []) =>
    Array.from({ length: share }, (_none, n) => group[Math.floor((n * group.length) / share)]!),
  );
  return chosen.slice(0, CITIES);
}

function cityOf(region: DirectoryRegion): City[] {
  const continent = lineageOf(region).find(({ kind }) => kind === 'continent');
  const { name, coordinate } = region;
  return continent && coordinate ? [{ name, continent: continent.name, coordinate }] : [];
}

/** Where every station is that is known to be somewhere; guesses are left out. */
const placesOf = ({ stations, locations }: Snapshot): Map<number, Coordinate> =>
  new Map(
    stations.flatMap(({ rank, coordinate }): [number, Coordinate][] =>
      coordinate && locations.locationByRank[rank] !== -1 ? [[rank, coordinate]] : [],
    ),
  );

test(
  'around 200 cities the nearest stations are found, and local radio is what is heard there, each family once',
  {
    skip: withoutRealData,
  },
  async (t) => {
    await using real = await realDirectory();
    const { pool, snapshot } = real;
    const deps = { directory: { current: () => snapshot }, db: pool, aliases: new Aliases(pool) };
    const { app } = testApp(browseEndpoints(deps), { logLevel: 'silent' });
    const cities = chooseCities(snapshot);
    const places = placesOf(snapshot);
    for (const { name, coordinate } of cities) {
      checkNearest(snapshot, places, name, coordinate);
      const url = `/Browse.ashx?c=local&latlon=${coordinate.latitude.toFixed(6)},${coordinate.longitude.toFixed(6)}`;
      checkLocal(snapshot, name, coordinate, stationsOf(await ask(app, url)));
    }
    await app.close();
    const continents = Object.entries(Object.groupBy(cities, ({ continent }) => continent));
    t.diagnostic(continents.map(([name, group]) => `${name} ${group?.length}`).join(', '));
    assert.equal(cities.length, CITIES);
    assert.equal(continents.length, 7);
  },
);

function checkNearest(
  snapshot: Snapshot,
  places: ReadonlyMap<number, Coordinate>,
  name: string,
  at: Coordinate,
): void {
  const found = near(snapshot, at, { formats: ALL_FORMATS, offset: 0, limit: SHOWN }).ranks;
  const kmTo = (to: Coordinate | undefined): number => (to ? distanceKm(at, to) : Number.NaN);
  const foundKm = found.map((rank) => kmTo(places.get(rank)));
  const nearest = Float64Array.from(places.values(), kmTo).toSorted();
  assert.equal(new Set(found).size, SHOWN, `${name} has a station twice`);
  for (const [index, rank] of found.entries()) {
    const gap = Math.abs(foundKm[index]! - nearest[index]!);
    assert.ok(gap < TOLERANCE_KM, `${name}: number ${index + 1} is rank ${rank}, ${gap} km out of order`);
  }
}

function checkLocal(snapshot: Snapshot, name: string, at: Coordinate, ids: readonly string[]): void {
  const shown = ids.map((id) => snapshot.stationById.get(Number(id.slice(1)))!);
  assert.equal(shown.length, SHOWN, name);
  const families = new Set(shown.map(({ rank }) => snapshot.families.familyOf[rank]));
  assert.equal(families.size, SHOWN, `${name} shows a family twice`);
  const country = countryOf({ coordinate: at }, snapshot);
  const isHeard = ({ rank, coordinate, countryCode }: DirectoryStation): boolean =>
    countryCode === country ||
    (coordinate !== undefined &&
      snapshot.locations.locationByRank[rank] !== -1 &&
      distanceKm(at, coordinate) <= NEAR_KM);
  const further = shown.findIndex((station) => !isHeard(station));
  const late =
    further === -1 ? undefined : shown.slice(further).find(({ countryCode }) => countryCode === country);
  assert.equal(late?.name, undefined, `${name}: a station of ${country} comes after ${shown[further]?.name}`);
}
