import { labelOf, parseFolderName, parseSavedAddress } from '../../../core/accounts/presets/preset-rules.ts';
import type { PresetItem } from '../../../core/accounts/presets/presets.ts';
import { nameKey } from '../../../core/cleaning/clean-name.ts';
import { type FoundStation, matchStations } from '../../../core/directory/lookup/match-stations.ts';
import type { ListEntry } from '../../../formats/station-list/read-list.ts';
import { guideId, type ParsedGuideId, parseGuideId } from '../../../lib/guide-id.ts';
import { parseCountry } from '../../../storage/catalog/places/country-names.ts';
import { listCountries } from '../../../storage/catalog/places/places.ts';
import { listShows } from '../../../storage/catalog/shows/shows.ts';
import { type KnownAlias, listAliases } from '../../../storage/catalog/stations/aliases.ts';
import { listStations } from '../../../storage/catalog/stations/stations.ts';
import type { Queryable } from '../../../storage/db/pool.ts';
import type { SiteApiContext } from './deps.ts';

/** How an entry was recognised; `kept`: it was not, and its address is saved as it is. */
type MatchedBy = 'id' | 'address' | 'name' | 'kept';

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
  /** This service's host: an id beside one of its own addresses is ours. */
  origin: string;
  countryId: number | null;
}

/** Finds the stations and shows of a list: by our own id, by address, by name and country, by an id from elsewhere. */
export async function matchList(
  entries: readonly ListEntry[],
  context: SiteApiContext,
  around: Around,
): Promise<{ matched: MatchedEntry[]; unmatched: UnmatchedEntry[] }> {
  const known = await lookUp(entries, context, around);
  const matched: MatchedEntry[] = [];
  const unmatched: UnmatchedEntry[] = [];
  for (const [at, entry] of entries.entries()) {
    const found = matchOne(entry, at, known, around);
    const folder = entry.folder === undefined ? undefined : parseFolderName(entry.folder);
    if (found) matched.push({ ...found, folder, number: entry.number });
    else unmatched.push({ name: labelOf(entry.name ?? ''), address: entry.address.slice(0, 300) });
  }
  return { matched, unmatched };
}

interface Known {
  aliases: ReadonlyMap<string, readonly KnownAlias[]>;
  /** By address or name, in the order of the entries. */
  matched: readonly (FoundStation | undefined)[];
  /** Names of stations and shows by guide ID. */
  names: ReadonlyMap<string, string>;
}

/** A fixed number of queries for each few hundred entries. */
async function lookUp(entries: readonly ListEntry[], { db }: SiteApiContext, around: Around): Promise<Known> {
  const ids = [...new Set(entries.flatMap(idsOf))];
  const [matched, aliases] = await Promise.all([findStations(db, entries, around), listAliases(db, ids)]);
  const named = [
    ...ids.flatMap((id) => parseGuideId(id) ?? []),
    ...aliases.flatMap(({ kind, item_id: id }) => parseGuideId(`${kind}${id}`) ?? []),
  ];
  const numbers = (letter: string): number[] =>
    named.filter((id) => id.letter === letter).map((id) => id.number);
  const [stations, shows] = await Promise.all([
    listStations(db, [...numbers('s'), ...matched.flatMap((found) => found?.stationId ?? [])]),
    listShows(db, numbers('p')),
  ]);
  const names = new Map<string, string>([
    ...stations.map(({ id, name }) => [guideId('s', id), name] as const),
    ...shows.map(({ id, title }) => [guideId('p', id), title] as const),
  ]);
  return { aliases: Map.groupBy(aliases, ({ foreign_id: id }) => id), matched, names };
}

/**
 * By address, else by name in the country of the entry or of the account. The only station of a name in the world is
 * taken too, unless the entry has an id of another directory: then it is the station of that id or none.
 */
async function findStations(
  db: Queryable,
  entries: readonly ListEntry[],
  { countryId }: Around,
): Promise<(FoundStation | undefined)[]> {
  const countries = new Map((await listCountries(db)).map(({ code, id }) => [code, id]));
  const sought = entries.map(({ address, name, country }) => ({
    address,
    name,
    countryId: country === undefined ? (countryId ?? undefined) : countries.get(parseCountry(country) ?? ''),
  }));
  const found = await matchStations(db, sought);
  const anywhere = await matchStations(
    db,
    sought.map(({ name }) => ({ address: '', name, countryId: undefined })),
  );
  return entries.map(({ foreign, country }, at) => {
    const [here, elsewhere] = [found[at], anywhere[at]];
    if (here && 'stationId' in here) return here;
    const isOpen = foreign.length === 0 && country === undefined && here?.why !== 'several';
    const [only, ...others] = elsewhere && 'why' in elsewhere ? elsewhere.candidates : [];
    return isOpen && only !== undefined && others.length === 0 ? { stationId: only, by: 'name' } : undefined;
  });
}

function matchOne(
  entry: ListEntry,
  at: number,
  known: Known,
  around: Around,
): Pick<MatchedEntry, 'item' | 'by'> | undefined {
  const id = idOf(entry);
  const own = id === undefined ? undefined : parseGuideId(id);
  // A preset exported as an address stays an address.
  if (own?.letter !== 'u') {
    const byId = own && isMeant(entry, own, known, around) ? itemOf(own, known) : undefined;
    if (byId) return { item: byId, by: 'id' };
    const found = known.matched[at];
    const station = found && itemOf({ letter: 's', number: found.stationId }, known);
    if (station) return { item: station, by: found.by };
    const alias = aliasOf(entry, known);
    if (alias) return { item: alias, by: 'id' };
  }
  const address = parseSavedAddress(entry.address);
  return address === undefined ? undefined : { item: keptAddress(entry, address), by: 'kept' };
}

/** What the ids of an entry are known to mean here; nothing where they contradict each other. */
function aliasOf(entry: ListEntry, known: Known): PresetItem | undefined {
  const rows = idsOf(entry).flatMap((id) => known.aliases.get(id) ?? []);
  const ofScheme = rows.filter((row) =>
    entry.foreign.some(({ scheme, id }) => scheme === row.scheme && id === row.foreign_id),
  );
  const meant = ofScheme.length > 0 ? ofScheme : rows;
  const [only, ...others] = new Set(meant.map(({ kind, item_id: item }) => `${kind}${item}`));
  const id = only !== undefined && others.length === 0 ? parseGuideId(only) : undefined;
  return id && itemOf(id, known);
}

const idsOf = (entry: ListEntry): string[] => [
  ...new Set([...entry.foreign.map(({ id }) => id), ...[idOf(entry) ?? []].flat()]),
];

/**
 * Ids of other directories look like ours: an id counts only beside an address of this host, or if the name matches.
 */
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

/** From the entry itself, or from its link to a RadioTime directory. */
function idOf({ id, address }: ListEntry): string | undefined {
  if (id !== undefined && id !== '') return id;
  const url = URL.parse(address);
  return url && /\/tune\.ashx$/i.test(url.pathname) ? (url.searchParams.get('id') ?? undefined) : undefined;
}
