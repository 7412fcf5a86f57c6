import type { Pool, PoolClient } from 'pg';
import { forEachYielding } from '../../../lib/clock.ts';
import { type CountryRow, listCountries } from '../../../storage/catalog/places/places.ts';
import {
  type AffiliateRow,
  type GenreRow,
  type LanguageRow,
  listAffiliates,
  listGenres,
  listLanguages,
} from '../../../storage/catalog/stations/station-groups.ts';
import { type CatalogueState, catalogueState } from '../../../storage/catalog/stations/version.ts';
import {
  groupByAffiliate,
  groupByGenre,
  groupByLanguage,
  groupByRegion,
  namePlaces,
  regionTree,
} from '../groups/group-stations.ts';
import { playableBits } from '../groups/compiled-filter.ts';
import { buildFamilies } from '../groups/families.ts';
import { knownBroadcasters } from '../local/broadcasters.ts';
import { findBroadcasters, type FoundArea, heardAreas } from '../local/find-broadcasters.ts';
import { buildLocations } from '../nearby/build-locations.ts';
import { mergedStations, type SnapshotRegionRow } from './queries.ts';
import { readRegions, readStations } from './read-stations.ts';
import type { DirectoryStation, Snapshot } from './snapshot.ts';
import { rankStations, SharedIdLists, SharedTexts, type SnapshotStationDraft } from './station-draft.ts';

const MAX_READING_MS = 120_000;
const MAX_LOOK_MS = 10_000;

interface BuildOptions {
  signal?: AbortSignal;
  /** Stations per query. */
  batchSize?: number;
}

/** The whole catalogue at one moment. Needs about as much memory again while the old snapshot is still in use. */
export async function buildSnapshot(
  pool: Pool,
  { signal, batchSize = 2000 }: BuildOptions = {},
): Promise<Snapshot> {
  const limits = { signal, deadlineMs: MAX_READING_MS };
  return arrange(await readConsistently(pool, limits, (db) => readCatalogue(db, batchSize)));
}

interface Catalogue {
  state: CatalogueState;
  genres: GenreRow[];
  languages: LanguageRow[];
  affiliates: AffiliateRow[];
  regions: SnapshotRegionRow[];
  countries: CountryRow[];
  drafts: SnapshotStationDraft[];
  broadcasters: FoundArea[];
  merged: { id: number; merged_into: number | null }[];
}

async function readCatalogue(db: PoolClient, batchSize: number): Promise<Catalogue> {
  const state = await catalogueState(db);
  const genres = await listGenres(db);
  const languages = await listLanguages(db);
  const affiliates = await listAffiliates(db);
  const countries = await listCountries(db);
  const shared = {
    genreNames: new Map(genres.map(({ id, name }) => [id, name])),
    languageNames: new Map(languages.map(({ id, name }) => [id, name])),
    texts: new SharedTexts(),
    idLists: new SharedIdLists(),
  };
  const drafts = await readStations(db, shared, batchSize);
  const broadcasters = await findBroadcasters(await knownBroadcasters(), drafts);
  placeNationwide(broadcasters, countries, drafts);
  const placed = drafts.map(({ station }) => station.regionId).filter((id) => id !== undefined);
  const regions = await readRegions(db, placed);
  const merged = await mergedStations.run(db, []);
  return { state, genres, languages, affiliates, countries, drafts, regions, broadcasters, merged };
}

/** Who is heard in a whole country is not of the town that its record names. */
function placeNationwide(
  broadcasters: readonly FoundArea[],
  countries: readonly CountryRow[],
  drafts: readonly SnapshotStationDraft[],
): void {
  const regionIds = new Map(countries.map(({ code, region_id: id }) => [code, id]));
  const nationwide = new Set(
    broadcasters.flatMap(({ area, stations }) => (area.around ? [] : stations.flat())),
  );
  for (const draft of drafts) {
    if (!nationwide.has(draft.station)) continue;
    Object.assign(draft, { latitude: Number.NaN, longitude: Number.NaN });
    Object.assign(draft.station, {
      coordinate: undefined,
      regionId: regionIds.get(draft.station.countryCode ?? ''),
    });
  }
}

async function arrange(catalogue: Catalogue): Promise<Snapshot> {
  const { state, genres, languages, affiliates, countries, regions, drafts, broadcasters, merged } =
    catalogue;
  const tree = await regionTree(regions);
  await namePlaces(drafts, tree);
  const ranked = rankStations(drafts);
  const stations = ranked.map(({ station }) => station);
  const playable = Int32Array.from(stations, playableBits);
  const stationById = new Map<number, DirectoryStation>();
  await forEachYielding(stations, (station) => void stationById.set(station.id, station));
  const { affiliateById } = await groupByAffiliate(affiliates, stations, playable);
  return {
    ...state,
    stations,
    streamCount: stations.reduce((count, { streams }) => count + streams.length, 0),
    playable,
    everyRank: Int32Array.from(stations.keys()),
    stationById,
    mergedById: new Map(
      merged.flatMap(({ id, merged_into: into }) => {
        const station = stationById.get(into ?? Number.NaN);
        return station ? [[id, station]] : [];
      }),
    ),
    ...(await groupByGenre(genres, stations, playable)),
    ...(await groupByRegion(tree, stations, playable)),
    countryById: new Map(
      countries.map(({ id, code, name, region_id: regionId }) => [id, { code, name, regionId }]),
    ),
    ...(await groupByLanguage(languages, stations, playable)),
    affiliateById,
    locations: await buildLocations(ranked, playable),
    heardAreas: heardAreas(broadcasters),
    families: await buildFamilies(ranked, affiliateById.values(), broadcasters, tree.values()),
  };
}

/** The catalogue's current state, read in a transaction of its own. */
export const readState = (pool: Pool, signal?: AbortSignal): Promise<CatalogueState> =>
  readConsistently(pool, { signal, deadlineMs: MAX_LOOK_MS }, catalogueState);

interface ReadingLimits {
  deadlineMs: number;
  signal?: AbortSignal | undefined;
}

/**
 * Reads in one transaction that sees one state of the database, whatever is committed meanwhile. At the deadline or on
 * abort the connection is closed, the only way to end a query on a network that has gone silent.
 */
export async function readConsistently<T>(
  pool: Pool,
  limits: ReadingLimits,
  read: (db: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  // Without a listener, a connection that breaks between two queries would crash the process.
  client.on('error', ignore);
  let intact = false;
  try {
    const result = await within(limits, inTransaction(client, limits.deadlineMs, read));
    intact = true;
    return result;
  } finally {
    if (intact) client.off('error', ignore);
    // A connection in an unknown state is closed; PostgreSQL rolls back its open transaction.
    client.release(!intact);
  }
}

async function inTransaction<T>(
  client: PoolClient,
  deadlineMs: number,
  read: (db: PoolClient) => Promise<T>,
): Promise<T> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  await client.query(`SET LOCAL statement_timeout = ${Math.ceil(deadlineMs)}`);
  const result = await read(client);
  await client.query('COMMIT');
  return result;
}

async function within<T>({ deadlineMs, signal }: ReadingLimits, work: Promise<T>): Promise<T> {
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(new Error('the read was stopped'));
  const late = new Error(`PostgreSQL did not answer within ${deadlineMs / 1000} seconds`);
  const timer = setTimeout(reject, deadlineMs, late);
  signal?.addEventListener('abort', stop);
  if (signal?.aborted) stop();
  try {
    return await Promise.race([work, ended]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

const ignore = (): void => undefined;
