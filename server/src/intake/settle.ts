import type { Queryable } from '../db/pool.ts';
import { listGenres } from '../catalog/genres.ts';
import { listLanguages } from '../catalog/languages.ts';
import { loadPlaceResolver } from '../catalog/place-resolver.ts';
import { uuidOf } from '../lib/uuid-of.ts';
import type { SettledRecord } from './settled-record.ts';
import type { Settle } from './rederive.ts';

/** Loads what turns words into ids: places, genres, languages. Some tens of megabytes, whatever the import's size. */
export async function loadSettle(db: Queryable): Promise<Settle> {
  const places = await loadPlaceResolver(db);
  const genres = new Map((await listGenres(db)).map(({ slug, id }) => [slug, id]));
  const languages = new Map((await listLanguages(db)).map(({ code, id }) => [code, id]));
  return ({ source, record, facts, clean }): SettledRecord => {
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
      zone: place.zone ?? null,
      genreIds: idsOf(genres, clean.genres),
      languageIds: idsOf(languages, clean.languages),
    };
  };
}

const idsOf = (ids: ReadonlyMap<string, number>, keys: readonly string[]): number[] =>
  keys.flatMap((key) => ids.get(key) ?? []);
