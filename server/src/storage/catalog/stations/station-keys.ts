import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Queryable } from '../../db/pool.ts';
import { type RowOf, statement } from '../../db/statement.ts';

/** Enough for a studio, its automation and their successors. */
export const MAX_KEYS = 10;
const KEY_BYTES = 24;
/** Makes a key recognisable to people who find it in a file, and to secret scanners. */
const KEY_PREFIX = 'lwk_';

const KEY = {
  key_hash: 'bytea',
  name: 'text',
  created_at: 'timestamptz',
  last_used_at: 'timestamptz?',
} as const;
export type StationKeyRow = RowOf<typeof KEY>;

export const listStationKeys = statement(
  'station-keys',
  KEY,
  `SELECT key_hash, name, created_at, last_used_at FROM station_keys WHERE station_id = $1
   ORDER BY created_at, key_hash LIMIT 100`,
).all((stationId: number) => [stationId]);

const add = statement(
  'station-key-add',
  { station_id: 'int8' },
  `INSERT INTO station_keys (station_id, key_hash, name)
   SELECT s.id, $2, $3 FROM stations AS s
   WHERE s.id = $1 AND (SELECT count(*) FROM station_keys WHERE station_id = $1) < ${MAX_KEYS}
   RETURNING station_id`,
);

/** A new key, which cannot be shown again; undefined when the station has the maximum number. */
export async function addStationKey(
  db: Queryable,
  stationId: number,
  name: string,
): Promise<string | undefined> {
  const key = KEY_PREFIX + randomBytes(KEY_BYTES).toString('base64url');
  const added = await add.run(db, [stationId, hashOf(key), name]);
  return added.length > 0 ? key : undefined;
}

export const removeStationKey = statement(
  'station-key-remove',
  { name: 'text' },
  'DELETE FROM station_keys WHERE station_id = $1 AND key_hash = $2 RETURNING name',
).exists((stationId: number, keyHash: Buffer) => [stationId, keyHash]);

export const noteKeyUse = statement(
  'station-key-use',
  {},
  `UPDATE station_keys SET last_used_at = now() WHERE station_id = $1 AND key_hash = $2
   AND (last_used_at IS NULL OR last_used_at < now() - interval '1 hour')`,
).command((stationId: number, keyHash: Buffer) => [stationId, keyHash]);

/** Names a key where the key itself must not appear. */
export const keyFingerprint = ({ key_hash: keyHash }: Pick<StationKeyRow, 'key_hash'>): string =>
  keyHash.subarray(0, 4).toString('hex');

/** The station's key that matches the given one. Constant time, whichever matches and however much of it is right. */
export function findGivenKey<K extends Pick<StationKeyRow, 'key_hash'>>(
  keys: readonly K[],
  given: string,
): K | undefined {
  const sought = hashOf(given);
  return keys.filter(({ key_hash: known }) => timingSafeEqual(known, sought)).at(0);
}

const hashOf = (key: string): Buffer => hash('sha256', key, 'buffer');
