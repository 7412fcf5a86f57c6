import { uuidOf } from '../../lib/ids.ts';
import { loadPlaceResolver, type ResolvedPlace } from '../../storage/catalog/places/place-resolver.ts';
import { BY_HAND } from '../../storage/catalog/stations/move-streams.ts';
import { listGenres, listLanguages } from '../../storage/catalog/stations/station-groups.ts';
import type { Queryable } from '../../storage/db/pool.ts';
import type { CleanRecord, ResolvedRecord } from './clean-record.ts';
import type { PointSource } from './record.ts';

/** Resolves a record's words to our ids. */
export type ResolvePlace = (said: {
  source: string;
  record: string;
  clean: CleanRecord;
  facts: string;
}) => ResolvedRecord;

/** What a record that is stored says, in ids of now. */
export function resolveAgain(
  resolvePlaceOf: ResolvePlace,
  row: { source: string; record: string; facts: string | null; witness?: string | null },
): ResolvedRecord {
  const facts = row.facts ?? '{}';
  const clean: CleanRecord = JSON.parse(facts);
  const resolved = resolvePlaceOf({ source: row.source, record: row.record, clean, facts });
  return isByHand(row.witness) ? { ...resolved, isByHand: true } : resolved;
}

export const isByHand = (witness: string | null | undefined): boolean =>
  witness?.startsWith(BY_HAND) === true;

/** Loads the lookup tables for places, genres and languages. Some tens of megabytes, whatever the import's size. */
export async function loadPlaceResolution(db: Queryable): Promise<ResolvePlace> {
  const places = await loadPlaceResolver(db);
  const genres = new Map((await listGenres(db)).map(({ slug, id }) => [slug, id]));
  const languages = new Map((await listLanguages(db)).map(({ code, id }) => [code, id]));
  return ({ source, record, facts, clean }): ResolvedRecord => {
    const place = places.resolve(clean);
    return {
      source,
      record,
      digest: uuidOf(facts),
      clean,
      facts,
      countryId: place.countryId ?? null,
      regionId: place.regionId ?? null,
      coordinate: place.coordinate ?? null,
      pointSource: pointSourceOf(place, clean),
      zone: place.zone ?? null,
      genreIds: idsOf(genres, clean.genres),
      languageIds: idsOf(languages, clean.languages),
    };
  };
}

function pointSourceOf(place: ResolvedPlace, { pointSource }: CleanRecord): PointSource | null {
  if (!place.coordinate) return null;
  return place.coordinateIsCity ? 'city' : (pointSource ?? 'claim');
}

const idsOf = (ids: ReadonlyMap<string, number>, keys: readonly string[]): number[] =>
  keys.flatMap((key) => ids.get(key) ?? []);
