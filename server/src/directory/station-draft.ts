import { formatBit } from '../lib/stream-format.ts';
import type { StationRow } from './queries.ts';
import type { SharedIdLists, SharedTexts } from './shared-values.ts';
import type { DirectoryStation, DirectoryStream } from './snapshot.ts';

/** A station before its place has a name, with the coordinate that only the index of sites needs. */
export interface StationDraft {
  readonly station: Mutable<DirectoryStation>;
  readonly latitude: number;
  readonly longitude: number;
}

export type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** What a station has beside its own row. */
export interface Belongings {
  readonly streams: readonly DirectoryStream[];
  readonly genreIds: readonly number[];
  readonly languageIds: readonly number[];
  readonly hasLogo: boolean;
}

/** What drafts share: names by id, and values that many stations repeat. */
export interface Shared {
  readonly genreNames: ReadonlyMap<number, string>;
  readonly languageNames: ReadonlyMap<number, string>;
  readonly texts: SharedTexts;
  readonly idLists: SharedIdLists;
}

/** Without a coordinate, latitude and longitude are NaN. */
export function draftStation(row: StationRow, belongings: Belongings, shared: Shared): StationDraft {
  const { genreIds, languageIds, streams, hasLogo } = belongings;
  const sum = sumOf(streams);
  const station = {
    id: row.id,
    name: row.name,
    frequency: shared.texts.of(row.frequency),
    band: shared.texts.of(row.band),
    slogan: row.slogan ?? undefined,
    genreId: genreIds[0],
    genreName: nameOf(shared.genreNames, genreIds[0]),
    languageName: nameOf(shared.languageNames, languageIds[0]),
    regionId: row.region_id ?? undefined,
    placeName: undefined,
    genreIds,
    languageIds,
    popularity: row.popularity,
    bitrate: sum.bitrate,
    reliability: sum.reliability,
    formats: sum.formats,
    hasUnknownFormat: sum.hasUnknownFormat,
    hasLogo,
    streams,
  };
  return { station, latitude: row.latitude ?? Number.NaN, longitude: row.longitude ?? Number.NaN };
}

function sumOf(
  streams: readonly DirectoryStream[],
): Pick<DirectoryStation, 'bitrate' | 'reliability' | 'formats' | 'hasUnknownFormat'> {
  const sum = { bitrate: 0, reliability: 0, formats: 0, hasUnknownFormat: false };
  for (const { bitrate, reliability, format } of streams) {
    sum.bitrate = Math.max(sum.bitrate, bitrate);
    sum.reliability = Math.max(sum.reliability, reliability);
    if (format === undefined) sum.hasUnknownFormat = true;
    else sum.formats |= formatBit(format);
  }
  return sum;
}

const nameOf = (names: ReadonlyMap<number, string>, id: number | undefined): string | undefined =>
  id === undefined ? undefined : names.get(id);
