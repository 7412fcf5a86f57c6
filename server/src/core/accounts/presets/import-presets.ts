import type { Pool, PoolClient } from 'pg';
import { SHARDS } from '../../../lib/ids.ts';
import { statement } from '../../../storage/db/statement.ts';
import { transaction } from '../../../storage/db/transaction.ts';
import { lockAccount } from '../accounts.ts';
import { addFolderRow, folderNamed, type FolderRow, listFolders } from './folders.ts';
import { MAX_FOLDERS, MAX_PRESETS } from './preset-rules.ts';
import { itemParams, listSavedPresets, type PresetItem, type SavedPreset } from './presets.ts';

// Saves many presets in one transaction: from a list, or from the device's previous account.

interface WantedPreset {
  item: PresetItem;
  /** The name of its folder; the default folder if undefined. */
  folder: string | undefined;
  /** The button it was on. */
  number: number | undefined;
}

interface Imported {
  added: number;
  /** Already there, or beyond the limit. */
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

/** Saves a list after the existing presets in one transaction, each in the folder it names (created if missing). */
export const importPresets = (
  pool: Pool,
  accountId: number,
  wanted: readonly WantedPreset[],
): Promise<Imported> =>
  transaction(pool, async (client) => {
    const { preset_count: had, folder_count: folderCount } = await lockAccount(client, accountId);
    const folders = await listFolders(client, accountId);
    let [room, foldersLeft, added] = [MAX_PRESETS - had, MAX_FOLDERS - folderCount, 0];
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

/**
 * Saves items that are in none of the account's folders to the end of the default one, in one transaction. Returns those
 * that there was no room for.
 */
export const addMissingPresets = (
  pool: Pool,
  accountId: number,
  items: readonly PresetItem[],
): Promise<{ added: number; left: PresetItem[] }> =>
  transaction(pool, async (client) => {
    const { preset_count: had } = await lockAccount(client, accountId);
    const folders = await listFolders(client, accountId);
    const folderId = folders.find(({ is_default: d }) => d)?.id;
    if (folderId === undefined) return { added: 0, left: [...items] };
    const folderIds = folders.map(({ id }) => id);
    const there = keysOf(await listSavedPresets(client, accountId, folderIds));
    const missing = items.filter((item) => isNew(there, item));
    const room = MAX_PRESETS - had;
    const wanted = missing.map((item) => ({ item, folder: undefined, number: undefined }));
    const added = await fill(client, { accountId, folderId }, wanted, room);
    return { added, left: missing.slice(added) };
  });

async function fill(
  client: PoolClient,
  { accountId, folderId }: { accountId: number; folderId: number },
  list: readonly WantedPreset[],
  room: number,
): Promise<number> {
  const saved = await listSavedPresets(client, accountId, [folderId]);
  const there = keysOf(saved);
  const fresh = list.filter(({ item }) => isNew(there, item)).slice(0, room);
  if (fresh.length === 0) return 0;
  const positions = placesFor(fresh, saved.at(-1)?.position ?? 0);
  const rows = fresh.map(({ item }, index) => [positions[index], ...itemParams(item)]);
  await insertAll(client, { accountId, folderId }, rows);
  return fresh.length;
}

/** Rows of position, kind, item, address and label. */
async function insertAll(
  client: PoolClient,
  { accountId, folderId }: { accountId: number; folderId: number },
  rows: readonly (readonly unknown[])[],
): Promise<void> {
  const column = (index: number): unknown[] => rows.map((row) => row[index]);
  await insert.run(client, [accountId, folderId, column(0), column(1), column(2), column(3), column(4)]);
}

const keyOf = ({ kind, item_id: id, address }: SavedPreset): string => address ?? `${kind}${id}`;
const keysOf = (saved: readonly SavedPreset[]): Set<string> => new Set(saved.map(keyOf));

function isNew(there: Set<string>, item: PresetItem): boolean {
  const key = item.kind === 'u' ? item.address : `${item.kind}${item.itemId}`;
  if (there.has(key)) return false;
  there.add(key);
  return true;
}

const MAX_NUMBER = 1000;

/** In an empty folder, the buttons they were on if these are distinct and ascending; else consecutive numbers. */
function placesFor(list: readonly WantedPreset[], last: number): number[] {
  const numbers = list.map(({ number }) => number ?? 0);
  const isRising = numbers.every(
    (number, index) => number > (numbers[index - 1] ?? 0) && number <= MAX_NUMBER,
  );
  return last === 0 && isRising ? numbers : list.map((_, index) => last + index + 1);
}

const counts = statement(
  'account-counts',
  { preset_count: 'int4', folder_count: 'int4' },
  'SELECT preset_count, folder_count FROM accounts WHERE id = $1',
);

interface Copied {
  from: { accountId: number; folderId: number };
  to: { accountId: number; folderId: number };
  room: number;
}

/** Read from one account and added to another in two steps: the accounts may be on two servers. */
async function copyFolder(client: PoolClient, { from, to, room }: Copied): Promise<void> {
  const source = await listSavedPresets(client, from.accountId, [from.folderId]);
  const saved = await listSavedPresets(client, to.accountId, [to.folderId]);
  const there = keysOf(saved);
  const missing = source.filter((preset) => !there.has(keyOf(preset))).slice(0, room);
  const last = saved.at(-1)?.position ?? 0;
  const rows = missing.map(({ kind, item_id: id, address, label }, index) => [
    last + index + 1,
    kind,
    address === null ? id : null,
    address,
    label,
  ]);
  if (rows.length > 0) await insertAll(client, to, rows);
}

/**
 * Copies presets to the end of another account's folders, in order: the default folder's into the default one, others
 * into the one of the same name, or a new one. Presets that are there already or exceed the limit are left out. The
 * caller holds a lock on both accounts.
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
    if (!known && folders >= MAX_FOLDERS) continue;
    const folderId = known?.id ?? (await addFolderRow(client, to, { name: source.name }));
    await copyFolder(client, {
      from: { accountId: from, folderId: source.id },
      to: { accountId: to, folderId },
      room: MAX_PRESETS - presets,
    });
  }
}

async function countsOf(client: PoolClient, id: number) {
  const [row] = await counts.run(client, [id]);
  if (!row) throw new Error(`there is no account ${id}`);
  return row;
}

const isSame = (source: FolderRow, target: FolderRow): boolean =>
  source.is_default ? target.is_default : source.name.toLowerCase() === target.name.toLowerCase();
