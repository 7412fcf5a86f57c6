import { type StationKeyRow, keyFingerprint } from '../catalog/station-keys.ts';
import { inColumns } from './in-columns.ts';

/** A line each, in columns; by what a key is dropped, never the key. */
export const writeStationKeys = (keys: readonly StationKeyRow[]): string =>
  inColumns([
    ['KEY', 'MADE', 'LAST USED', 'NAME'],
    ...keys.map((key) => [
      keyFingerprint(key),
      dayOf(key.created_at),
      key.last_used_at ? dayOf(key.last_used_at) : 'never',
      key.name,
    ]),
  ]);

const dayOf = (at: Temporal.Instant): string => at.toString().slice(0, 10);
