import type { Pool, PoolClient } from 'pg';
import type { Log } from '../../lib/log.ts';
import { LOCKS, takeLock } from '../../storage/db/advisory-lock.ts';
import { type Statement, statement } from '../../storage/db/statement.ts';
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
  const first = setTimeout(() => void once(), FIRST_MS).unref();
  const daily = setInterval(() => void once(), DAY_MS).unref();
  return {
    [Symbol.dispose]() {
      clearTimeout(first);
      clearInterval(daily);
    },
  };
}

type Deletes = Statement<{ gone: 'int8' }>;

/** Small enough not to delay other statements. */
const BATCH = 200;

// `SKIP LOCKED`: rows in use are tried again tomorrow.
const claims: Deletes = statement(
  'forget-claims',
  { gone: 'int8' },
  `WITH old AS (SELECT code_hash FROM device_claims WHERE expires_at < now() ORDER BY expires_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED),
     gone AS (DELETE FROM device_claims USING old WHERE device_claims.code_hash = old.code_hash RETURNING 1)
   SELECT count(*) AS gone FROM gone`,
);
const networks: Deletes = statement(
  'forget-networks',
  { gone: 'int8' },
  `WITH old AS (SELECT account_id, network_hash FROM known_networks WHERE seen_at < now() - interval '${KNOWN_DAYS} days'
       ORDER BY seen_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED),
     gone AS (DELETE FROM known_networks AS known USING old
       WHERE known.account_id = old.account_id AND known.network_hash = old.network_hash RETURNING 1)
   SELECT count(*) AS gone FROM gone`,
);
// A removed folder's presets were already subtracted from the account's count.
const folders: Deletes = statement(
  'forget-folders',
  { gone: 'int8' },
  `WITH old AS (SELECT account_id, id FROM folders WHERE removed_at < now() - interval '${UNDO_DAYS} days'
       ORDER BY removed_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED),
     presets_gone AS (DELETE FROM presets USING old
       WHERE presets.account_id = old.account_id AND presets.folder_id = old.id RETURNING 1),
     gone AS (DELETE FROM folders USING old WHERE folders.account_id = old.account_id AND folders.id = old.id RETURNING 1)
   SELECT count(*) AS gone FROM gone`,
);
const reporters: Deletes = statement(
  'forget-reporters',
  { gone: 'int8' },
  `WITH old AS (SELECT stream_id, is_good, reporter FROM counted_reports WHERE said_at < now() - interval '${KNOWN_DAYS} days'
       ORDER BY said_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED),
     gone AS (DELETE FROM counted_reports AS counted USING old WHERE counted.stream_id = old.stream_id
       AND counted.is_good = old.is_good AND counted.reporter = old.reporter RETURNING 1)
   SELECT count(*) AS gone FROM gone`,
);
const reports: Deletes = statement(
  'forget-reports',
  { gone: 'int8' },
  `WITH old AS (SELECT id FROM reports WHERE state <> 'open' AND last_at < now() - interval '${KNOWN_DAYS} days'
       ORDER BY last_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED),
     gone AS (DELETE FROM reports USING old WHERE reports.id = old.id RETURNING 1)
   SELECT count(*) AS gone FROM gone`,
);
const sessions: Deletes = statement(
  'forget-sessions',
  { gone: 'int8' },
  `WITH old AS (SELECT token_hash FROM site_sessions WHERE expires_at < now() ORDER BY expires_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED),
     gone AS (DELETE FROM site_sessions USING old WHERE site_sessions.token_hash = old.token_hash RETURNING 1)
   SELECT count(*) AS gone FROM gone`,
);
const devices: Deletes = statement(
  'forget-account-devices',
  { gone: 'int8' },
  `WITH old AS (SELECT account_id, scope, serial_hash FROM account_devices WHERE dropped_at < now() - interval '${UNDO_DAYS} days'
       ORDER BY dropped_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED),
     gone AS (DELETE FROM account_devices AS kept USING old WHERE kept.account_id = old.account_id
       AND kept.scope = old.scope AND kept.serial_hash = old.serial_hash RETURNING 1)
   SELECT count(*) AS gone FROM gone`,
);
const oldAccounts = statement(
  'forget-old-accounts',
  { ids: 'int8[]' },
  `SELECT coalesce(array_agg(id), '{}') AS ids FROM (SELECT id FROM accounts
     WHERE left_at < now() - interval '${UNDO_DAYS} days' AND username IS NULL
     ORDER BY left_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) AS old`,
);
const accounts: Deletes = statement(
  'forget-accounts',
  { gone: 'int8' },
  `WITH presets_gone AS (DELETE FROM presets WHERE account_id = ANY($1::bigint[]) RETURNING 1),
     folders_gone AS (DELETE FROM folders WHERE account_id = ANY($1::bigint[]) RETURNING 1),
     gone AS (DELETE FROM accounts WHERE id = ANY($1::bigint[]) RETURNING 1)
   SELECT count(*) AS gone FROM gone`,
);

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
    for (const step of [claims, networks, folders, reporters, reports, sessions, devices])
      gone += await inBatches(() => run(client, step));
    gone += await purgeClosed(client);
    return gone + (await inBatches(() => purgeAccounts(client)));
  } finally {
    client.release(true);
  }
}

