import { randomBytes } from 'node:crypto';
import { writeInPassing } from '../../../storage/cache/in-time.ts';
import type { Queryable } from '../../../storage/db/pool.ts';
import { statement } from '../../../storage/db/statement.ts';
import type { MemberKeys, VersionedHash } from '../keys.ts';

/** A session unused for this long ends. */
const IDLE_DAYS = 30;
/** Every session ends after this long. */
const MAX_DAYS = 365;
/** Per account; the least recently used session is removed. */
export const MAX_SESSIONS = 20;
const TOKEN_BYTES = 32;
/** Precision of a session's last-seen time; writing it on every call would be wasteful. */
const SEEN_WITHIN = { hours: 1 };

/** Under every accepted key, the one to store first. */
const hashesOf = (keys: MemberKeys, token: string): [VersionedHash, ...VersionedHash[]] =>
  keys.hashes('code', 'session', token);

const bytesOf = (hashes: readonly VersionedHash[]): Buffer[] => hashes.map(({ hash }) => hash);

// The account is locked while its password is compared: a password change either comes first, and no session begins, or
// waits and then ends this session with the others.
const add = statement(
  'session-add',
  { account_id: 'int8' },
  `WITH holder AS (
     SELECT id FROM accounts WHERE id = $2 AND coalesce(site_password_hash, password_hash) = $5 FOR NO KEY UPDATE
   ), over AS (
     (SELECT token_hash FROM site_sessions WHERE account_id = $2 AND token_hash <> ALL ($6::bytea[])
      ORDER BY seen_at DESC OFFSET ${MAX_SESSIONS - 1})
     UNION ALL SELECT unnest($6::bytea[])
   ), gone AS (
     DELETE FROM site_sessions USING holder WHERE token_hash = ANY (ARRAY(SELECT token_hash FROM over))
   )
   INSERT INTO site_sessions (token_hash, account_id, created_at, seen_at, expires_at, agent, key_version)
   SELECT $1, id, $3, $3, $3::timestamptz + interval '${IDLE_DAYS} days', $4, $7 FROM holder RETURNING account_id`,
);

export interface NewSession {
  accountId: number;
  /** The stored hash that the login matched. */
  passwordHash: string;
  /** The cookie's previous value; that session ends. */
  earlier: string | undefined;
  agent: string;
  now: Temporal.Instant;
}

/**
 * Begins a session and returns its cookie value. Always a new value: nobody else can have chosen it. Undefined when the
 * password used to sign in is no longer the account's password.
 */
export async function openSession(
  db: Queryable,
  keys: MemberKeys,
  { accountId, passwordHash, earlier, agent, now }: NewSession,
): Promise<string | undefined> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const ended = earlier === undefined ? [] : bytesOf(hashesOf(keys, earlier));
  const [{ hash, version }] = hashesOf(keys, token);
  const added = await add.run(db, [hash, accountId, now.toString(), agent, passwordHash, ended, version]);
  return added.length > 0 ? token : undefined;
}

const find = statement(
  'session-find',
  { account_id: 'int8', seen_at: 'timestamptz', key_version: 'int2' },
  `SELECT account_id, seen_at, key_version FROM site_sessions
   WHERE token_hash = ANY ($1::bytea[]) AND expires_at > $2`,
);
const touch = statement(
  'session-touch',
  {},
  `UPDATE site_sessions SET seen_at = $2,
     expires_at = least($2::timestamptz + interval '${IDLE_DAYS} days', created_at + interval '${MAX_DAYS} days'),
     token_hash = $3, key_version = $4
   WHERE token_hash = ANY ($1::bytea[])`,
);

/**
 * The account of a session, whose last-seen time is updated; undefined for an ended or unknown session. One that is
 * stored under an earlier key is stored under the current one from now on.
 */
export async function findSession(
  db: Queryable,
  keys: MemberKeys,
  { token, now }: { token: string; now: Temporal.Instant },
): Promise<number | undefined> {
  const hashes = hashesOf(keys, token);
  const [{ hash, version }] = hashes;
  const [session] = await find.run(db, [bytesOf(hashes), now.toString()]);
  if (!session) return undefined;
  const isStale = Temporal.Instant.compare(session.seen_at.add(SEEN_WITHIN), now) < 0;
  if (isStale || session.key_version < version)
    await writeInPassing(() => touch.run(db, [bytesOf(hashes), now.toString(), hash, version]));
  return session.account_id;
}

export const endSession = statement(
  'session-end',
  {},
  'DELETE FROM site_sessions WHERE token_hash = ANY ($1::bytea[])',
).command((keys: MemberKeys, token: string) => [bytesOf(hashesOf(keys, token))]);

/** Signs an account out everywhere. */
export const endSessions = statement(
  'sessions-end',
  {},
  'DELETE FROM site_sessions WHERE account_id = $1',
).command((accountId: number) => [accountId]);

const LISTED = {
  created_at: 'timestamptz',
  seen_at: 'timestamptz',
  expires_at: 'timestamptz',
  agent: 'text?',
} as const;

/** An account's sessions as shown to its owner. */
export const listSessions = statement(
  'sessions-of-account',
  LISTED,
  `SELECT ${Object.keys(LISTED).join(', ')} FROM site_sessions WHERE account_id = $1
   ORDER BY seen_at DESC LIMIT ${MAX_SESSIONS}`,
).all((accountId: number) => [accountId]);
