import type { Coordinate } from '../lib/geo.ts';
import type { FormatMask, StreamFormat } from '../lib/stream-format.ts';
import type { Verdict } from '../lib/verdict.ts';
import type { Sites } from './sites.ts';

export interface DirectoryStream {
  readonly id: number;
  readonly address: string;
  /** Where a playlist or a redirect leads; undefined when that is not known or is the address itself. */
  readonly resolvedAddress: string | undefined;
  readonly format: StreamFormat | undefined;
  readonly playlist: string | undefined;
  readonly bitrate: number;
  readonly reliability: number;
  /** Of the last check; undefined before the first. */
  readonly verdict: Verdict | undefined;
  /** As measured: `HE-AAC`. */
  readonly codec: string | undefined;
  /** How often a player is sent elsewhere on the way, as far as it is known. */
  readonly redirects: number;
}

/** Every field is always there, so that all stations have one shape and reading a field stays one load. */
export interface DirectoryStation {
  readonly id: number;
  /** Its place in `Snapshot.stations`. */
  readonly rank: number;
  readonly name: string;
  readonly frequency: string | undefined;
  readonly band: string | undefined;
  readonly slogan: string | undefined;
  readonly callSign: string | undefined;
  readonly description: string | undefined;
  readonly homepage: string | undefined;
  /** An IANA name: `Europe/Berlin`. */
  readonly zone: string | undefined;
  /** ISO 3166-1: `DE`. */
  readonly countryCode: string | undefined;
  /** Of its own, else undefined; a place's coordinate is the region's. */
  readonly coordinate: Coordinate | undefined;
  /** The first of `genreIds`. */
  readonly genreId: number | undefined;
  readonly genreName: string | undefined;
  readonly languageName: string | undefined;
  readonly regionId: number | undefined;
  readonly placeName: string | undefined;
  readonly genreIds: readonly number[];
  readonly languageIds: readonly number[];
  readonly affiliateIds: readonly number[];
  readonly popularity: number;
  readonly votes: number;
  readonly clicks: number;
  /** The highest of the streams'. */
  readonly bitrate: number;
  /** The best of the streams'. */
  readonly reliability: number;
  /** The known formats of the streams. */
  readonly formats: FormatMask;
  readonly hasUnknownFormat: boolean;
  readonly hasLogo: boolean;
  /** Best first: reliability, then bitrate. Never empty. */
  readonly streams: readonly DirectoryStream[];
}

/** The stations of a genre, a region or a language, those of its descendants included. */
export interface StationGroup {
  readonly id: number;
  readonly name: string;
  readonly stationCount: number;
  /** Places in `Snapshot.stations`, rising, and so in order of popularity. */
  readonly ranks: Int32Array;
  /** What any of its stations plays, as in `Snapshot.playable`. */
  readonly playable: FormatMask;
}

export interface DirectoryGenre extends StationGroup {
  readonly slug: string;
  readonly parent: DirectoryGenre | undefined;
  /** In the taxonomy's own order, without stations or with. */
  readonly children: readonly DirectoryGenre[];
}

export const REGION_KINDS = ['root', 'continent', 'country', 'state', 'city'] as const;
export type RegionKind = (typeof REGION_KINDS)[number];

/** Only regions that have stations are here, and their ancestors. */
export interface DirectoryRegion extends StationGroup {
  readonly kind: RegionKind;
  /** `country:DE`, `state:DE.04`. */
  readonly code: string;
  readonly coordinate: Coordinate | undefined;
  readonly parent: DirectoryRegion | undefined;
  /** By name. */
  readonly children: readonly DirectoryRegion[];
}

/** A country as accounts name it; what there is to hear in it is its region's. */
export interface DirectoryCountry {
  /** ISO 3166-1: `DE`. */
  readonly code: string;
  readonly name: string;
  readonly regionId: number;
}

/** All that are known, as with genres: some have shows alone. */
export interface DirectoryLanguage extends StationGroup {
  readonly code: string;
}

/** A network of stations. Only those that have stations are here. */
export interface DirectoryAffiliate extends StationGroup {
  readonly homepage: string | undefined;
}

/** One state of the directory. Nothing in it ever changes; a change of the catalogue makes another one. */
export interface Snapshot {
  /** The catalogue's version that this shows, and no other. */
  readonly version: number;
  /** When the catalogue came to that version; a restored one can have a version that was there before. */
  readonly changedAt: Temporal.Instant;
  /** The most popular first, then the older id; a station's place here is its rank. */
  readonly stations: readonly DirectoryStation[];
  readonly streamCount: number;
  /** By rank: the station's formats, and `UNKNOWN_FORMAT` when it has a stream of which nobody knows. */
  readonly playable: Int32Array;
  /** 0, 1, 2 …: the list of everything, in the form of every other list. */
  readonly everyRank: Int32Array;
  readonly stationById: ReadonlyMap<number, DirectoryStation>;
  readonly genreById: ReadonlyMap<number, DirectoryGenre>;
  /** Genres without a parent, in the taxonomy's own order. */
  readonly topGenres: readonly DirectoryGenre[];
  readonly regionById: ReadonlyMap<number, DirectoryRegion>;
  /** Every country, with stations or without. */
  readonly countryById: ReadonlyMap<number, DirectoryCountry>;
  readonly languageById: ReadonlyMap<number, DirectoryLanguage>;
  /** Those that have stations, by name. */
  readonly languages: readonly DirectoryLanguage[];
  readonly affiliateById: ReadonlyMap<number, DirectoryAffiliate>;
  readonly sites: Sites;
}