async function inBatches(step: () => Promise<number>): Promise<number> {
  let total = 0;
  for (;;) {
    const gone = await step();
    total += gone;
    if (gone < BATCH) return total;
  }
}

async function run(client: PoolClient, deletes: Deletes, ...params: unknown[]): Promise<number> {
  const [row] = await deletes.run(client, params);
  return row?.gone ?? 0;
}

const purgeAccounts = (client: PoolClient): Promise<number> =>
  inTransaction(client, async () => {
    const [old] = await oldAccounts.run(client, []);
    return old && old.ids.length > 0 ? run(client, accounts, old.ids) : 0;
  });

const CLOSED_BATCH = 50;

const closed = statement(
  'forget-closed-ids',
  { ids: 'int8[]', usernames: 'text[]', emails: 'text[]' },
  `SELECT coalesce(array_agg(id), '{}') AS ids, coalesce(array_agg(coalesce(username, '')), '{}') AS usernames,
     coalesce(array_agg(coalesce(email, '')), '{}') AS emails
   FROM (SELECT id, username, email FROM accounts WHERE closed_at < now() - interval '${UNDO_DAYS} days'
     ORDER BY closed_at LIMIT ${CLOSED_BATCH} FOR UPDATE SKIP LOCKED) AS old`,
);
const gone = statement(
  'forget-closed',
  { gone: 'int8' },
  `WITH presets_gone AS (DELETE FROM presets WHERE account_id = ANY($1::bigint[]) RETURNING 1),
     folders_gone AS (DELETE FROM folders WHERE account_id = ANY($1::bigint[]) RETURNING 1),
     networks_gone AS (DELETE FROM known_networks WHERE account_id = ANY($1::bigint[]) RETURNING 1),
     devices_gone AS (DELETE FROM account_devices WHERE account_id = ANY($1::bigint[]) RETURNING 1),
     sessions_gone AS (DELETE FROM site_sessions WHERE account_id = ANY($1::bigint[]) RETURNING 1),
     names_gone AS (DELETE FROM usernames WHERE username_key = ANY($2::text[]) AND account_id = ANY($1) RETURNING 1),
     emails_gone AS (DELETE FROM emails WHERE email_key = ANY($3::text[]) AND account_id = ANY($1) RETURNING 1),
     gone AS (DELETE FROM accounts WHERE id = ANY($1::bigint[]) RETURNING 1)
   SELECT count(*) AS gone FROM gone`,
);

/** Deletes accounts that their owners closed, with all their data, in batches until there are none. */
async function purgeClosed(client: PoolClient): Promise<number> {
  let total = 0;
  for (;;) {
    const count = await inTransaction(client, async () => {
      const [old] = await closed.run(client, []);
      if (!old || old.ids.length === 0) return 0;
      const names = old.usernames.map((name) => name.toLowerCase());
      const [row] = await gone.run(client, [old.ids, names, old.emails.map(emailKey)]);
      return row?.gone ?? 0;
    });
    total += count;
    if (count < CLOSED_BATCH) return total;
  }
}
