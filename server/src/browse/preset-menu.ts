import { READ_MS, inTime } from '../cache/in-time.ts';
import { type OnAirRow, listOnAir } from '../catalog/on-air.ts';
import type { ShowRow } from '../catalog/shows.ts';
import type { Queryable } from '../db/pool.ts';
import type { Answer, Call } from '../http/endpoint.ts';
import { type ReadingDoors, readingAccount } from '../http/reading-account.ts';
import { requirePartner } from '../http/require-partner.ts';
import { Fault } from '../lib/fault.ts';
import { numberOf } from '../lib/guide-id.ts';
import { type FolderRow, listFolders } from '../members/folders.ts';
import { MOST_PRESETS } from '../members/preset-faults.ts';
import { type PresetRow, listPresets } from '../members/presets.ts';
import type { Outline } from '../opml/document.ts';
import { folderContainer, folderLink } from '../opml/preset-outlines.ts';
import { unknownId } from './faults.ts';
import { presetOutline, showsOf } from './preset-items.ts';
import type { BrowseRequest } from './request.ts';

/** Presets by name or by device. They are read anew for each call: who saves one looks whether it is there. */
export async function presetMenu(request: BrowseRequest, call: Call, doors: ReadingDoors): Promise<Answer> {
  requirePartner(call);
  const { username, serial, words } = call.caller;
  if (username === undefined && serial === undefined)
    throw new Fault(400, 'request.invalid', "Presets belong to someone: give a 'username' or a 'serial'");
  const { folder, outlines } = await inTime(readOutlines(request, call, doors), READ_MS);
  const title =
    folder?.name ??
    (username === undefined
      ? words.text('browse.presets')
      : words.text('browse.favorites', { name: username }));
  return { title, outlines, noStore: true };
}

interface Read {
  /** The one that was asked for. */
  folder: FolderRow | undefined;
  outlines: Outline[];
}

async function readOutlines(request: BrowseRequest, call: Call, doors: ReadingDoors): Promise<Read> {
  const askedId = readFolderId(call);
  const accountId = await readingAccount(call, doors);
  const folders = await listFolders(doors.db, accountId);
  const options = (call.params.text('options') ?? '').toLowerCase().split(/[,:]/);
  const asked = askedFolder(askedId, folders);
  const isRecursive = options.includes('recurse');
  const opened = asked ? [asked] : isRecursive || folders.length === 1 ? folders : [];
  const saved = await readSaved(doors.db, accountId, opened, call.now);
  const tuneShows = options.includes('tuneshows');
  const itemsOf = ({ id }: FolderRow): Outline[] =>
    (saved.presets.get(id) ?? []).map((preset) => presetOutline(request, preset, { ...saved, tuneShows }));
  const [only] = opened;
  const outlines = isRecursive
    ? opened.map((folder) => folderContainer({ ...folder, isDefault: folder.is_default }, itemsOf(folder)))
    : only
      ? itemsOf(only)
      : folders.map((folder) => folderLink(folder));
  return { folder: asked, outlines };
}

/** Our links say `guide_id`, changes of presets `folderId`, where one client leaves out the letter, and menus `id`. */
function readFolderId({ params }: Call): number | undefined {
  const folderId = params.text('folderid')?.replace(/^(?=\d)/, 'f');
  const given = [params.text('guide_id'), folderId, params.text('id')].filter((text) => text !== undefined);
  const ids = given.map((text) => numberOf('f', text));
  if (ids.includes(undefined)) throw unknownId('presets are opened by their folder, an f and its number');
  if (new Set(ids).size > 1) throw unknownId('two folders are named; name one of them');
  return ids[0];
}

function askedFolder(asked: number | undefined, folders: readonly FolderRow[]): FolderRow | undefined {
  if (asked === undefined) return undefined;
  const found = folders.find(({ id }) => id === asked);
  if (!found) throw unknownId('the account has no such folder');
  return found;
}

interface Saved {
  presets: ReadonlyMap<number, readonly PresetRow[]>;
  shows: ReadonlyMap<number, ShowRow>;
  onAir: ReadonlyMap<number, OnAirRow>;
}

/** No folder has it. */
const NO_FOLDER = 0;

/** Read also where there is no folder: otherwise a device that nobody knows would be answered sooner than an empty one. */
async function readSaved(
  db: Queryable,
  accountId: number,
  folders: readonly FolderRow[],
  now: Temporal.Instant,
): Promise<Saved> {
  const folderIds = folders.length === 0 ? [NO_FOLDER] : folders.map(({ id }) => id);
  const presets = await listPresets(db, { accountId, folderIds }, MOST_PRESETS);
  const byFolder = Map.groupBy(presets, ({ folder_id: folderId }) => folderId);
  const stationIds = presets.filter(({ kind }) => kind === 's').map(({ item_id: id }) => id);
  const [shows, onAir] = await Promise.all([showsOf(db, presets), listOnAir(db, stationIds, now)]);
  return { presets: byFolder, shows, onAir };
}
