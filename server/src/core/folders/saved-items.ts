import { type GuideId, guideId } from '../../lib/guide-id.ts';
import { listShows } from '../../storage/catalog/shows/shows.ts';
import type { Queryable } from '../../storage/db/pool.ts';
import { listFolders } from '../accounts/presets/folders.ts';
import { MAX_PRESETS } from '../accounts/presets/preset-rules.ts';
import { listPresets, type PresetRow } from '../accounts/presets/presets.ts';
import { findStation } from '../directory/lookup/lookups.ts';
import type { Snapshot } from '../directory/snapshot/snapshot.ts';
import { type FolderItem, stationItem } from './folder.ts';

/** A folder of an account with what is saved there and still exists. */
export interface SavedFolder {
  id: GuideId<'f'>;
  name: string;
  items: readonly FolderItem[];
}

/** All that an account has saved, folder by folder, in its own order; at most 500 items. */
export async function listSaved(
  db: Queryable,
  snapshot: Snapshot,
  accountId: number,
): Promise<SavedFolder[]> {
  const folders = await listFolders(db, accountId);
  const folderIds = folders.map(({ id }) => id);
  const presets = await listPresets(db, { accountId, folderIds }, MAX_PRESETS);
  const showIds = presets.filter(({ kind }) => kind === 'p').map(({ item_id: id }) => id);
  const shows = showIds.length === 0 ? [] : await listShows(db, showIds);
  const titles = new Map(shows.filter(({ listed }) => listed).map(({ id, title }) => [id, title]));
  const byFolder = Map.groupBy(presets, ({ folder_id: id }) => id);
  return folders.map(({ id, name }) => ({
    id: guideId('f', id),
    name,
    items: (byFolder.get(id) ?? []).flatMap((preset) => itemOf(snapshot, titles, preset) ?? []),
  }));
}

/** Undefined for what is gone. */
function itemOf(
  snapshot: Snapshot,
  shows: ReadonlyMap<number, string>,
  { kind, item_id: id, address, label }: PresetRow,
): FolderItem | undefined {
  if (kind === 'u')
    return address === null
      ? undefined
      : { kind: 'address', id: guideId('u', id), title: label ?? address, address };
  const station = kind === 's' ? findStation(snapshot, id) : undefined;
  if (station) return stationItem(station);
  const title = kind === 'p' ? shows.get(id) : undefined;
  return title === undefined ? undefined : { kind: 'show', id: guideId('p', id), title };
}
