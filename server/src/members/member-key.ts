import type { Queryable } from '../db/pool.ts';
import { statement } from '../db/statement.ts';
import type { MemberKeys } from './keys.ts';

const keep = statement(
  'member-key-keep',
  {},
  'INSERT INTO member_key (fingerprint) VALUES ($1) ON CONFLICT DO NOTHING',
);
const kept = statement('member-key', { fingerprint: 'bytea' }, 'SELECT fingerprint FROM member_key');

/** Refuses a key other than the one this database's hashes were made with; the first one ever used is that one. */
export async function requireSameKey(db: Queryable, { fingerprint }: MemberKeys): Promise<void> {
  // A database that only reads, as after a failover that has gone half-way, must not keep the service from starting.
  const [known] = await kept.run(db, []);
  if (!known) await keep.run(db, [fingerprint]);
  const [first] = known ? [known] : await kept.run(db, []);
  if (first?.fingerprint.equals(fingerprint)) return;
  throw new Error(
    'MEMBER_KEY is not the one this database was used with: no password and no device would be known. ' +
      'Set the key that belongs to it, or unset MEMBER_KEY to serve without accounts.',
  );
}

/** Whether this database was used with another key; nothing is written. */
export async function isOtherKey(db: Queryable, { fingerprint }: MemberKeys): Promise<boolean> {
  const [first] = await kept.run(db, []);
  return first !== undefined && !first.fingerprint.equals(fingerprint);
}
