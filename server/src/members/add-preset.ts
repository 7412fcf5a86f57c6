import { DatabaseError } from 'pg';
import type { Queryable } from '../db/pool.ts';
import { statement } from '../db/statement.ts';
import { SHARDS } from '../lib/shard.ts';
import { lookAtAccount } from './account-lock.ts';
import { noSuchFolder, tooManyPresets, MOST_PRESETS } from './preset-faults.ts';
import { type PresetItem, itemParams } from './preset-item.ts';

/**
 * One statement, so that a save is one wait for the disk and nothing is half done. The account's row comes first and
 * makes others wait; its count and the folder's last position are then those of now, while what is looked up
 * (`wanted`, `there`) is as it was before the wait. What happened meanwhile ends the statement as a whole: the same preset
 * from elsewhere by its key, a folder that was removed by the position it does not give.
 */
export const presetAdd = statement(
  'preset-add',
  { folder_id: 'int8?', is_there: 'bool', is_added: 'bool' },
  `WITH wanted AS (
     SELECT id FROM folders WHERE account_id = $1 AND removed_at IS NULL AND id = coalesce($2::bigint,
       (SELECT id FROM folders WHERE account_id = $1 AND is_default AND removed_at IS NULL))
   ), there AS (
     SELECT FROM presets JOIN wanted ON folder_id = wanted.id
       WHERE account_id = $1 AND kind = $3 AND item_id = $4::bigint
     UNION ALL
     SELECT FROM presets JOIN wanted ON folder_id = wanted.id
       WHERE account_id = $1 AND kind = 'u' AND md5(address) = md5($5::text)
   ), account AS (
     UPDATE accounts SET preset_count = preset_count + 1 FROM wanted
     WHERE accounts.id = $1 AND preset_count < ${MOST_PRESETS} AND left_at IS NULL
       AND NOT EXISTS (SELECT FROM there)
     RETURNING accounts.id
   ), folder AS (
     UPDATE folders SET last_position = last_position + 1 FROM account, wanted
     WHERE folders.account_id = account.id AND folders.id = wanted.id AND removed_at IS NULL
     RETURNING folders.id, last_position
   ), added AS (
     INSERT INTO presets (account_id, id, folder_id, position, kind, item_id, address, label)
     SELECT account.id, new.id, folder.id, folder.last_position, $3, coalesce($4, new.id), $5, $6
     FROM account LEFT JOIN folder ON true
       CROSS JOIN LATERAL (SELECT nextval('preset_serials') * ${SHARDS} + account.id % ${SHARDS} AS id) AS new
     RETURNING id
   )
   SELECT (SELECT id FROM wanted) AS folder_id, EXISTS (SELECT FROM there) AS is_there,
     EXISTS (SELECT FROM added) AS is_added`,
);

/** Saves an item behind the others of a folder, the default one unless told; one that is there already stays where it is. */
export async function addPreset(
  db: Queryable,
  accountId: number,
  folderId: number | undefined,
  item: PresetItem,
): Promise<void> {
  const [outcome] = await presetAdd.run(db, [accountId, folderId, ...itemParams(item)]).catch(outcomeOf);
  if (!outcome?.folder_id) throw noSuchFolder();
  if (outcome.is_there || outcome.is_added) return;
  await lookAtAccount(db, accountId);
  throw tooManyPresets();
}

const UNIQUE_VIOLATION = '23505';
const NOT_NULL_VIOLATION = '23502';
const KEYS = ['presets_address', 'presets_account_id_folder_id_kind_item_id_key'];

/** What the database's refusal says about the moment between the wait and the save. */
function outcomeOf(error: unknown): [{ folder_id: number; is_there: true; is_added: false }] | [] {
  const { code, constraint = '' } = error instanceof DatabaseError ? error : {};
  if (code === UNIQUE_VIOLATION && KEYS.includes(constraint))
    return [{ folder_id: 1, is_there: true, is_added: false }];
  if (code === NOT_NULL_VIOLATION) return [];
  throw error;
}
