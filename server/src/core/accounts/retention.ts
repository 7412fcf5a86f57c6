import type { Pool, PoolClient } from 'pg';
import type { Log } from '../../lib/log.ts';
import { LOCKS, takeLock } from '../../storage/db/advisory-lock.ts';
import { statement } from '../../storage/db/statement.ts';
import { inTransaction } from '../../storage/db/transaction.ts';
import { releaseEmail, releaseUsername } from './accounts.ts';
import { removeAppPasswords } from './app-passwords/app-passwords.ts';
import { removeListTokens } from './list-tokens.ts';
import { endSessions } from './login/sessions.ts';
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

/**
 * A statement that deletes a batch of rows whose column `since` is so many days ago. None is locked as it is listed, since no lock
 * reaches over several servers; a row that changes meanwhile is looked at again as it is deleted.
 */
function expire(
  name: string,
  table: string,
  key: readonly string[],
  { since, days = 0, where = 'true' }: { since: string; days?: number; where?: string },
) {
  const isOld = key.map((column) => `t.${column} = old.${column}`).join(' AND ');
  return statement(
    name,
    { gone: 'int8' },
    `WITH old AS (SELECT ${key.join(', ')} FROM ${table} WHERE ${since} < now() - interval '${days} days' AND ${where}
         ORDER BY ${since} LIMIT ${BATCH}),
       gone AS (DELETE FROM ${table} AS t USING old WHERE ${isOld} AND t.${since} < now() - interval '${days} days' RETURNING 1)
     SELECT count(*) AS gone FROM gone`,
  ).oneValue();
}

const EXPIRE = [
  expire('forget-claims', 'device_claims', ['code_hash'], { since: 'expires_at' }),
  expire('forget-networks', 'known_networks', ['account_id', 'network_hash'], {
    since: 'seen_at',
    days: KNOWN_DAYS,
  }),
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

const listFolders = statement(
  'forget-folders',
  { account_id: 'int8', id: 'int8' },
  `SELECT account_id, id FROM folders WHERE removed_at < now() - interval '${UNDO_DAYS} days'
   ORDER BY removed_at LIMIT ${BATCH}`,
).all();
// Its presets were already subtracted from the account's count.
const removeFolder = statement(
  'forget-folder',
  { gone: 'int8' },
  `WITH presets_gone AS (DELETE FROM presets WHERE account_id = $1 AND folder_id = $2 RETURNING 1),
     gone AS (DELETE FROM folders WHERE account_id = $1 AND id = $2 RETURNING 1)
   SELECT count(*) AS gone FROM gone`,
).oneValue((accountId: number, id: number) => [accountId, id]);

async function purgeFolders(client: PoolClient): Promise<number> {
  const folders = await listFolders(client);
  for (const { account_id: accountId, id } of folders)
    await inTransaction(client, () => removeFolder(client, accountId, id));
  return folders.length;
}

const IS_LEFT = `left_at < now() - interval '${UNDO_DAYS} days' AND username IS NULL`;
const listLeft = statement(
  'forget-left',
  { id: 'int8' },
  `SELECT id FROM accounts WHERE ${IS_LEFT} ORDER BY left_at LIMIT ${BATCH}`,
).values();
// One in use is tried again tomorrow.
const holdLeft = statement(
  'forget-left-hold',
  { id: 'int8' },
  `SELECT id FROM accounts WHERE id = $1 AND ${IS_LEFT} FOR UPDATE SKIP LOCKED`,
).exists((id: number) => [id]);
const removeLeft = statement(
  'forget-left-remove',
  { gone: 'int8' },
  `WITH presets_gone AS (DELETE FROM presets WHERE account_id = $1 RETURNING 1),
     folders_gone AS (DELETE FROM folders WHERE account_id = $1 RETURNING 1),
     gone AS (DELETE FROM accounts WHERE id = $1 RETURNING 1)
   SELECT count(*) AS gone FROM gone`,
).oneValue((id: number) => [id]);

async function purgeLeft(client: PoolClient): Promise<number> {
  let gone = 0;
  for (const id of await listLeft(client))
    gone += await inTransaction(client, async () =>
      (await holdLeft(client, id)) ? removeLeft(client, id) : 0,
    );
  return gone;
}

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
    gone += await inBatches(() => purgeFolders(client));
    gone += await inBatches(() => purgeClosed(client), CLOSED_BATCH);
    return gone + (await inBatches(() => purgeLeft(client)));
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

const CLOSED_BATCH = 50;

const IS_CLOSED = `closed_at < now() - interval '${UNDO_DAYS} days'`;
const listClosed = statement(
  'forget-closed',
  { id: 'int8' },
  `SELECT id FROM accounts WHERE ${IS_CLOSED} ORDER BY closed_at LIMIT ${CLOSED_BATCH}`,
).values();
const holdClosed = statement(
  'forget-closed-hold',
  { id: 'int8', username: 'text?', email: 'text?' },
  `SELECT id, username, email FROM accounts WHERE id = $1 AND ${IS_CLOSED} FOR UPDATE SKIP LOCKED`,
).first((id: number) => [id]);
const removeClosed = statement(
  'forget-closed-remove',
  { gone: 'int8' },
  `WITH presets_gone AS (DELETE FROM presets WHERE account_id = $1 RETURNING 1),
     folders_gone AS (DELETE FROM folders WHERE account_id = $1 RETURNING 1),
     networks_gone AS (DELETE FROM known_networks WHERE account_id = $1 RETURNING 1),
     devices_gone AS (DELETE FROM account_devices WHERE account_id = $1 RETURNING 1),
     app_devices_gone AS (DELETE FROM app_devices WHERE account_id = $1 RETURNING 1),
     feeds_gone AS (DELETE FROM feed_subscriptions WHERE account_id = $1 RETURNING 1),
     episodes_gone AS (DELETE FROM episode_actions WHERE account_id = $1 RETURNING 1),
     gone AS (DELETE FROM accounts WHERE id = $1 RETURNING 1)
   SELECT count(*) AS gone FROM gone`,
).oneValue((id: number) => [id]);

/** Deletes a batch of the accounts that their owners closed, with all their data. */
async function purgeClosed(client: PoolClient): Promise<number> {
  let gone = 0;
  for (const id of await listClosed(client))
    gone += await inTransaction(client, async () => {
      const account = await holdClosed(client, id);
      if (!account) return 0;
      await endSessions(client, id);
      await removeListTokens(client, id);
      await removeAppPasswords(client, id);
      if (account.username !== null) await releaseUsername(client, account.username, id);
      if (account.email !== null) await releaseEmail(client, account.email, id);
      return removeClosed(client, id);
    });
  return gone;
}
