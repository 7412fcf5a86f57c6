import type { Pool } from 'pg';
import { deviceKey, hashesOf } from '../../../src/core/accounts/devices/devices.ts';
import type { MemberKeys } from '../../../src/core/accounts/keys.ts';
import { auditMembers } from '../../database/schema/member-audit.ts';
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
  /** What `member-audit.ts` finds. */
  unsound: string[];
}

const SAVED = `SELECT encode(serial_hash, 'hex') || ' ' || coalesce(address, kind || item_id) AS item,
    folder_id || ' at ' || position AS place
  FROM devices JOIN presets USING (account_id)`;

export async function readLedger(pool: Pool, keys: MemberKeys, told: Iterable<Told>): Promise<Ledger> {
  const { rows } = await pool.query<{ item: string; place: string }>(SAVED);
  const items = rows.map(({ item }) => item);
  const there = new Set(items);
  const wrong = Array.from(told).filter(
    (one) => keysOf(keys, one).some((key) => there.has(key)) !== one.isThere,
  );
  return {
    saved: rows.length,
    lost: wrong.filter(({ isRefused }) => !isRefused).map(nameOf),
    done: wrong.filter(({ isRefused }) => isRefused).map(nameOf),
    twice: [...repeated(items), ...repeated(rows.map(({ place }) => place))],
    unsound: await auditMembers(pool),
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
