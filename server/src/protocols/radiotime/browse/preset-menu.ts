import { type FolderRow, listFolders } from '../../../core/accounts/presets/folders.ts';
import { MAX_PRESETS } from '../../../core/accounts/presets/preset-rules.ts';
import { listPresets, type PresetRow } from '../../../core/accounts/presets/presets.ts';
import { playableBits, wantedBits } from '../../../core/directory/groups/compiled-filter.ts';
import { stationIn } from '../../../core/directory/lookup/in-words.ts';
import { findStation } from '../../../core/directory/lookup/lookups.ts';
import { songAt } from '../../../core/now-playing/listed-songs.ts';
import type { Outline } from '../../../formats/opml/document.ts';
import { stationOutline, withOnAir } from '../../../formats/opml/outlines.ts';
import {
  asPreset,
  folderContainer,
  folderLink,
  urlPresetOutline,
} from '../../../formats/opml/preset-outlines.ts';
import { Fault } from '../../../lib/fault.ts';
import { guideId, numberOf } from '../../../lib/guide-id.ts';
import { formatBit, formatsOfScheme, playsShow } from '../../../lib/stream-format.ts';
import { inTime, READ_MS } from '../../../storage/cache/in-time.ts';
import { listOnAir, type OnAirRow } from '../../../storage/catalog/schedules/on-air.ts';
import { listShows, type ShowRow } from '../../../storage/catalog/shows/shows.ts';
import type { Queryable } from '../../../storage/db/pool.ts';
import { readingAccount, type ReadAccess, requirePartner } from '../call/acting-member.ts';
import type { Answer, Call } from '../call/endpoint.ts';
import { showOutline } from '../outlines/show-outlines.ts';
import { type BrowseRequest, unknownId } from './request.ts';
import { showFacts } from './show-pages.ts';

/** Presets by name or by device. Never cached: people who save one check immediately whether it is there. */
export async function presetMenu(request: BrowseRequest, call: Call, members: ReadAccess): Promise<Answer> {
  requirePartner(call);
  const { username, serial, words } = call.caller;
  if (username === undefined && serial === undefined)
    throw new Fault(400, 'request.invalid', "Presets belong to someone: give a 'username' or a 'serial'");
  const { folder, outlines } = await inTime(() => readOutlines(request, call, members), READ_MS);
  const title =
    folder?.name ??
    (username === undefined
      ? words.text('browse.presets')
      : words.text('browse.favorites', { name: username }));
  return { title, outlines, noStore: true };
}

interface Read {
  /** The requested folder. */
  folder: FolderRow | undefined;
  outlines: Outline[];
}

