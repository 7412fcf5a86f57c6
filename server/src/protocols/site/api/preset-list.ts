import { type FolderRow, listFolders } from '../../../core/accounts/presets/folders.ts';
import { listSavedPresets, type SavedPreset } from '../../../core/accounts/presets/presets.ts';
import { stationIn } from '../../../core/directory/lookup/in-words.ts';
import { findStation } from '../../../core/directory/lookup/lookups.ts';
import type { Words } from '../../../core/i18n/words.ts';
import { logoOf, stationOutline } from '../../../formats/opml/outlines.ts';
import { guideId } from '../../../lib/guide-id.ts';
import { listShows, type ShowRow } from '../../../storage/catalog/shows/shows.ts';
import type { SiteApiContext, Members } from './deps.ts';

/** A preset as the site shows it. */
export interface ShownPreset {
  id: string;
  guideId: string;
  kind: 'station' | 'show' | 'url';
  name: string;
  subtext: string;
  image: string;
  /** The button number. */
  number: number;
  /** For a saved address. */
  url?: string;
  /** No longer in the directory: only its old name is known. */
  isGone?: true;
}

export interface ShownFolder {
  id: string;
  name: string;
  isDefault: boolean;
  presets: ShownPreset[];
}

const MAX_SUBTEXT_LENGTH = 200;

/** All folders and presets of an account, in order. */
export async function readFolders(
  { directory }: Pick<SiteApiContext, 'directory'>,
  { pool }: Pick<Members, 'pool'>,
  { accountId, words }: { accountId: number; words: Words },
): Promise<ShownFolder[]> {
  const folders = await listFolders(pool, accountId);
  const ids = folders.map(({ id }) => id);
  const saved = await listSavedPresets(pool, accountId, ids);
  const showIds = saved.filter(({ kind }) => kind === 'p').map(({ item_id: id }) => id);
  const rows = showIds.length > 0 ? await listShows(pool, showIds) : [];
  // Unlisted shows count as gone, as on radios.
  const shows = new Map(rows.filter(({ listed }) => listed).map((row) => [row.id, row]));
  const known = { snapshot: directory.current(), words, shows };
  const byFolder = Map.groupBy(saved, ({ folder_id: folderId }) => folderId);
  return folders.map((folder) => shownFolder(folder, byFolder.get(folder.id) ?? [], known));
}

interface Known {
  snapshot: ReturnType<SiteApiContext['directory']['current']>;
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
    subtext: (show.hosts ?? show.description ?? '').slice(0, MAX_SUBTEXT_LENGTH),
  };
}
