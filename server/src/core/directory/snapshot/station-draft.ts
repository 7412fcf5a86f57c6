import { coordinate } from '../../../lib/geo.ts';
import { domainOf } from '../../cleaning/clean-homepage.ts';
import { parseRelayPermission } from '../../../storage/catalog/streams/relayed-stream.ts';
import { formatBit } from '../../../lib/stream-format.ts';
import type { SnapshotStationRow } from './queries.ts';
import type { DirectoryStation, DirectoryStream } from './snapshot.ts';

/** A station before its place has a name, with what only the building of a snapshot needs. */
export class SnapshotStationDraft {
  readonly station: Mutable<DirectoryStation>;
  /** The name as names are compared. */
  readonly nameKey: string;
  /** Whether its point is a mere claim: not from a register, and not that of a city that somebody named. */
  readonly isClaim: boolean;
  /** NaN where nobody knows. */
  latitude: number;
  longitude: number;
  readonly #homepageHost: string | null;

  constructor(row: SnapshotStationRow, station: DirectoryStation) {
    this.station = station;
    this.nameKey = row.name_key;
    this.isClaim = row.point_source === null || row.point_source === 'claim';
    this.latitude = row.latitude ?? Number.NaN;
    this.longitude = row.longitude ?? Number.NaN;
    this.#homepageHost = row.homepage_host;
  }

  /** The domain of its homepage, which tells owners apart; few are compared. */
  get domain(): string | undefined {
    return this.#homepageHost === null ? undefined : domainOf(this.#homepageHost);
  }
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** A station's related rows. */
export type StationRelations = Pick<
  DirectoryStation,
  'streams' | 'genreIds' | 'languageIds' | 'affiliateIds' | 'hasLogo'
>;

/** Shared by all drafts: names by id, and values that many stations repeat. */
export interface SharedStore {
  readonly genreNames: ReadonlyMap<number, string>;
  readonly languageNames: ReadonlyMap<number, string>;
  readonly texts: SharedTexts;
  readonly idLists: SharedIdLists;
}

/** Placeholder until all stations are read; see `rankStations`. */
const NOT_RANKED = -1;

/** Without a coordinate, latitude and longitude are NaN. */
export function draftStation(
  row: SnapshotStationRow,
  relations: StationRelations,
  shared: SharedStore,
): SnapshotStationDraft {
  const { genreIds, languageIds, affiliateIds, streams, hasLogo } = relations;
  const { texts } = shared;
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
    relay: parseRelayPermission(row.relay),
    countryCode: texts.of(row.country_code),
    coordinate: coordinate(row.latitude ?? Number.NaN, row.longitude ?? Number.NaN),
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
    addedHour: row.added_hour ?? 0,
    bitrate: sum.bitrate,
    reliability: sum.reliability,
    formats: sum.formats,
    hasUnknownFormat: sum.hasUnknownFormat,
    hasLogo,
    streams,
  };
  return new SnapshotStationDraft(row, station);
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

const NO_IDS: readonly number[] = Object.freeze([]);

/**
 * Deduplicates the few texts that many rows repeat ('FM', 'mp3', '97.9'); every row brings a string of its own. One per
 * load of the catalogue, so that it is freed with it.
 */
export class SharedTexts {
  readonly #known = new Map<string, string>();

  of(text: string | null): string | undefined {
    return text === null ? undefined : this.#known.getOrInsert(text, text);
  }
}

/**
 * `12,5` -> [12, 5]; the same text gives the same array. Stations have few combinations of genres and languages, so a
 * value computed for an array serves all its stations.
 */
export class SharedIdLists {
  readonly #known = new Map<string, readonly number[]>();

  of(text: string | null | undefined): readonly number[] {
    return text ? this.#known.getOrInsertComputed(text, parseIds) : NO_IDS;
  }
}

const parseIds = (text: string): readonly number[] => text.split(',').map(Number);

/** A million more than exist worldwide. */
export const MAX_STATIONS = 2 ** 21;
const MAX_POPULAR = 2 ** 31 - 1;

/**
 * Drafts in order of id -> the most popular first, then the older id. Popularity and index are packed into one number
 * each, because typed arrays sort without a comparison function: 100,000 in 8 ms instead of 60, during which nothing is
 * served. 31 bits and 21 fit the 53 that a number holds exactly.
 */
export function rankStations(drafts: readonly SnapshotStationDraft[]): SnapshotStationDraft[] {
  const keys = new Float64Array(drafts.length);
  for (let place = 0; place < drafts.length; place++) {
    keys[place] = (MAX_POPULAR - drafts[place]!.station.popularity) * MAX_STATIONS + place;
  }
  keys.sort();
  return Array.from(keys, (key, rank) => {
    const draft = drafts[key % MAX_STATIONS]!;
    draft.station.rank = rank;
    return draft;
  });
}
