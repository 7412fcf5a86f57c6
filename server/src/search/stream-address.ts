import type { Queryable } from '../db/pool.ts';
import { addressKey, cleanAddress } from '../intake/clean-address.ts';
import { stationsOfAddress } from './queries.ts';

const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;
/** A host with a dot or a port, and something behind it or a scheme before: what nobody types as a name. */
const LOOKS_LIKE_ONE =
  /^(?:[a-z]{3,6}:\/\/\S+|[\w-]+(?:\.[\w-]+)+(?::\d{1,5})?\/\S*|[\w-]+(?:\.[\w-]+)+:\d{1,5})$/i;

export const looksLikeAddress = (text: string): boolean => LOOKS_LIKE_ONE.test(text);

/** The key under which an import would know the address, its scheme left out or not; undefined when it is none. */
export function keyOfAddress(text: string): string | undefined {
  const cleaned = cleanAddress(SCHEME.test(text) ? text : `http://${text}`);
  return 'refused' in cleaned ? undefined : addressKey(cleaned.key);
}

export const idsOfAddress = async (db: Queryable, key: string): Promise<number[]> =>
  (await stationsOfAddress.run(db, [key])).map((row) => row.station_id);
