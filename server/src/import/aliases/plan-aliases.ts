import { canBeForeignId } from '../../core/directory/lookup/by-any-id.ts';
import {
  type FoundStation,
  matchStations,
  type NotFound,
} from '../../core/directory/lookup/match-stations.ts';
import type { ForeignId } from '../../formats/station-list/foreign-id.ts';
import type { ListEntry } from '../../formats/station-list/read-list.ts';
import { guideId, OWN_NUMBERS_FROM, parseGuideId } from '../../lib/guide-id.ts';
import { parseCountry } from '../../storage/catalog/places/country-names.ts';
import { listCountries } from '../../storage/catalog/places/places.ts';
import { type KnownAlias, listAliases } from '../../storage/catalog/stations/aliases.ts';
import { listStations } from '../../storage/catalog/stations/stations.ts';
import type { Queryable } from '../../storage/db/pool.ts';

/** `choice`: the operator said so. */
type MatchedBy = FoundStation['by'] | 'choice';

/** What becomes of one id of a list. */
export interface PlannedAlias extends ForeignId {
  /** What the list calls the station. */
  name: string;
  /**
   * `new`: it will lead to the station. `known`: it does so already. `replaced`: it will, and leads to another one now.
   * `conflict`: it leads to another one, and stays. `unmatched`: which station it is, is not certain.
   */
  what: 'new' | 'known' | 'replaced' | 'conflict' | 'unmatched';
  station?: { id: number; name: string };
  by?: MatchedBy;
  /** Why it is not saved. */
  why?: string;
}

export interface PlanOptions {
  /** The country of entries that name none, as a code or a name. */
  country?: string | undefined;
  /** The directory that the ids are of, where their form does not tell. */
  scheme?: string | undefined;
  isReplacing?: boolean | undefined;
  /** The stations that the operator chose, by the ids elsewhere. */
  chosen?: ReadonlyMap<string, number> | undefined;
}

export interface AliasPlan {
  aliases: PlannedAlias[];
  /** Entries without an id of another directory. */
  withoutId: number;
}

/** One id of one entry, and which station that is. */
interface Line extends ForeignId {
  name: string;
  found: { stationId: number; by: MatchedBy } | NotFound;
}

const BATCH = 1000;

/** What an import of these entries would do. Nothing is written. */
export async function planAliases(
  db: Queryable,
  entries: readonly ListEntry[],
  { country, scheme, isReplacing = false, chosen }: PlanOptions = {},
): Promise<AliasPlan> {
  const countryIds = await loadCountryIds(db);
  const withIds = entries
    .map((entry) => ({ entry, ids: idsOf(entry, scheme) }))
    .filter(({ ids }) => ids.length > 0);
  const sought = withIds.map(({ entry: { address, name, country: own = country } }) => ({
    address,
    name,
    countryId: own === undefined ? undefined : countryIds.get(parseCountry(own) ?? ''),
  }));
  const found = await matchStations(db, sought);
  const lines = withIds.flatMap(({ entry, ids }, at) =>
    ids.map((id): Line => {
      const stationId = chosen?.get(id.id);
      return {
        ...id,
        name: entry.name ?? '',
        found: stationId === undefined ? found[at]! : { stationId, by: 'choice' },
      };
    }),
  );
  const aliases: PlannedAlias[] = [];
  const meant = meaningsOf(lines);
  const done = new Set<string>();
  for (let from = 0; from < lines.length; from += BATCH) {
    const batch = lines.slice(from, from + BATCH);
    const known = await lookUp(db, batch);
    for (const line of batch) {
      const planned = plan(line, known, meant, isReplacing);
      const key = `${keyOf(line)} ${planned.what} ${planned.station?.id ?? ''}`;
      if (!done.has(key)) aliases.push(planned);
      done.add(key);
    }
  }
  return { aliases, withoutId: entries.length - withIds.length };
}

async function loadCountryIds(db: Queryable): Promise<ReadonlyMap<string, number>> {
  return new Map((await listCountries(db)).map(({ code, id }) => [code, id]));
}

/** The ids whose directory is known by their form; with a scheme, the entry's own id, whatever its form. */
function idsOf({ id, foreign }: ListEntry, scheme: string | undefined): readonly ForeignId[] {
  if (scheme === undefined) return foreign;
  return id === undefined || id === '' ? [] : [{ scheme, id: foreign[0]?.id ?? id }];
}

const keyOf = ({ scheme, id }: ForeignId): string => `${scheme} ${id}`;

