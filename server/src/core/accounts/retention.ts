import type { Pool, PoolClient } from 'pg';
import type { Log } from '../../lib/log.ts';
import { LOCKS, takeLock } from '../../storage/db/advisory-lock.ts';
import { statement } from '../../storage/db/statement.ts';
import { inTransaction } from '../../storage/db/transaction.ts';
import { emailKey } from './accounts.ts';
import { KNOWN_DAYS } from './login/known-networks.ts';
import { UNDO_DAYS } from './undo.ts';

const FIRST_MS = 60_000;
const DAY_MS = 24 * 3_600_000;

/** Purges a minute after startup, then daily. */
export function purgeDaily(pool: Pool, log: Log): Disposable {
  const once = async (): Promise<void> => {
    try {
      const rows = await purge(pool);
      if (rows !== undefined) log.info({ rows }, 'deleted data kept for thirty days');
    } catch (error) {
      log.warn({ err: error }, 'could not delete data kept for thirty days; trying again tomorrow');
    }
  };
  const timers = new DisposableStack();
  timers.use(setTimeout(() => void once(), FIRST_MS).unref());
  timers.use(setInterval(() => void once(), DAY_MS).unref());
  return timers;
}

/** Small enough not to delay other statements. */
const BATCH = 200;

/** A statement that deletes a batch of rows whose column `since` is so many days ago. */
function expire(
  name: string,
  table: string,
  key: readonly string[],
  { since, days = 0, where = 'true' }: { since: string; days?: number; where?: string },
) {
  const isOld = key.map((column) => `t.${column} = old.${column}`).join(' AND ');
  // `SKIP LOCKED`: rows in use are tried again tomorrow.
  return statement(
    name,
    { gone: 'int8' },
    `WITH old AS (SELECT ${key.join(', ')} FROM ${table} WHERE ${since} < now() - interval '${days} days' AND ${where}
         ORDER BY ${since} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED),
       gone AS (DELETE FROM ${table} AS t USING old WHERE ${isOld} RETURNING 1)
     SELECT count(*) AS gone FROM gone`,
  ).oneValue();
}

// A removed folder's presets were already subtracted from the account's count.
const expireFolders = statement(
  'forget-folders',
  { gone: 'int8' },
  `WITH old AS (SELECT account_id, id FROM folders WHERE removed_at < now() - interval '${UNDO_DAYS} days'
       ORDER BY removed_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED),
     presets_gone AS (DELETE FROM presets USING old
       WHERE presets.account_id = old.account_id AND presets.folder_id = old.id RETURNING 1),
     gone AS (DELETE FROM folders USING old WHERE folders.account_id = old.account_id AND folders.id = old.id RETURNING 1)
   SELECT count(*) AS gone FROM gone`,
).oneValue();

const EXPIRE = [
  expire('forget-claims', 'device_claims', ['code_hash'], { since: 'expires_at' }),
  expire('forget-networks', 'known_networks', ['account_id', 'network_hash'], {
    since: 'seen_at',
    days: KNOWN_DAYS,
  }),
  expireFolders,
  expire('forget-reporters', 'counted_reports', ['stream_id', 'is_good', 'reporter'], {
    since: 'said_at',
    days: KNOWN_DAYS,
  }),
  expire('forget-reports', 'reports', ['id'], {
    since: 'last_at',
    days: KNOWN_DAYS,
    where: "state <> 'open'",
  }),
  expire('forget-suggestions', 'suggestions', ['address_key'], { since: 'expires_at' }),
  expire('forget-sessions', 'site_sessions', ['token_hash'], { since: 'expires_at' }),
  expire('forget-account-devices', 'account_devices', ['account_id', 'scope', 'serial_hash'], {
    since: 'dropped_at',
    days: UNDO_DAYS,
  }),
];

const listOldAccounts = statement(
  'forget-old-accounts',
  { ids: 'int8[]' },
  `SELECT coalesce(array_agg(id), '{}') AS ids FROM (SELECT id FROM accounts
     WHERE left_at < now() - interval '${UNDO_DAYS} days' AND username IS NULL
     ORDER BY left_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) AS old`,
).oneValue();
const removeAccounts = statement(
  'forget-accounts',
  { gone: 'int8' },
  `WITH presets_gone AS (DELETE FROM presets WHERE account_id = ANY($1::bigint[]) RETURNING 1),
     folders_gone AS (DELETE FROM folders WHERE account_id = ANY($1::bigint[]) RETURNING 1),
     gone AS (DELETE FROM accounts WHERE id = ANY($1::bigint[]) RETURNING 1)
   SELECT count(*) AS gone FROM gone`,
).oneValue((ids: readonly number[]) => [ids]);

