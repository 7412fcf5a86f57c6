import type { Pool } from 'pg';
import { deviceKey, hashesOf } from '../../src/core/accounts/devices/devices.ts';
import type { MemberKeys } from '../../src/core/accounts/keys.ts';
import { PARTNER, type Told } from './preset-writers.ts';

/** What the database holds, against what was acknowledged. Empty lists are what is hoped for. */
export interface Ledger {
  saved: number;
  /** Acknowledged, and not so: what was saved and is not there, what was removed and is. */
  lost: string[];
  /** Refused, and done all the same. */
  done: string[];
  /** There more than once: an item of a device, or a position of a folder. */
  twice: string[];
  /** Whose count of presets or last position is another than that of its rows; and accounts that no device leads to. */
  unsound: string[];
}

const SAVED = `SELECT encode(serial_hash, 'hex') || ' ' || coalesce(address, kind || item_id) AS item,
    folder_id || ' at ' || position AS place
  FROM devices JOIN presets USING (account_id)`;

const UNSOUND = `
  SELECT 'account ' || id || ' counts ' || preset_count AS what FROM accounts
  WHERE preset_count <> (SELECT count(*) FROM presets WHERE account_id = accounts.id)
  UNION ALL
  SELECT 'folder ' || id || ' ends at ' || last_position FROM folders
  WHERE last_position <> (SELECT coalesce(max(position), 0) FROM presets
    WHERE account_id = folders.account_id AND folder_id = folders.id)
  UNION ALL
  SELECT 'account ' || id || ' belongs to nobody' FROM accounts
  WHERE id NOT IN (SELECT account_id FROM devices WHERE account_id IS NOT NULL)`;

export async function readLedger(pool: Pool, keys: MemberKeys, told: Iterable<Told>): Promise<Ledger> {
  const { rows } = await pool.query<{ item: string; place: string }>(SAVED);
  const items = rows.map(({ item }) => item);
  const there = new Set(items);
  const { rows: unsound } = await pool.query<{ what: string }>(UNSOUND);
  const wrong = Array.from(told).filter(
    (one) => keysOf(keys, one).some((key) => there.has(key)) !== one.isThere,
  );
  return {
    saved: rows.length,
    lost: wrong.filter(({ isRefused }) => !isRefused).map(nameOf),
    done: wrong.filter(({ isRefused }) => isRefused).map(nameOf),
    twice: [...repeated(items), ...repeated(rows.map(({ place }) => place))],
    unsound: unsound.map(({ what }) => what),
  };
}

const nameOf = ({ serial, item, isThere }: Told): string =>
  `${item} on ${serial} is ${isThere ? 'not ' : ''}there`;

/** Under each key that is accepted. */
const keysOf = (keys: MemberKeys, { serial, item }: Told): string[] =>
  hashesOf(deviceKey(keys, PARTNER, serial)).map((hash) => `${hash.toString('hex')} ${item}`);

function repeated(texts: readonly string[]): string[] {
  const seen = new Set<string>();
  return texts.filter((text) => seen.size === seen.add(text).size);
}
