import { type ShowRow, listShows } from '../catalog/shows.ts';
import { findStation } from '../directory/by-id.ts';
import { stationIn } from '../directory/in-words.ts';
import { guideId } from '../lib/guide-id.ts';
import { type FolderRow, listFolders } from '../members/folders.ts';
import { type SavedPreset, listSavedPresets } from '../members/saved-presets.ts';
import { logoOf, stationOutline } from '../opml/outlines.ts';
import type { Words } from '../words/words.ts';
import type { Desk, Members } from './needs.ts';

/** A preset as a page shows it. */
export interface ShownPreset {
  id: string;
  guideId: string;
  kind: 'station' | 'show' | 'url';
  name: string;
  subtext: string;
  image: string;
  /** The button it is on. */
  number: number;
  /** Of a saved address. */
  url?: string;
  /** Known by its old name alone. */
  isGone?: true;
}

export interface ShownFolder {
  id: string;
  name: string;
  isDefault: boolean;
  presets: ShownPreset[];
}

const LONGEST_SUBTEXT = 200;

/** Everything that an account saved, in its order. */
export async function readFolders(
  { directory }: Pick<Desk, 'directory'>,
  { pool }: Pick<Members, 'pool'>,
  { accountId, words }: { accountId: number; words: Words },
): Promise<ShownFolder[]> {
  const folders = await listFolders(pool, accountId);
  const ids = folders.map(({ id }) => id);
  const saved = await listSavedPresets(pool, accountId, ids);
  const showIds = saved.filter(({ kind }) => kind === 'p').map(({ item_id: id }) => id);
  const rows = showIds.length > 0 ? await listShows(pool, showIds) : [];
  // One that was taken off the lists is gone, as it is to radios.
  const shows = new Map(rows.filter(({ listed }) => listed).map((row) => [row.id, row]));
  const known = { snapshot: directory.current(), words, shows };
  const byFolder = Map.groupBy(saved, ({ folder_id: folderId }) => folderId);
  return folders.map((folder) => shownFolder(folder, byFolder.get(folder.id) ?? [], known));
}

interface Known {
  snapshot: ReturnType<Desk['directory']['current']>;
  words: Words;
  shows: ReadonlyMap<number, ShowRow>;
}

const shownFolder = (folder: FolderRow, presets: readonly SavedPreset[], known: Known): ShownFolder => ({
  id: guideId('f', folder.id),
  name: folder.name,
  isDefault: folder.is_default,
  presets: presets.map((preset) => ({
    id: String(preset.id),
    number: preset.position,
    ...shownItem(preset, known),
  })),
});

type Item = Omit<ShownPreset, 'id' | 'number'>;

function shownItem(preset: SavedPreset, known: Known): Item {
  if (preset.kind === 's') return shownStation(preset, known);
  if (preset.kind === 'p') return shownShow(preset, known);
  const url = preset.address ?? '';
  const image = logoOf('u0').path;
  return {
    guideId: guideId('u', preset.id),
    kind: 'url',
    name: preset.label ?? url,
    subtext: url,
    image,
    url,
  };
}

function shownStation({ item_id: number, label }: SavedPreset, { snapshot, words }: Known): Item {
  const id = guideId('s', number);
  const station = findStation(snapshot, number);
  const item = { guideId: id, kind: 'station', image: logoOf(id).path } as const;
  if (!station) return { ...item, name: label ?? id, subtext: '', isGone: true };
  const { subtext = '' } = stationOutline(stationIn(snapshot, station, words), 'preset');
  return { ...item, name: station.name, subtext };
}

function shownShow({ item_id: number, label }: SavedPreset, { shows }: Known): Item {
  const id = guideId('p', number);
  const show = shows.get(number);
  const item = { guideId: id, kind: 'show', image: logoOf(id).path } as const;
  if (!show) return { ...item, name: label ?? id, subtext: '', isGone: true };
  return {
    ...item,
    name: show.title,
    subtext: (show.hosts ?? show.description ?? '').slice(0, LONGEST_SUBTEXT),
  };
}
