import type { PoolClient } from 'pg';
import { statement } from '../db/statement.ts';
import { SHARDS } from '../lib/shard.ts';
import { type FolderRow, addFolderRow, listFolders } from './folders.ts';
import { MOST_FOLDERS, MOST_PRESETS } from './preset-faults.ts';

const counts = statement(
  'account-counts',
  { preset_count: 'int4', folder_count: 'int4' },
  'SELECT preset_count, folder_count FROM accounts WHERE id = $1',
);

// One statement, so that positions, the folder's last one and the account's count cannot disagree.
const copyFolder = statement(
  'presets-copy',
  { added: 'int8' },
  `WITH fresh AS MATERIALIZED (
     SELECT nextval('preset_serials') * ${SHARDS} + $1::bigint % ${SHARDS} AS id, kind, item_id, address, label,
       row_number() OVER (ORDER BY position) AS rank
     FROM (
       SELECT kind, item_id, address, label, position FROM presets AS source
       WHERE source.account_id = $3 AND source.folder_id = $4 AND NOT EXISTS (
         SELECT FROM presets AS own WHERE own.account_id = $1 AND own.folder_id = $2 AND own.kind = source.kind
           AND CASE own.kind WHEN 'u' THEN own.address = source.address ELSE own.item_id = source.item_id END)
       ORDER BY position LIMIT $5
     ) AS missing
   ), added AS (
     INSERT INTO presets (account_id, id, folder_id, position, kind, item_id, address, label)
     SELECT $1, fresh.id, $2, folders.last_position + fresh.rank, kind,
       CASE kind WHEN 'u' THEN fresh.id ELSE item_id END, address, label
     FROM fresh, folders WHERE folders.account_id = $1 AND folders.id = $2
     RETURNING position
   ), counted AS (
     SELECT count(*) AS added FROM added
   ), folder AS (
     UPDATE folders SET last_position = last_position + counted.added FROM counted
     WHERE account_id = $1 AND id = $2
   ), account AS (
     UPDATE accounts SET preset_count = preset_count + counted.added FROM counted WHERE id = $1
   )
   SELECT added FROM counted`,
);

/**
 * Copies presets behind those of another account, folder by folder in order: the default folder's into the default one,
 * others into the one of the same name, or a new one. What is there already, and what is more than fits, is left out.
 * Both accounts are held by the caller.
 */
export async function copyPresets(
  client: PoolClient,
  { from, to }: { from: number; to: number },
): Promise<void> {
  const sources = await listFolders(client, from);
  const targets = await listFolders(client, to);
  for (const source of sources) {
    const { preset_count: presets, folder_count: folders } = await countsOf(client, to);
    const known = targets.find((target) => isSame(source, target));
    if (!known && folders >= MOST_FOLDERS) continue;
    const folderId = known?.id ?? (await addFolderRow(client, to, { name: source.name }));
    await copyFolder.run(client, [to, folderId, from, source.id, MOST_PRESETS - presets]);
  }
}

async function countsOf(client: PoolClient, id: number) {
  const [row] = await counts.run(client, [id]);
  if (!row) throw new Error(`there is no account ${id}`);
  return row;
}

const isSame = (source: FolderRow, target: FolderRow): boolean =>
  source.is_default ? target.is_default : source.name.toLowerCase() === target.name.toLowerCase();