/** The stations that each id means in this list: more than one is a contradiction. */
function meaningsOf(lines: readonly Line[]): ReadonlyMap<string, ReadonlySet<number>> {
  const meant = new Map<string, Set<number>>();
  for (const line of lines)
    if ('stationId' in line.found)
      meant.getOrInsertComputed(keyOf(line), () => new Set()).add(line.found.stationId);
  return meant;
}

interface Known {
  aliases: ReadonlyMap<string, readonly KnownAlias[]>;
  /** Names of all stations that are spoken of. */
  names: ReadonlyMap<number, string>;
}

async function lookUp(db: Queryable, lines: readonly Line[]): Promise<Known> {
  const rows = await listAliases(db, [...new Set(lines.map(({ id }) => id))]);
  const stations = new Set([
    ...lines.flatMap(({ found }) => ('stationId' in found ? [found.stationId] : found.candidates)),
    ...rows.filter(({ kind }) => kind === 's').map(({ item_id: id }) => id),
    ...lines.flatMap(({ id }) => ownNumber(id) ?? []),
  ]);
  const named = await listStations(db, [...stations]);
  return {
    aliases: Map.groupBy(rows, ({ foreign_id: id }) => id),
    names: new Map(named.map(({ id, name }) => [id, name])),
  };
}

/** The number of an id that has the form of ours for a station. */
function ownNumber(id: string): number | undefined {
  const own = parseGuideId(id);
  return own?.letter === 's' ? own.number : undefined;
}

function plan(
  line: Line,
  known: Known,
  meant: ReadonlyMap<string, ReadonlySet<number>>,
  isReplacing: boolean,
): PlannedAlias {
  const { scheme, id, name, found } = line;
  const base = { scheme, id, name };
  const refusal = refusalOf(id, known);
  if (refusal !== undefined) return { ...base, what: 'unmatched', why: refusal };
  if (!('stationId' in found)) return { ...base, what: 'unmatched', why: reasonOf(found, known) };
  const { stationId, by } = found;
  if (!known.names.has(stationId))
    return { ...base, what: 'unmatched', why: `there is no station ${guideId('s', stationId)} here` };
  const matched = { ...base, by, station: { id: stationId, name: known.names.get(stationId) ?? '' } };
  if ((meant.get(keyOf(line))?.size ?? 0) > 1)
    return { ...matched, what: 'conflict', why: 'the list has this id for several stations' };
  const aliases = known.aliases.get(id) ?? [];
  const others = aliases.filter(({ kind, item_id: item }) => kind !== 's' || item !== stationId);
  const inOthers = others.find((alias) => alias.scheme !== scheme);
  if (inOthers)
    return {
      ...matched,
      what: 'conflict',
      why: `as an id of ${inOthers.scheme} it leads to ${shown(inOthers, known)}, and radios do not say which directory they mean`,
    };
  const [other] = others;
  if (other)
    return isReplacing
      ? { ...matched, what: 'replaced', why: `it led to ${shown(other, known)}` }
      : { ...matched, what: 'conflict', why: `it leads to ${shown(other, known)}; --replace changes that` };
  return { ...matched, what: aliases.some((alias) => alias.scheme === scheme) ? 'known' : 'new' };
}

/** Ids that no alias may have. */
function refusalOf(id: string, { names }: Known): string | undefined {
  if (!canBeForeignId(id))
    return 'no radio asks for such an id: use letters, digits, _ . : and -, 100 at most';
  const own = parseGuideId(id);
  if (own && own.number >= OWN_NUMBERS_FROM)
    return 'this directory gives such ids itself, so that one from elsewhere would be mistaken for ours';
  if (own?.letter === 's' && names.has(own.number)) return 'a station of this directory has this id';
  return undefined;
}

function reasonOf({ why, candidates }: NotFound, { names }: Known): string {
  const list = candidates.map((id) => `${guideId('s', id)} ${names.get(id) ?? ''}`.trim()).join(', ');
  if (why === 'several') return `it may be any of ${list}: --pick ID=STATION chooses one`;
  if (why === 'noCountry')
    return `the list tells no country, and a name alone proves little: give --country if it is ${list}`;
  return 'no station plays at its address, and none has its name in its country';
}

const shown = ({ kind, item_id: item }: KnownAlias, { names }: Known): string =>
  `${kind}${item} ${kind === 's' ? (names.get(item) ?? '') : ''}`.trim();
