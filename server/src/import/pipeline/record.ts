import type { Coordinate } from '../../lib/geo.ts';

/** How a point was learned: from a register of transmitters, from the station itself, or from the name of a city. */
export const POINT_SOURCES = ['register', 'claim', 'city'] as const;
export type PointSource = (typeof POINT_SOURCES)[number];

/** The source of stations that announce themselves (docs/yp.md): nobody else vouches for what they say. */
export const ANNOUNCED_SOURCE = 'yp';

/** The one shape that every source is converted to, still as dirty as its source; `cleanRecord` takes it from here. */
export interface StationRecord {
  source: string;
  /** The source's own id for the record. */
  record: string;
  /** The list that it was copied from, where a source is put together from several. */
  list?: string | undefined;
  name: string;
  address: string;
  resolvedAddress?: string | undefined;
  homepage?: string | undefined;
  logo?: string | undefined;
  countryCode?: string | undefined;
  countryName?: string | undefined;
  state?: string | undefined;
  city?: string | undefined;
  coordinate?: Coordinate | undefined;
  /** Of the coordinate; a claim where the source says nothing. */
  pointSource?: PointSource | undefined;
  /** ISO 639-1 or 639-3 codes, or names. */
  languages: string[];
  tags: string[];
  codec?: string | undefined;
  /** 0 when unknown. */
  bitrateKbps: number;
  hls: boolean;
  votes: number;
  clicks: number;
  lastCheckOk?: boolean | undefined;
  /** A date, or a date and time, in ISO 8601. */
  lastSeen?: string | undefined;
  radioBrowserId?: string | undefined;
  dead?: boolean | undefined;
}
