import type { Log } from '../../lib/log.ts';
import type { Queryable } from '../../storage/db/pool.ts';
import { statement } from '../../storage/db/statement.ts';
import type { KeyState, MemberKeys } from './keys.ts';

const keep = statement(
  'member-key-keep',
  {},
  'INSERT INTO member_key (fingerprint) VALUES ($1) ON CONFLICT DO NOTHING',
);
const storedKey = statement(
  'member-key',
  { fingerprint: 'bytea', version: 'int2', earlier_fingerprint: 'bytea?' },
  'SELECT fingerprint, version, earlier_fingerprint FROM member_key',
);

/** Undefined while the database was used with no key. */
export async function findKeyState(db: Queryable): Promise<KeyState | undefined> {
  const [row] = await storedKey.run(db, []);
  return row && { ...row, earlier: row.earlier_fingerprint ?? undefined };
}

/**
 * Refuses keys other than those that this database's hashes were made with; the first key used is recorded. The keys
 * then have the database's versions.
 */
export async function requireSameKey(db: Queryable, keys: MemberKeys): Promise<void> {
  // A read-only database, as after a failover that is half done, must not keep the service from starting.
  const known = await findKeyState(db);
  if (!known) await keep.run(db, [keys.all[0]?.fingerprint]);
  const state = known ?? (await findKeyState(db));
  if (!state) throw new Error('the database did not keep the fingerprint of MEMBER_KEY');
  const trouble = troubleWith(state, keys);
  if (trouble) throw new Error(`${trouble.what}. ${trouble.todo}.`);
  keys.follow(state);
}

interface KeyTrouble {
  what: string;
  todo: string;
}

/** Why these keys cannot be used with this database; undefined if they can. Writes nothing. */
export async function findKeyTrouble(db: Queryable, keys: MemberKeys): Promise<KeyTrouble | undefined> {
  const state = await findKeyState(db);
  return state && troubleWith(state, keys);
}

function troubleWith({ fingerprint, earlier }: KeyState, { all }: MemberKeys): KeyTrouble | undefined {
  const has = (wanted: Buffer): boolean => all.some((set) => set.fingerprint.equals(wanted));
  if (earlier && has(earlier) && !has(fingerprint))
    return {
      what: 'MEMBER_KEY was replaced by a newer key, and this is the old one',
      todo: 'Set MEMBER_KEY to the new key and MEMBER_KEY_OLD to this one',
    };
  if (!has(fingerprint))
    return {
      what: 'MEMBER_KEY is not the key this database was used with: no password and no device would be recognised',
      todo: 'Set the key that belongs to it, or unset MEMBER_KEY to serve without accounts',
    };
  if (earlier && !has(earlier))
    return {
      what: 'MEMBER_KEY_OLD is missing: passwords and devices are still stored under the old key',
      todo: 'Set it to the key before, until longwave config rotate-key says that it can go',
    };
  return undefined;
}

const FOLLOW_MS = 5000;

/** Follows a change of the key that the operator makes while this server runs. */
export function followKeyState(db: Queryable, keys: MemberKeys, log: Log): Disposable {
  let wasKnown = true;
  const look = async (): Promise<void> => {
    const state = await findKeyState(db).catch(() => undefined);
    if (!state) return;
    const isKnown = keys.follow(state);
    if (!isKnown && wasKnown)
      log.error(
        'MEMBER_KEY was replaced: accounts answer 503 until this server is restarted with the new key',
      );
    wasKnown = isKnown;
  };
  return setInterval(() => void look(), FOLLOW_MS).unref();
}
