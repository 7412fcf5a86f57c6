import { removePresetById } from '../../core/accounts/presets/arrange-presets.ts';
import { changeAddress } from '../../core/accounts/presets/change-address.ts';
import { listFolders } from '../../core/accounts/presets/folders.ts';
import { labelOf, parseSavedAddress, SAVED_ADDRESS_RULE } from '../../core/accounts/presets/preset-rules.ts';
import { findSavedAddress, listSavedPresets, type PresetItem } from '../../core/accounts/presets/presets.ts';
import { addPreset } from '../../core/accounts/presets/save-preset.ts';
import { findPresetTarget } from '../../core/directory/lookup/by-any-id.ts';
import { findStation } from '../../core/directory/lookup/lookups.ts';
import type { FolderItem } from '../../core/folders/folder.ts';
import { listSaved, type SavedFolder } from '../../core/folders/saved-items.ts';
import { stationsAt } from '../../core/search/exactly-meant.ts';
import type { CallerPlaces } from '../../core/places/caller-places.ts';
import type { Finder } from '../../core/search/finder.ts';
import { playPath } from '../../core/streams/play-path.ts';
import { guideId, numberOf, parseGuideId } from '../../lib/guide-id.ts';
import type { Directory } from '../../core/directory/directory.ts';
import type { Queryable } from '../../storage/db/pool.ts';
import type { Owner } from './podcasts.ts';
import { CODES, SubsonicError } from './sign-in.ts';
import type { ResponseNode } from './write-response.ts';

export interface RadioDeps {
  directory: Pick<Directory, 'current'>;
  db: Queryable;
  finder: Finder;
  places?: Pick<CallerPlaces, 'of'> | undefined;
}

/** What an account has saved, folder by folder. */
export const savedFolders = ({ pool, accountId }: Owner, { directory }: RadioDeps): Promise<SavedFolder[]> =>
  listSaved(pool, directory.current(), accountId);

/** Each once, whatever folders it is in. */
export const itemsOnce = (folders: readonly SavedFolder[]): FolderItem[] => [
  ...new Map(folders.flatMap(({ items }) => items).map((item) => [item.id, item])).values(),
];

/** The presets: an app shows all of them as one list, without a search, so never the directory. */
export function stationNodes(item: FolderItem, origin: string): ResponseNode[] {
  if (item.kind === 'address') return [{ id: item.id, name: item.title, streamUrl: item.address }];
  if (item.kind !== 'station') return [];
  const { id, title, station } = item;
  return [
    {
      id,
      name: title,
      streamUrl: origin + playPath(station.id),
      ...(station.homepage !== undefined && { homePageUrl: station.homepage }),
      coverArt: id,
    },
  ];
}

/** What an app says of a stream. */
interface NamedAddress {
  address: string;
  name: string;
}

export async function saveAddress(owner: Owner, deps: RadioDeps, given: NamedAddress): Promise<void> {
  const address = savedAddressOf(given);
  await addPreset(owner.pool, owner.accountId, undefined, await itemAt(deps, address, given.name));
}

/** In its place. One that only gets another name stays an address, so that it is called that. */
export async function updateAddress(
  owner: Owner,
  deps: RadioDeps,
  id: string,
  given: NamedAddress,
): Promise<void> {
  const address = savedAddressOf(given);
  const known = await findOwnAddress(owner, id);
  if (known === undefined) throw noSuchItem(id);
  const item = address === known ? ownItem(address, given.name) : await itemAt(deps, address, given.name);
  if (!(await changeAddress(owner.pool, owner.accountId, numberOf('u', id) ?? 0, item))) throw noSuchItem(id);
}

function savedAddressOf({ address }: NamedAddress): string {
  const parsed = parseSavedAddress(address);
  if (parsed === undefined) throw new SubsonicError(CODES.other, `'streamUrl' is ${SAVED_ADDRESS_RULE}`);
  return parsed;
}

/** An address of a station's is saved as that station, which outlives it; any other as it is. */
async function itemAt(deps: RadioDeps, address: string, name: string): Promise<PresetItem> {
  const station = await stationAt(deps, address);
  return station ? { kind: 's', itemId: station.id, label: labelOf(station.name) } : ownItem(address, name);
}

const ownItem = (address: string, name: string): PresetItem => ({
  kind: 'u',
  address,
  label: labelOf(name) || address,
});

async function stationAt({ directory, finder }: RadioDeps, address: string) {
  const [, own] = /\/play\/s(\d{1,15})\.\w+$/i.exec(address) ?? [];
  const ids =
    own === undefined ? (await stationsAt(address, finder)).stations.map(({ id }) => id) : [Number(own)];
  const stations = ids.flatMap((id) => findStation(directory.current(), id) ?? []);
  return stations[0];
}

/** A station or a show, by its id. */
export async function saveItem({ pool, accountId }: Owner, deps: RadioDeps, id: string): Promise<void> {
  const parsed = parseGuideId(id);
  const target = parsed && (await findPresetTarget(parsed, deps));
  if (!target) throw noSuchItem(id);
  const { kind, itemId, name } = target;
  await addPreset(pool, accountId, undefined, { kind, itemId, label: labelOf(name) });
}

/** From every folder it is in. */
export async function removeItem({ pool, accountId }: Owner, id: string): Promise<void> {
  const parsed = parseGuideId(id);
  const folders = await listFolders(pool, accountId);
  const presets = await listSavedPresets(
    pool,
    accountId,
    folders.map((folder) => folder.id),
  );
  const meant = presets.filter(
    ({ kind, item_id: item }) => kind === parsed?.letter && item === parsed?.number,
  );
  if (meant.length === 0) throw noSuchItem(id);
  for (const preset of meant) await removePresetById(pool, accountId, preset.id);
}

/** Where an own address is played. */
export async function findOwnAddress({ pool, accountId }: Owner, id: string): Promise<string | undefined> {
  return (await findSavedAddress(pool, accountId, numberOf('u', id) ?? 0))?.address;
}

export const noSuchItem = (id: string): SubsonicError =>
  new SubsonicError(
    CODES.notFound,
    `There is no ${id.slice(0, 40)}; search again, or ask for the list again`,
  );

export const stationAlbum = (station: { genreId: number | undefined; genreName: string | undefined }) => ({
  id: station.genreId === undefined ? 'root' : guideId('g', station.genreId),
  name: station.genreName ?? 'Radio',
});
