import type { Queryable } from '../../../storage/db/pool.ts';
import { statement } from '../../../storage/db/statement.ts';
import { keyOfAddress } from '../../cleaning/clean-address.ts';
import { cleanName, doubtfulKey, nameKey } from '../../cleaning/clean-name.ts';

/** What is known of a station from elsewhere. */
export interface StationSought {
  /** Of its stream, as written; '' if unknown. */
  address: string;
  name: string | undefined;
  countryId: number | undefined;
}

export interface FoundStation {
  stationId: number;
  by: 'address' | 'name';
}

/** Why none is certain; the stations that it may be, in the order of their ids, a few of them. */
export interface NotFound {
  why: 'several' | 'noCountry' | 'unknown';
  candidates: readonly number[];
}

/** Shorter names ("1", "FM") prove nothing. */
const MIN_NAME_LENGTH = 3;
/** Where more stations lead to one address, it is a message for all of them. */
const MAX_AT_ONE_ADDRESS = 3;
const MAX_CANDIDATES = 5;
const BATCH = 500;

const atAddresses = statement(
  'stations-at-addresses',
  { key: 'uuid', station_id: 'int8', name_key: 'text', own: 'bool' },
  `SELECT key, at.station_id, stations.name_key, at.own
   FROM unnest($1::uuid[]) AS key
   CROSS JOIN LATERAL (
     (SELECT station_id, true AS own FROM streams WHERE address_key = key)
     UNION ALL
     (SELECT DISTINCT station_id, false FROM streams WHERE resolved_key = key LIMIT ${MAX_AT_ONE_ADDRESS})
   ) AS at
   JOIN stations ON stations.id = at.station_id`,
);
const named = statement(
  'stations-named',
  { name_key: 'text', country_id: 'int8?', ids: 'int8[]' },
  `SELECT name_key, country_id, (array_agg(DISTINCT coalesce(merged_into, id)))[1:${MAX_CANDIDATES}] AS ids
   FROM stations WHERE name_key = ANY ($1::text[]) GROUP BY name_key, country_id`,
);

/**
 * Which of our stations each of these is, if it is certain: the one that plays at its address, else the only one of its
 * name in its country. In their order.
 */
export async function matchStations(
  db: Queryable,
  sought: readonly StationSought[],
): Promise<(FoundStation | NotFound)[]> {
  const found: (FoundStation | NotFound)[] = [];
  for (let from = 0; from < sought.length; from += BATCH)
    found.push(...(await matchBatch(db, sought.slice(from, from + BATCH))));
  return found;
}

interface Keys {
  address: string | undefined;
  name: string | undefined;
  countryId: number | undefined;
}

async function matchBatch(
  db: Queryable,
  sought: readonly StationSought[],
): Promise<(FoundStation | NotFound)[]> {
  const keys = sought.map(keysOf);
  const [byAddress, byName] = await Promise.all([
    findAtAddresses(db, [...new Set(keys.flatMap(({ address }) => address ?? []))]),
    findNamed(db, [
      ...new Set(keys.flatMap(({ name }) => (name === undefined ? [] : [name, doubtfulKey(name)]))),
    ]),
  ]);
  return keys.map((key) => {
    const there =
      key.address === undefined ? undefined : decideAddress(byAddress.get(key.address) ?? [], key);
    if (there) return there;
    const sure = byName.get(key.name ?? '') ?? [];
    const isHere = sure.some((each) => (key.countryId ?? each.country_id) === each.country_id);
    // A doubtful name counts where nobody else has it.
    return decideName(isHere ? sure : (byName.get(doubtfulKey(key.name ?? '')) ?? sure), key);
  });
}

function keysOf({ address, name, countryId }: StationSought): Keys {
  const cleaned = name === undefined ? undefined : cleanName(name);
  const key = cleaned === undefined ? undefined : nameKey(cleaned);
  return {
    address: address === '' ? undefined : keyOfAddress(withoutLastSlash(address)),
    name: key,
    countryId,
  };
}

/** Some programs add one, and the servers of large networks are then not recognised by their paths. */
function withoutLastSlash(address: string): string {
  const query = address.indexOf('?');
  const end = query === -1 ? address.length : query;
  return address[end - 1] === '/' ? address.slice(0, end - 1) + address.slice(end) : address;
}

interface AtAddress {
  station_id: number;
  name_key: string;
  /** It is the station's own address; else the station's address leads there. */
  own: boolean;
}

/** Undefined where nothing is known of the address. */
function decideAddress(all: readonly AtAddress[], { name }: Keys): FoundStation | NotFound | undefined {
  const stations = new Map(all.map((each) => [each.station_id, each]));
  const [first] = stations.keys();
  if (first === undefined) return undefined;
  if (stations.size === 1) return { stationId: first, by: 'address' };
  // An address of one station to which others lead: the name says which of them is meant.
  const alike = all.filter((each) => each.name_key === name);
  const [only] = new Set(alike.map((each) => each.station_id));
  if (only !== undefined && new Set(alike.map((each) => each.station_id)).size === 1)
    return { stationId: only, by: 'address' };
  return { why: 'several', candidates: [...stations.keys()].toSorted((a, b) => a - b) };
}

interface Namesakes {
  country_id: number | null;
  ids: readonly number[];
}

function decideName(all: readonly Namesakes[], { name = '', countryId }: Keys): FoundStation | NotFound {
  const candidates = all.flatMap(({ ids }) => ids).toSorted((a, b) => a - b);
  if (name.length < MIN_NAME_LENGTH || candidates.length === 0) return { why: 'unknown', candidates: [] };
  if (countryId === undefined) return { why: 'noCountry', candidates: candidates.slice(0, MAX_CANDIDATES) };
  const here = all.find((each) => each.country_id === countryId)?.ids ?? [];
  const [only] = here;
  if (only === undefined) return { why: 'unknown', candidates: [] };
  return here.length === 1 ? { stationId: only, by: 'name' } : { why: 'several', candidates: here };
}

async function findAtAddresses(
  db: Queryable,
  keys: readonly string[],
): Promise<ReadonlyMap<string, AtAddress[]>> {
  const rows = keys.length === 0 ? [] : await atAddresses.run(db, [keys]);
  return Map.groupBy(rows, ({ key }) => key);
}

async function findNamed(db: Queryable, keys: readonly string[]): Promise<ReadonlyMap<string, Namesakes[]>> {
  const rows = keys.length === 0 ? [] : await named.run(db, [keys]);
  return Map.groupBy(rows, ({ name_key: key }) => key);
}
