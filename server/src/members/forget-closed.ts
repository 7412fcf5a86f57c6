import type { PoolClient } from 'pg';
import { statement } from '../db/statement.ts';
import { inTransaction } from '../db/transaction.ts';
import { emailKey } from './emails.ts';
import { UNDO_DAYS } from './undo.ts';

const BATCH = 50;

const closed = statement(
  'forget-closed-ids',
  { ids: 'int8[]', usernames: 'text[]', emails: 'text[]' },
  `SELECT coalesce(array_agg(id), '{}') AS ids, coalesce(array_agg(coalesce(username, '')), '{}') AS usernames,
     coalesce(array_agg(coalesce(email, '')), '{}') AS emails
   FROM (SELECT id, username, email FROM accounts WHERE closed_at < now() - interval '${UNDO_DAYS} days'
     ORDER BY closed_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) AS old`,
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

/** Deletes accounts that their owners closed, with everything that is theirs; in batches, until there are none. */
export async function forgetClosed(client: PoolClient): Promise<number> {
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
    if (count < BATCH) return total;
  }
}
