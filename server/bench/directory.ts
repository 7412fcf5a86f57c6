import { monitorEventLoopDelay } from 'node:perf_hooks';
import { explainLoadFailure } from '../src/core/directory/directory.ts';
import { selectStations } from '../src/core/directory/groups/select-stations.ts';
import { findStation } from '../src/core/directory/lookup/lookups.ts';
import { near } from '../src/core/directory/nearby/near.ts';
import { buildSnapshot } from '../src/core/directory/snapshot/build-snapshot.ts';
import type { Snapshot, StationGroup } from '../src/core/directory/snapshot/snapshot.ts';
import type { Coordinate } from '../src/lib/geo.ts';
import { ALL_FORMATS, formatBit, parseFormats } from '../src/lib/stream-format.ts';
import { createPool } from '../src/storage/db/pool.ts';
import { collectGarbage } from '../test/processes/collect-garbage.ts';
import { randomNumbers } from '../test/content/random-catalogue.ts';
import { stationsOfGenre, stationsOfLanguage, stationsOfRegion } from '../test/directory/stations-of.ts';

const ROUNDS = 60;
/** Rounds until the runtime has compiled everything; they do not count. */
const WARM_UP_ROUNDS = 10;
const CALLS_PER_ROUND = 200;

/** Loads the directory from the database named by DATABASE_URL, twice, and then times the lookups. */
export async function run(_args: string[]): Promise<void> {
  const databaseUrl = process.env['DATABASE_URL'];
  if (!databaseUrl) throw new Error('DATABASE_URL is not set; npm run services -- up gives a database');
  const pool = createPool({ databaseUrl, size: 2, applicationName: 'longwave bench' });
  try {
    const snapshot = await timeLoad(() => buildSnapshot(pool)).catch((error: unknown) => {
      throw explainLoadFailure(error, databaseUrl);
    });
    if (snapshot.stations.length === 0) {
      console.log(
        'The database has no stations. Import some first: npm run longwave -- import stations FILE',
      );
      return;
    }
    console.log('and again, as at a swap, with the first one still in use:');
    await timeLoad(() => buildSnapshot(pool));
    printLookups(snapshot);
  } finally {
    await pool.end();
  }
}

async function timeLoad(load: () => Promise<Snapshot>): Promise<Snapshot> {
  const before = memory();
  const stalls = monitorEventLoopDelay({ resolution: 1 });
  stalls.enable();
  const started = performance.now();
  const snapshot = await load();
  const loadMs = performance.now() - started;
  stalls.disable();
  const after = memory();
  console.log(
    `${snapshot.stations.length} stations, ${snapshot.streamCount} streams, version ${snapshot.version}`,
  );
  console.log(
    `loaded in ${Math.round(loadMs)} ms, requests blocked for ${Math.round(stalls.max / 1e6)} ms at most`,
  );
  console.table({ before, after, more: difference(after, before) });
  return snapshot;
}

type Memory = Record<'rss MB' | 'heapUsed MB' | 'external MB', number>;

function memory(): Memory {
  collectGarbage();
  const { rss, heapUsed, external } = process.memoryUsage();
  return { 'rss MB': megabytes(rss), 'heapUsed MB': megabytes(heapUsed), 'external MB': megabytes(external) };
}

const megabytes = (bytes: number): number => Math.round(bytes / 1e5) / 10;

const difference = (a: Memory, b: Memory): Memory => ({
  'rss MB': Math.round(10 * (a['rss MB'] - b['rss MB'])) / 10,
  'heapUsed MB': Math.round(10 * (a['heapUsed MB'] - b['heapUsed MB'])) / 10,
  'external MB': Math.round(10 * (a['external MB'] - b['external MB'])) / 10,
});

function printLookups(snapshot: Snapshot): void {
  const lookups = listLookups(snapshot);
  const microseconds = new Map(Object.keys(lookups).map((name) => [name, [] as number[]]));
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    for (const [name, lookup] of Object.entries(lookups)) {
      for (let call = 0; call < CALLS_PER_ROUND; call++) {
        const started = performance.now();
        lookup();
        if (round >= 0) microseconds.get(name)?.push((performance.now() - started) * 1000);
      }
    }
  }
  console.log('microseconds per lookup, including the clock itself:');
  console.table(Object.fromEntries([...microseconds].map(([name, all]) => [name, percentiles(all)])));
}

function percentiles(values: number[]): { p50: number; p99: number } {
  const rising = Float64Array.from(values).toSorted();
  const at = (share: number): number =>
    Math.round(100 * (rising[Math.floor(rising.length * share)] ?? 0)) / 100;
  return { p50: at(0.5), p99: at(0.99) };
}

const filled = <G extends StationGroup>(groups: ReadonlyMap<number, G>): G[] =>
  [...groups.values()].filter(({ stationCount }) => stationCount > 0);

function listLookups(snapshot: Snapshot): Record<string, () => unknown> {
  const random = randomNumbers(1);
  const any = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
  const genres = filled(snapshot.genreById);
  const regions = filled(snapshot.regionById);
  const points = snapshot.stations.map(({ coordinate }) => coordinate).filter((point) => point !== undefined);
  /** Somewhere near a station, as listeners are. */
  const place = (): Coordinate => {
    const { longitude, latitude } = any(points);
    const jitter = random() - 0.5;
    return {
      longitude: Math.min(180, Math.max(-180, longitude + jitter)),
      latitude: Math.min(90, Math.max(-90, latitude + jitter)),
    };
  };
  const page = { formats: ALL_FORMATS, offset: 0, limit: 50 };
  const mp3 = { ...page, formats: parseFormats('mp3,aac') };
  const rare = { ...page, formats: formatBit('flac') };
  const language = any(snapshot.languages);
  return {
    'by id': () => findStation(snapshot, any(snapshot.stations).id),
    'genre page': () => stationsOfGenre(snapshot, any(genres).id, page),
    'genre page, mp3 and aac': () => stationsOfGenre(snapshot, any(genres).id, mp3),
    'genre page, flac': () => stationsOfGenre(snapshot, any(genres).id, rare),
    'genre page of a language': () =>
      stationsOfGenre(snapshot, any(genres).id, { ...mp3, languageId: language.id }),
    'genre page 21': () => stationsOfGenre(snapshot, any(genres).id, { ...mp3, offset: 1000 }),
    'place page': () => stationsOfRegion(snapshot, any(regions).id, mp3),
    'language page': () => stationsOfLanguage(snapshot, any(snapshot.languages).id, mp3),
    near: () => near(snapshot, place(), page),
    'near, mp3 and aac': () => near(snapshot, place(), mp3),
    'near, flac': () => near(snapshot, place(), rare),
    'near, of a genre': () => near(snapshot, place(), { ...mp3, genreId: any(genres).id }),
    popular: () => selectStations(snapshot, mp3),
  };
}
