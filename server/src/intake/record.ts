import type { Coordinate } from '../lib/geo.ts';

/** The one shape that every source is turned into, still as dirty as its source; `cleanRecord` takes it from here. */
export interface StationRecord {
  source: string;
  /** The source's own id of the record. */
  record: string;
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
  /** True when the coordinate is that of the city, not of a studio or transmitter. */
  coordinateIsCity?: boolean | undefined;
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
  /** A date, or a date and time, as ISO 8601 writes them. */
  lastSeen?: string | undefined;
  radioBrowserId?: string | undefined;
  dead?: boolean | undefined;
}
