import type { Pool, PoolClient } from 'pg';
import { type AffiliateRow, listAffiliates } from '../catalog/affiliates.ts';
import { type GenreRow, listGenres } from '../catalog/genres.ts';
import { type LanguageRow, listLanguages } from '../catalog/languages.ts';
import { type CountryRow, listCountries } from '../catalog/places.ts';
import { type CatalogueState, catalogueState } from '../catalog/version.ts';
import { groupByAffiliate } from './affiliate-groups.ts';
import { groupByGenre } from './genre-groups.ts';
import { groupByLanguage } from './language-groups.ts';
import { inTurns } from './in-turns.ts';
import { playableBits } from './playable.ts';
import type { RegionRow } from './queries.ts';
import { rankStations } from './rank-stations.ts';
import { readConsistently } from './read-consistently.ts';
import { readRegions } from './read-regions.ts';
import { readStations } from './read-stations.ts';
import { groupByRegion, namePlaces, regionTree } from './region-groups.ts';
import { SharedIdLists, SharedTexts } from './shared-values.ts';
import { buildSites } from './build-sites.ts';
import type { DirectoryStation, Snapshot } from './snapshot.ts';
import type { StationDraft } from './station-draft.ts';

const LONGEST_READING_MS = 120_000;
const LONGEST_LOOK_MS = 10_000;

export interface BuildOptions {
  signal?: AbortSignal;
  /** Stations read at once. */
  batchSize?: number;
}

/** The whole catalogue as it is at one moment. It costs about as much memory again while the old one is still in use. */
export async function buildSnapshot(
  pool: Pool,
  { signal, batchSize = 2000 }: BuildOptions = {},
): Promise<Snapshot> {
  const limits = { signal, deadlineMs: LONGEST_READING_MS };
  return arrange(await readConsistently(pool, limits, (db) => readCatalogue(db, batchSize)));
}

interface Catalogue {
  state: CatalogueState;
  genres: GenreRow[];
  languages: LanguageRow[];
  affiliates: AffiliateRow[];
  regions: RegionRow[];
  countries: CountryRow[];
  drafts: StationDraft[];
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
  const placed = drafts.map(({ station }) => station.regionId).filter((id) => id !== undefined);
  const regions = await readRegions(db, placed);
  return { state, genres, languages, affiliates, countries, drafts, regions };
}

async function arrange(catalogue: Catalogue): Promise<Snapshot> {
  const { state, genres, languages, affiliates, countries, regions, drafts } = catalogue;
  const tree = await regionTree(regions);
  await namePlaces(drafts, tree);
  const ranked = rankStations(drafts);
  const stations = ranked.map(({ station }) => station);
  const playable = Int32Array.from(stations, playableBits);
  const stationById = new Map<number, DirectoryStation>();
  await inTurns(stations, (station) => void stationById.set(station.id, station));
  return {
    ...state,
    stations,
    streamCount: stations.reduce((count, { streams }) => count + streams.length, 0),
    playable,
    everyRank: Int32Array.from(stations.keys()),
    stationById,
    ...(await groupByGenre(genres, stations, playable)),
    ...(await groupByRegion(tree, stations, playable)),
    countryById: new Map(
      countries.map(({ id, code, name, region_id: regionId }) => [id, { code, name, regionId }]),
    ),
    ...(await groupByLanguage(languages, stations, playable)),
    ...(await groupByAffiliate(affiliates, stations, playable)),
    sites: await buildSites(ranked, playable),
  };
}

/** What the catalogue is at now, by a reading of its own. */
export const readState = (pool: Pool, signal?: AbortSignal): Promise<CatalogueState> =>
  readConsistently(pool, { signal, deadlineMs: LONGEST_LOOK_MS }, catalogueState);
