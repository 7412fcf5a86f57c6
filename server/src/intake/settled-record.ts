import type { Coordinate } from '../lib/geo.ts';
import type { CleanRecord } from './clean-record.ts';

/** A record with its words resolved to our ids: what recognition and writing work on. */
export interface SettledRecord {
  source: string;
  record: string;
  /** Changes when, and only when, what the record says changes. */
  digest: string;
  clean: CleanRecord;
  /** `clean` as it is kept; written once for the digest and for the row. */
  facts: string;
  countryId: number | null;
  regionId: number | null;
  coordinate: Coordinate | null;
  zone: string | null;
  genreIds: readonly number[];
  languageIds: readonly number[];
}
