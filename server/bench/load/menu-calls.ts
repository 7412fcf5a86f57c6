import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPool } from '../../src/storage/db/pool.ts';
import { buildSnapshot } from '../../src/core/directory/snapshot/build-snapshot.ts';

/** The requests of a round, besides one page again and again. */
export interface MenuCalls {
  /** The page of the largest genre. */
  page: string;
  /** wrk scripts: many pages of many genres, and the stations around many places. */
  pages: string;
  places: string;
}

export interface MenuCallsOptions {
  databaseUrl: string;
  /** Where the scripts are written. */
  folder: string;
  /** Genres with fewer stations are left out. */
  leastStations: number;
  /** Parameters that a device sends with every call. */
  device: string;
  /** Parameters of a device that asks for nearby stations. */
  near: string;
}

const PAGE_OFFSETS = [0, 50, 100, 150];
const PLACES = 2000;

export async function writeMenuCalls(options: MenuCallsOptions): Promise<MenuCalls> {
  const { folder, device, near } = options;
  const genreIds = await largeGenres(options);
  return {
    page: `/Browse.ashx?id=g${genreIds[0]}`,
    pages: wrkScript(folder, 'pages', pageAddresses(genreIds, device)),
    places: wrkScript(folder, 'places', placeAddresses(near)),
  };
}

/** The largest first. */
async function largeGenres({ databaseUrl, leastStations }: MenuCallsOptions): Promise<number[]> {
  const pool = createPool({ databaseUrl, size: 1, applicationName: 'longwave bench' });
  try {
    const { genreById } = await buildSnapshot(pool);
    const large = [...genreById.values()].filter(({ stationCount }) => stationCount > leastStations);
    if (large.length === 0) throw new Error('too few stations; import a directory of thousands first');
    return large.toSorted((a, b) => b.stationCount - a.stationCount).map(({ id }) => id);
  } finally {
    await pool.end();
  }
}

/** First and later pages of all those genres. */
const pageAddresses = (genreIds: readonly number[], device: string): string[] =>
  genreIds.flatMap((id) => PAGE_OFFSETS.map((offset) => `/Browse.ashx?id=g${id}&offset=${offset}&${device}`));

/** Roughly where people live. */
const placeAddresses = (device: string): string[] =>
  Array.from({ length: PLACES }, () => {
    const latlon = `${(Math.random() * 110 - 45).toFixed(3)},${(Math.random() * 360 - 180).toFixed(3)}`;
    return `/Browse.ashx?c=local&${device}&latlon=${latlon}`;
  });

/** The addresses that a script asks for. */
export const pathsIn = (script: string): string[] =>
  [...readFileSync(script, 'utf8').matchAll(/"(\/Browse[^"]*)"/g)].map(([, path = '']) => path);

function wrkScript(folder: string, name: string, addresses: readonly string[]): string {
  const file = join(folder, `${name}.lua`);
  const list = addresses.map((address) => `"${address}"`).join(',\n');
  writeFileSync(
    file,
    `local all = {${list}}\nlocal n = 0\nrequest = function()\n  n = n % #all + 1\n  return wrk.format("GET", all[n])\nend\n`,
  );
  return file;
}
