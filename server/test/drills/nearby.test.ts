import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browseEndpoints } from '../../src/browse/browse.ts';
import { Aliases } from '../../src/directory/aliases.ts';
import type { DirectoryRegion, Snapshot } from '../../src/directory/snapshot.ts';
import { lineageOf } from '../../src/directory/tree.ts';
import { type Coordinate, distanceKm } from '../../src/lib/geo.ts';
import { ask, stationsOf } from '../browse-app.ts';
import { testApp } from '../http-server.ts';
import { withoutRealData } from '../real-data.ts';
import { realDirectory } from '../real-directory.ts';

const CITIES = 200;
const SHOWN = 200;
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

/** By the id that a menu has: where every station is that stands somewhere. */
const placesOf = ({ stations }: Snapshot): Map<string, Coordinate> =>
  new Map(
    stations.flatMap(({ id, coordinate }): [string, Coordinate][] =>
      coordinate ? [[`s${id}`, coordinate]] : [],
    ),
  );

test(
  'the two hundred around a city are the nearest there are, the nearest first',
  { skip: withoutRealData },
  async (t) => {
    await using real = await realDirectory();
    const { pool, snapshot } = real;
    const needs = { directory: { current: () => snapshot }, db: pool, aliases: new Aliases(pool) };
    const { app } = testApp(browseEndpoints(needs), { logLevel: 'silent' });
    const cities = chooseCities(snapshot);
    const places = placesOf(snapshot);
    for (const { name, coordinate } of cities) {
      const { latitude, longitude } = coordinate;
      const url = `/Browse.ashx?c=local&latlon=${latitude.toFixed(6)},${longitude.toFixed(6)}`;
      const place = { latitude: Number(latitude.toFixed(6)), longitude: Number(longitude.toFixed(6)) };
      const shown = stationsOf(await ask(app, url));
      const kmTo = (to: Coordinate | undefined): number => (to ? distanceKm(place, to) : Number.NaN);
      const shownKm = shown.map((id) => kmTo(places.get(id)));
      const farthest = Math.max(...shownKm) + TOLERANCE_KM;
      // Of all that there are: who is nearer than the farthest shown has to be shown.
      const nearest = Float64Array.from(places.values(), kmTo)
        .filter((km) => km <= farthest)
        .toSorted();
      assert.equal(shown.length, SHOWN, name);
      assert.equal(new Set(shown).size, SHOWN, `${name} shows a station twice`);
      for (const [index, id] of shown.entries()) {
        const gap = Math.abs(shownKm[index]! - nearest[index]!);
        assert.ok(gap < TOLERANCE_KM, `${name}: number ${index + 1} is ${id}, ${gap} km out of order`);
      }
    }
    await app.close();
    const continents = Object.entries(Object.groupBy(cities, ({ continent }) => continent));
    t.diagnostic(continents.map(([name, group]) => `${name} ${group?.length}`).join(', '));
    assert.equal(cities.length, CITIES);
    assert.equal(continents.length, 7);
  },
);
