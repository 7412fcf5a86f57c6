import { listShows } from '../catalog/shows.ts';
import { listStations } from '../catalog/stations.ts';
import { addressKey, cleanAddress } from '../intake/clean-address.ts';
import { nameKey } from '../intake/name-key.ts';
import { type ParsedGuideId, guideId, parseGuideId } from '../lib/guide-id.ts';
import type { PresetItem } from '../members/preset-item.ts';
import { labelOf, parseFolderName, parseSavedAddress } from '../opml/saved-texts.ts';
import type { Desk } from './needs.ts';
import type { ListEntry } from './read-list.ts';
import { stationsByAddress, stationsByName } from './stations-of-list.ts';

/** How a line was recognised; `kept`: it was not, and its address is saved as it is. */
export type MatchedBy = 'id' | 'address' | 'name' | 'kept';

export interface MatchedEntry {
  item: PresetItem;
  by: MatchedBy;
  folder: string | undefined;
  number: number | undefined;
}

export interface UnmatchedEntry {
  name: string;
  address: string;
}

interface Around {
  /** The host of this service: an id beside one of its own addresses is ours. */
  origin: string;
  countryId: number | null;
}

/** What the lines of a list are here: by the id they give, by where they lead, by their name. */
export async function matchList(
  entries: readonly ListEntry[],
  desk: Desk,
  around: Around,
): Promise<{ matched: MatchedEntry[]; unmatched: UnmatchedEntry[] }> {
  const known = await lookUp(entries, desk, around);
  const matched: MatchedEntry[] = [];
  const unmatched: UnmatchedEntry[] = [];
  for (const entry of entries) {
    const found = matchOne(entry, known, around);
    const folder = entry.folder === undefined ? undefined : parseFolderName(entry.folder);
    if (found) matched.push({ ...found, folder, number: entry.number });
    else unmatched.push({ name: labelOf(entry.name ?? ''), address: entry.address.slice(0, 300) });
  }
  return { matched, unmatched };
}

interface Known {
  aliases: ReadonlyMap<string, ParsedGuideId>;
  byAddress: ReadonlyMap<string, number>;
  byName: ReadonlyMap<string, number>;
  /** Names of stations and shows by guide ID. */
  names: ReadonlyMap<string, string>;
}

/** A few questions for the whole list, however long it is; the aliases are at hand mostly. */
async function lookUp(entries: readonly ListEntry[], { db, aliases }: Desk, around: Around): Promise<Known> {
  const ids = [...new Set(entries.flatMap((entry) => idOf(entry) ?? []))];
  const foreign = new Map<string, ParsedGuideId>();
  for (const id of ids) {
    const alias = await aliases.find(id);
    if (alias) foreign.set(id, alias);
  }
  const [byAddress, byName] = await Promise.all([
    stationsByAddress(
      db,
      entries.flatMap(({ address }) => keyOfAddress(address) ?? []),
    ),
    stationsByName(
      db,
      entries.flatMap(({ name }) => (name ? nameKey(name) : [])),
      around.countryId,
    ),
  ]);
  const named = [...ids.flatMap((id) => parseGuideId(id) ?? []), ...foreign.values()];
  const numbers = (letter: string): number[] =>
    named.filter((id) => id.letter === letter).map((id) => id.number);
  const [stations, shows] = await Promise.all([
    listStations(db, [...numbers('s'), ...byAddress.values(), ...byName.values()]),
    listShows(db, numbers('p')),
  ]);
  const names = new Map<string, string>([
    ...stations.map(({ id, name }) => [guideId('s', id), name] as const),
    ...shows.map(({ id, title }) => [guideId('p', id), title] as const),
  ]);
  return { aliases: foreign, byAddress, byName, names };
}

function matchOne(
  entry: ListEntry,
  known: Known,
  around: Around,
): Pick<MatchedEntry, 'item' | 'by'> | undefined {
  const id = idOf(entry);
  const own = id === undefined ? undefined : parseGuideId(id);
  // An address that was exported as one stays one.
  if (own?.letter !== 'u') {
    const byId = own && isMeant(entry, own, known, around) ? itemOf(own, known) : undefined;
    const alias = known.aliases.get(id ?? '');
    const elsewhere = byId ?? (alias && itemOf(alias, known));
    if (elsewhere) return { item: elsewhere, by: 'id' };
    const byAddress = stationOf(known.byAddress.get(keyOfAddress(entry.address) ?? ''), known);
    if (byAddress) return { item: byAddress, by: 'address' };
    const byName = stationOf(known.byName.get(entry.name ? nameKey(entry.name) : ''), known);
    if (byName) return { item: byName, by: 'name' };
  }
  const address = parseSavedAddress(entry.address);
  return address === undefined ? undefined : { item: keptAddress(entry, address), by: 'kept' };
}

/** The ids of other directories look like ours: one counts beside an address of this host, or where the name agrees. */
function isMeant(
  { address, name }: ListEntry,
  own: ParsedGuideId,
  { names }: Known,
  { origin }: Around,
): boolean {
  if (URL.parse(address)?.host === URL.parse(origin)?.host) return true;
  const known = names.get(guideId(own.letter, own.number));
  return known !== undefined && name !== undefined && nameKey(known) === nameKey(name);
}

const keptAddress = ({ name }: ListEntry, address: string): PresetItem => ({
  kind: 'u',
  address,
  label: labelOf(name ?? '') || labelOf(address),
});

function itemOf({ letter, number }: ParsedGuideId, { names }: Known): PresetItem | undefined {
  const name = names.get(guideId(letter, number));
  if (name === undefined || (letter !== 's' && letter !== 'p')) return undefined;
  return { kind: letter, itemId: number, label: labelOf(name) };
}

const stationOf = (id: number | undefined, known: Known): PresetItem | undefined =>
  id === undefined ? undefined : itemOf({ letter: 's', number: id }, known);

/** As the list says, or as its link to a directory of this kind does. */
function idOf({ id, address }: ListEntry): string | undefined {
  if (id !== undefined && id !== '') return id;
  const url = URL.parse(address);
  return url && /\/tune\.ashx$/i.test(url.pathname) ? (url.searchParams.get('id') ?? undefined) : undefined;
}

function keyOfAddress(text: string): string | undefined {
  const cleaned = cleanAddress(text);
  return 'refused' in cleaned ? undefined : addressKey(cleaned.key);
}