/**
 * Deletes what was stored only for a while, in batches; one of all processes that share a database does it. The
 * connection is closed afterwards: returned to the pool after an unlock that failed, it would hold the lock forever,
 * and no process could purge again.
 */
export async function purge(pool: Pool): Promise<number | undefined> {
  const client = await pool.connect();
  try {
    if (!(await takeLock(client, LOCKS.forget, 0))) return undefined;
    let gone = 0;
    for (const step of EXPIRE) gone += await inBatches(() => step(client));
    gone += await inBatches(() => purgeClosed(client), CLOSED_BATCH);
    return gone + (await inBatches(() => purgeAccounts(client)));
  } finally {
    client.release(true);
  }
}

async function inBatches(step: () => Promise<number>, size = BATCH): Promise<number> {
  let total = 0;
  for (;;) {
    const gone = await step();
    total += gone;
    if (gone < size) return total;
  }
}

const purgeAccounts = (client: PoolClient): Promise<number> =>
  inTransaction(client, async () => {
    const ids = await listOldAccounts(client);
    return ids.length > 0 ? removeAccounts(client, ids) : 0;
  });

const CLOSED_BATCH = 50;

const listClosed = statement(
  'forget-closed-ids',
  { ids: 'int8[]', usernames: 'text[]', emails: 'text[]' },
  `SELECT coalesce(array_agg(id), '{}') AS ids, coalesce(array_agg(coalesce(username, '')), '{}') AS usernames,
     coalesce(array_agg(coalesce(email, '')), '{}') AS emails
   FROM (SELECT id, username, email FROM accounts WHERE closed_at < now() - interval '${UNDO_DAYS} days'
     ORDER BY closed_at LIMIT ${CLOSED_BATCH} FOR UPDATE SKIP LOCKED) AS old`,
).one();
const removeClosed = statement(
  'forget-closed',
  { gone: 'int8' },
  `WITH presets_gone AS (DELETE FROM presets WHERE account_id = ANY($1::bigint[]) RETURNING 1),
     folders_gone AS (DELETE FROM folders WHERE account_id = ANY($1::bigint[]) RETURNING 1),
     networks_gone AS (DELETE FROM known_networks WHERE account_id = ANY($1::bigint[]) RETURNING 1),
     devices_gone AS (DELETE FROM account_devices WHERE account_id = ANY($1::bigint[]) RETURNING 1),
     sessions_gone AS (DELETE FROM site_sessions WHERE account_id = ANY($1::bigint[]) RETURNING 1),
     lists_gone AS (DELETE FROM list_tokens WHERE account_id = ANY($1::bigint[]) RETURNING 1),
     apps_gone AS (DELETE FROM app_passwords WHERE account_id = ANY($1::bigint[]) RETURNING 1),
     app_devices_gone AS (DELETE FROM app_devices WHERE account_id = ANY($1::bigint[]) RETURNING 1),
     feeds_gone AS (DELETE FROM feed_subscriptions WHERE account_id = ANY($1::bigint[]) RETURNING 1),
     episodes_gone AS (DELETE FROM episode_actions WHERE account_id = ANY($1::bigint[]) RETURNING 1),
     names_gone AS (DELETE FROM usernames WHERE username_key = ANY($2::text[]) AND account_id = ANY($1) RETURNING 1),
     emails_gone AS (DELETE FROM emails WHERE email_key = ANY($3::text[]) AND account_id = ANY($1) RETURNING 1),
     gone AS (DELETE FROM accounts WHERE id = ANY($1::bigint[]) RETURNING 1)
   SELECT count(*) AS gone FROM gone`,
).oneValue((ids: readonly number[], names: readonly string[], emails: readonly string[]) => [
  ids,
  names.map((name) => name.toLowerCase()),
  emails.map(emailKey),
]);

/** Deletes a batch of the accounts that their owners closed, with all their data. */
const purgeClosed = (client: PoolClient): Promise<number> =>
  inTransaction(client, async () => {
    const { ids, usernames, emails } = await listClosed(client);
    return ids.length > 0 ? removeClosed(client, ids, usernames, emails) : 0;
  });
