import { randomBytes } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { writeInPassing } from '../../../storage/cache/in-time.ts';
import type { Queryable } from '../../../storage/db/pool.ts';
import { type RowOf, statement } from '../../../storage/db/statement.ts';
import { transaction } from '../../../storage/db/transaction.ts';
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
const holdByPassword = statement(
  'session-holder',
  { id: 'int8' },
  `SELECT id FROM accounts WHERE id = $1 AND coalesce(site_password_hash, password_hash) = $2 FOR NO KEY UPDATE`,
);
const listOver = statement(
  'sessions-over',
  { token_hash: 'bytea' },
  `SELECT token_hash FROM site_sessions WHERE account_id = $1 AND token_hash <> ALL ($2::bytea[])
   ORDER BY seen_at DESC OFFSET ${MAX_SESSIONS - 1}`,
);
const end = statement('session-end', {}, 'DELETE FROM site_sessions WHERE token_hash = ANY ($1::bytea[])');
const add = statement(
  'session-add',
  {},
  `INSERT INTO site_sessions (token_hash, account_id, created_at, seen_at, expires_at, agent, key_version)
   VALUES ($1, $2, $3, $3, $3::timestamptz + interval '${IDLE_DAYS} days', $4, $5)`,
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
  client: PoolClient,
  keys: MemberKeys,
  { accountId, passwordHash, earlier, agent, now }: NewSession,
): Promise<string | undefined> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const [{ hash, version }] = hashesOf(keys, token);
  const holders = await holdByPassword.run(client, [accountId, passwordHash]);
  if (holders.length === 0) return undefined;
  const ended = earlier === undefined ? [] : bytesOf(hashesOf(keys, earlier));
  const over = await listOver.run(client, [accountId, ended]);
  const gone = [...ended, ...over.map(({ token_hash: each }) => each)];
  if (gone.length > 0) await end.run(client, [gone]);
  await add.run(client, [hash, accountId, now.toString(), agent, version]);
  return token;
}

const FOUND = {
  token_hash: 'bytea',
  account_id: 'int8',
  created_at: 'timestamptz',
  seen_at: 'timestamptz',
  key_version: 'int2',
} as const;
const find = statement(
  'session-find',
  FOUND,
  `SELECT ${Object.keys(FOUND).join(', ')} FROM site_sessions
   WHERE token_hash = ANY ($1::bytea[]) AND expires_at > $2`,
);
const touch = statement(
  'session-touch',
  {},
  'UPDATE site_sessions SET seen_at = $2, expires_at = $3 WHERE token_hash = $1',
);
// A password change ends the sessions it finds: one that is on its way from one key to the other it would not find.
const holdAccount = statement(
  'session-account',
  { id: 'int8' },
  'SELECT id FROM accounts WHERE id = $1 FOR NO KEY UPDATE',
).exists((accountId: number) => [accountId]);
// Its key decides which server it is on, so it is taken from there and added here.
const leave = statement(
  'session-leave',
  { agent: 'text?' },
  'DELETE FROM site_sessions WHERE token_hash = $1 RETURNING agent',
);
const enter = statement(
  'session-enter',
  {},
  `INSERT INTO site_sessions (token_hash, account_id, created_at, seen_at, expires_at, agent, key_version)
   VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
);

/**
 * The account of a session, whose last-seen time is updated; undefined for an ended or unknown session. One that is
 * stored under an earlier key is stored under the current one from now on.
 */
export async function findSession(
  pool: Pool,
  keys: MemberKeys,
  { token, now }: { token: string; now: Temporal.Instant },
): Promise<number | undefined> {
  const hashes = hashesOf(keys, token);
  const [current] = hashes;
  const [session] = await find.run(pool, [bytesOf(hashes), now.toString()]);
  if (!session) return undefined;
  const isStale = Temporal.Instant.compare(session.seen_at.add(SEEN_WITHIN), now) < 0;
  if (session.key_version < current.version) await writeInPassing(() => rehash(pool, session, current, now));
  else if (isStale)
    await writeInPassing(() => touch.run(pool, [session.token_hash, ...timesOf(session, now)]));
  return session.account_id;
}

/** When it was seen last, and when it ends. */
function timesOf({ created_at: created }: RowOf<typeof FOUND>, now: Temporal.Instant): [string, string] {
  const [idle, most] = [now.add({ hours: 24 * IDLE_DAYS }), created.add({ hours: 24 * MAX_DAYS })];
  return [now.toString(), (Temporal.Instant.compare(idle, most) < 0 ? idle : most).toString()];
}

/** Under the current key; of two calls at once, one finds it gone. */
const rehash = (
  pool: Pool,
  session: RowOf<typeof FOUND>,
  { hash, version }: VersionedHash,
  now: Temporal.Instant,
): Promise<void> =>
  transaction(pool, async (client) => {
    await holdAccount(client, session.account_id);
    const [left] = await leave.run(client, [session.token_hash]);
    if (!left) return;
    const { account_id: id, created_at: created } = session;
    await enter.run(client, [hash, id, created.toString(), ...timesOf(session, now), left.agent, version]);
  });

export async function endSession(db: Queryable, keys: MemberKeys, token: string): Promise<void> {
  await end.run(db, [bytesOf(hashesOf(keys, token))]);
}

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
