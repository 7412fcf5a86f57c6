import { coordinate } from '../lib/geo.ts';
import { formatBit } from '../lib/stream-format.ts';
import type { StationRow } from './queries.ts';
import type { SharedIdLists, SharedTexts } from './shared-values.ts';
import type { DirectoryStation, DirectoryStream } from './snapshot.ts';

/** A station before its place has a name, with its coordinate as the index of sites needs it. */
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
  readonly affiliateIds: readonly number[];
  readonly hasLogo: boolean;
}

/** What drafts share: names by id, and values that many stations repeat. */
export interface Shared {
  readonly genreNames: ReadonlyMap<number, string>;
  readonly languageNames: ReadonlyMap<number, string>;
  readonly texts: SharedTexts;
  readonly idLists: SharedIdLists;
}

/** Until all are there; see `rankStations`. */
const NOT_RANKED = -1;

/** Without a coordinate, latitude and longitude are NaN. */
export function draftStation(row: StationRow, belongings: Belongings, shared: Shared): StationDraft {
  const { genreIds, languageIds, affiliateIds, streams, hasLogo } = belongings;
  const { texts } = shared;
  const [latitude, longitude] = [row.latitude ?? Number.NaN, row.longitude ?? Number.NaN];
  const sum = sumOf(streams);
  const station = {
    id: row.id,
    rank: NOT_RANKED,
    name: row.name,
    frequency: texts.of(row.frequency),
    band: texts.of(row.band),
    slogan: row.slogan ?? undefined,
    callSign: row.call_sign ?? undefined,
    description: row.description ?? undefined,
    homepage: row.homepage ?? undefined,
    zone: texts.of(row.zone),
    countryCode: texts.of(row.country_code),
    coordinate: coordinate(latitude, longitude),
    genreId: genreIds[0],
    genreName: nameOf(shared.genreNames, genreIds[0]),
    languageName: nameOf(shared.languageNames, languageIds[0]),
    regionId: row.region_id ?? undefined,
    placeName: undefined,
    genreIds,
    languageIds,
    affiliateIds,
    popularity: row.popularity,
    votes: row.votes,
    clicks: row.clicks,
    bitrate: sum.bitrate,
    reliability: sum.reliability,
    formats: sum.formats,
    hasUnknownFormat: sum.hasUnknownFormat,
    hasLogo,
    streams,
  };
  return { station, latitude, longitude };
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
