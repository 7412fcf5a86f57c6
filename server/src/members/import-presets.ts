import type { Pool, PoolClient } from 'pg';
import { statement } from '../db/statement.ts';
import { transaction } from '../db/transaction.ts';
import { SHARDS } from '../lib/shard.ts';
import { lockAccount } from './account-lock.ts';
import { folderNamed } from './edit-folders.ts';
import { addFolderRow, listFolders } from './folders.ts';
import { MOST_FOLDERS, MOST_PRESETS } from './preset-faults.ts';
import { type PresetItem, keyParams } from './preset-item.ts';
import { listSavedPresets } from './saved-presets.ts';

export interface WantedPreset {
  item: PresetItem;
  /** The name of its folder; the default one unless told. */
  folder: string | undefined;
  /** The button it was on. */
  number: number | undefined;
}

export interface Imported {
  added: number;
  /** There already, or more than fits. */
  skipped: number;
}

const insert = statement(
  'presets-insert-many',
  {},
  `WITH fresh AS MATERIALIZED (
     SELECT nextval('preset_serials') * ${SHARDS} + $1::bigint % ${SHARDS} AS id, new.* FROM
       unnest($3::int[], $4::text[], $5::bigint[], $6::text[], $7::text[]) AS new (position, kind, item_id, address, label)
   ), added AS (
     INSERT INTO presets (account_id, id, folder_id, position, kind, item_id, address, label)
     SELECT $1, id, $2, position, kind, coalesce(item_id, id), address, label FROM fresh RETURNING position
   ), folder AS (
     UPDATE folders SET last_position = greatest(last_position, (SELECT max(position) FROM added))
     WHERE account_id = $1 AND id = $2
   )
   UPDATE accounts SET preset_count = preset_count + (SELECT count(*) FROM added) WHERE id = $1`,
);

/** Saves a list behind what is there, each in the folder of its name, which is made when there is none. All of it or nothing. */
export const importPresets = (
  pool: Pool,
  accountId: number,
  wanted: readonly WantedPreset[],
): Promise<Imported> =>
  transaction(pool, async (client) => {
    const { preset_count: had, folder_count: folderCount } = await lockAccount(client, accountId);
    const folders = await listFolders(client, accountId);
    let [room, foldersLeft, added] = [MOST_PRESETS - had, MOST_FOLDERS - folderCount, 0];
    for (const [name, list] of Map.groupBy(wanted, ({ folder }) => folder)) {
      const known = name === undefined ? folders.find(({ is_default: d }) => d) : folderNamed(folders, name);
      if (!known && (name === undefined || foldersLeft === 0 || room === 0)) continue;
      if (!known) foldersLeft -= 1;
      const folderId = known?.id ?? (await addFolderRow(client, accountId, { name: name ?? '' }));
      if (!known) folders.push({ id: folderId, name: name ?? '', is_default: false, position: 0 });
      const count = await fill(client, { accountId, folderId }, list, room);
      added += count;
      room -= count;
    }
    return { added, skipped: wanted.length - added };
  });

async function fill(
  client: PoolClient,
  { accountId, folderId }: { accountId: number; folderId: number },
  list: readonly WantedPreset[],
  room: number,
): Promise<number> {
  const saved = await listSavedPresets(client, accountId, [folderId]);
  const there = new Set(saved.map(({ kind, item_id: id, address }) => address ?? `${kind}${id}`));
  const fresh = list.filter(({ item }) => isNew(there, item)).slice(0, room);
  if (fresh.length === 0) return 0;
  const positions = placesFor(fresh, saved.at(-1)?.position ?? 0);
  const items = fresh.map(({ item }) => [...keyParams(item), item.label] as const);
  const column = (index: 0 | 1 | 2 | 3): unknown[] => items.map((item) => item[index]);
  await insert.run(client, [accountId, folderId, positions, column(0), column(1), column(2), column(3)]);
  return fresh.length;
}

function isNew(there: Set<string>, item: PresetItem): boolean {
  const key = item.kind === 'u' ? item.address : `${item.kind}${item.itemId}`;
  if (there.has(key)) return false;
  there.add(key);
  return true;
}

const LARGEST_NUMBER = 1000;

/** In an empty folder the buttons they were on, if each had one of its own in the order of the list; else one after another. */
function placesFor(list: readonly WantedPreset[], last: number): number[] {
  const numbers = list.map(({ number }) => number ?? 0);
  const isRising = numbers.every(
    (number, index) => number > (numbers[index - 1] ?? 0) && number <= LARGEST_NUMBER,
  );
  return last === 0 && isRising ? numbers : list.map((_, index) => last + index + 1);
}
