import type { Pool, PoolClient } from 'pg';
import type { Queryable } from '../../storage/db/pool.ts';
import { transaction } from '../../storage/db/transaction.ts';
import type { KeyState } from './keys.ts';

/*
 * How MEMBER_KEY is replaced while servers run:
 *
 *   prepared   every server is restarted with the new key as MEMBER_KEY and the one before as MEMBER_KEY_OLD. They accept
 *              hashes under both and go on writing under the one that the database names, as servers that were not
 *              restarted yet do
 *   switched   the database names the new key. Servers notice within seconds, write under it, and store again what they
 *              are told in plain: a password when its owner signs in, a session and a radio when they call
 *              App passwords are sealed, not hashed: `longwave config rotate-key` seals all of them anew at once
 *   finished   the database no longer knows the old key
 *
 * Servers that have both keys need not notice the switch at the same time: see `lockSerial`.
 */

/** What is stored under the key before, and only its owner can bring under the new one. */
export interface UnderOldKey {
  /** Accounts with a password that was not used since the switch. */
  passwords: number;
  /** Radios that did not call since, and the presets that would be lost with those that have no named account. */
  devices: number;
  presets: number;
  sessions: number;
  /** Mailed passwords and links that are still valid: a day at most. */
  mailed: number;
}

// Accounts are listed first: what is found by a serial may be on another server.
const COUNTS = `WITH owners AS MATERIALIZED (SELECT account_id FROM devices WHERE key_version < $1),
  nameless AS MATERIALIZED (SELECT id FROM accounts WHERE username IS NULL AND id IN (SELECT account_id FROM owners))
SELECT
  (SELECT count(*) FROM accounts WHERE password_hash LIKE $2 OR site_password_hash LIKE $2) AS passwords,
  (SELECT count(*) FROM owners) AS devices,
  (SELECT count(*) FROM presets WHERE account_id IN (SELECT id FROM nameless)) AS presets,
  (SELECT count(*) FROM site_sessions WHERE key_version < $1 AND expires_at > now()) AS sessions,
  (SELECT count(*) FROM accounts WHERE reset_until > now() AND reset_key_version < $1) AS mailed`;

export async function countUnderOldKey(db: Queryable, { version }: KeyState): Promise<UnderOldKey> {
  const values = [version, `${version - 1}$%`];
  const { rows } = await db.query<UnderOldKey & Record<string, number>>({ text: COUNTS, values });
  const [counts] = rows;
  if (!counts) throw new Error('a count gave no row');
  return counts;
}

/**
 * Makes a prepared key the one to write with. Pairing codes of servers that were not restarted yet are withdrawn: such a
 * code leads to a serial under the old key alone, and its radio shows another.
 */
export const switchKey = (pool: Pool, from: KeyState, to: Buffer): Promise<void> =>
  transaction(pool, async (client) => {
    const values = [to, from.fingerprint, from.version];
    await changed(
      client,
      `UPDATE member_key SET fingerprint = $1, earlier_fingerprint = $2, version = $3 + 1, switched_at = now()
       WHERE fingerprint = $2 AND version = $3 AND earlier_fingerprint IS NULL`,
      values,
    );
    await client.query('DELETE FROM device_claims WHERE other_hash IS NULL');
  });

/** Ends the time of the old key. */
export const finishKey = (pool: Pool, { version }: KeyState): Promise<void> =>
  transaction(pool, (client) =>
    changed(client, 'UPDATE member_key SET earlier_fingerprint = NULL WHERE version = $1', [version]),
  );

async function changed(client: PoolClient, text: string, values: unknown[]): Promise<void> {
  const { rowCount } = await client.query(text, values);
  if (rowCount !== 1) throw new Error('the key was changed by somebody else just now; look again');
}

/** A `longwave serve` that is connected to the database, by what its connections are named. */
export interface RunningServer {
  name: string;
  address: string;
}

const SERVERS = `SELECT DISTINCT application_name AS name, coalesce(host(client_addr), 'this machine') AS address
  FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'longwave serve%' ORDER BY 1, 2`;

export async function listRunningServers(db: Queryable): Promise<RunningServer[]> {
  const { rows } = await db.query<RunningServer & Record<string, string>>({ text: SERVERS });
  return rows;
}

const SHOWN = 8;

/** How a server says which keys it has, in the name of its connections. */
export const writeKeyNames = (fingerprints: readonly Buffer[]): string =>
  fingerprints.length === 0
    ? 'no key'
    : `key ${fingerprints
        .map((each) => each.toString('hex').slice(0, SHOWN))
        .toSorted()
        .join(' ')}`;

/** Whether a server has this key; one without accounts needs none. An older version does not say which it has. */
export const hasKey = ({ name }: RunningServer, fingerprint: Buffer): boolean =>
  name.includes('no key') || name.includes(fingerprint.toString('hex').slice(0, SHOWN));