async function readOutlines(request: BrowseRequest, call: Call, members: ReadAccess): Promise<Read> {
  const askedId = readFolderId(call);
  const accountId = await readingAccount(call, members);
  const folders = await listFolders(members.db, accountId);
  const options = (call.params.text('options') ?? '').toLowerCase().split(/[,:]/);
  const asked = askedFolder(askedId, folders);
  const isRecursive = options.includes('recurse');
  const opened = asked ? [asked] : isRecursive || folders.length === 1 ? folders : [];
  const saved = await readSaved(members.db, accountId, opened, call.now);
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

/** Our links use `guide_id`, preset changes `folderId`, where one client omits the letter, and menus `id`. */
function readFolderId({ params }: Call): number | undefined {
  const folderId = params.text('folderid')?.replace(/^(?=\d)/, 'f');
  const given = [params.text('guide_id'), folderId, params.text('id')].filter((text) => text !== undefined);
  const ids = given.map((text) => numberOf('f', text));
  if (ids.includes(undefined)) throw unknownId('give the id of a folder, such as f123');
  if (new Set(ids).size > 1) throw unknownId('the call names two folders; name only one');
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

/** An id that no folder has. */
const NO_FOLDER = 0;

/** Also queried when there is no folder: otherwise response times would tell an unknown device from an empty one. */
async function readSaved(
  db: Queryable,
  accountId: number,
  folders: readonly FolderRow[],
  now: Temporal.Instant,
): Promise<Saved> {
  const folderIds = folders.length === 0 ? [NO_FOLDER] : folders.map(({ id }) => id);
  const presets = await listPresets(db, { accountId, folderIds }, MAX_PRESETS);
  const byFolder = Map.groupBy(presets, ({ folder_id: folderId }) => folderId);
  const stationIds = presets.filter(({ kind }) => kind === 's').map(({ item_id: id }) => id);
  const [shows, onAir] = await Promise.all([showsOf(db, presets), listOnAir(db, stationIds, now)]);
  return { presets: byFolder, shows, onAir };
}

/** The shows among the presets, by id. Unlisted ones count as gone: they are neither played nor described. */
async function showsOf(db: Queryable, presets: readonly PresetRow[]): Promise<ReadonlyMap<number, ShowRow>> {
  const ids = presets.filter(({ kind }) => kind === 'p').map(({ item_id: id }) => id);
  const rows = ids.length > 0 ? await listShows(db, ids) : [];
  return new Map(rows.filter(({ listed }) => listed).map((row) => [row.id, row]));
}

interface PresetOptions {
  shows: ReadonlyMap<number, ShowRow>;
  /** What the stations among them have on air. */
  onAir: ReadonlyMap<number, OnAirRow>;
  /** Links of shows play something instead of opening a menu. */
  tuneShows: boolean;
}

/** A preset's line. One that is gone, or that the device cannot play, is still listed and marked. */
function presetOutline(
  request: BrowseRequest,
  preset: PresetRow,
  { shows, onAir, tuneShows }: PresetOptions,
): Outline {
  const { kind, item_id: id, position, label } = preset;
  if (kind === 'u') return addressPreset(request, preset);
  if (kind === 's') return asPreset(stationPreset(request, preset, onAir.get(id)), position);
  const show = shows.get(id);
  const facts = show ? showFacts(show) : { id, title: label ?? guideId('p', id), subtext: '' };
  const outline = showOutline(facts);
  const params = [['id', guideId('p', id)]] as const;
  const tuned = tuneShows ? { ...outline, target: { path: '/Tune.ashx', params } } : outline;
  return asPreset(
    show && playsShow(show, request.stations.formats) ? tuned : unavailable(request, tuned),
    position,
  );
}

/** Only the scheme of a saved address tells its format, and only for some schemes. */
function addressPreset(
  request: BrowseRequest,
  { item_id: id, position, address, label }: PresetRow,
): Outline {
  const outline = urlPresetOutline({ id, name: label ?? address ?? '', address: address ?? '' }, position);
  const { formats } = request.stations;
  const plays = formatsOfScheme(address ?? '')?.some((format) => (formatBit(format) & formats) !== 0) ?? true;
  return plays ? outline : unavailable(request, outline);
}

function stationPreset(
  request: BrowseRequest,
  { item_id: id, label }: PresetRow,
  onAir: OnAirRow | undefined,
): Outline {
  const { snapshot, words, stations, songs } = request;
  const station = findStation(snapshot, id);
  if (!station) {
    const gone = { id, name: label ?? guideId('s', id), bitrate: 0, reliability: 0, formats: 0 };
    return unavailable(request, stationOutline(gone, 'preset'));
  }
  const outline = stationOutline(stationIn(snapshot, station, words), 'preset');
  const plays = (playableBits(station) & wantedBits(stations.formats)) !== 0;
  if (!plays) return unavailable(request, outline);
  const song = songAt(songs, station.rank);
  if (!onAir && !song) return outline;
  return withOnAir(outline, { ...song, showId: onAir?.show_id, showTitle: onAir?.title });
}

const unavailable = ({ words }: BrowseRequest, outline: Outline): Outline => ({
  ...outline,
  subtext: words.text('browse.notSupported'),
  key: 'unavailable',
});
