import { ReadThrough } from '../cache/read-through.ts';
import type { Queryable } from '../db/pool.ts';
import type { Caller } from '../http/caller.ts';
import { type Coordinate, coordinate } from '../lib/geo.ts';
import { findAccount } from '../members/accounts.ts';
import { findAccountIdByUsername } from '../members/usernames.ts';
import { atHand, whenThere } from './at-hand.ts';

/** Where a caller stands: at a point, or somewhere in a region or a country. */
export interface CallerPlace {
  coordinate?: Coordinate | undefined;
  regionId?: number | undefined;
  /** ISO 3166-1: `DE`. */
  countryCode?: string | undefined;
}

/** What an address says about its place; not `precise` when that is hardly more than the country. */
export type PlaceOfAddress = (
  ip: string,
) => { coordinate: Coordinate | undefined; countryCode?: string | undefined; precise: boolean } | undefined;

/** What the account behind a name says of its owner's place and time; nothing for a name that is nobody's. */
export interface NamedAccount {
  place?: CallerPlace | undefined;
  zone?: string | undefined;
}

/** Accounts by name, as read lately. Who does not want to be read by name is nobody. */
export class NamedAccounts {
  readonly #known: ReadThrough<NamedAccount>;

  constructor(db: Queryable) {
    const load = (username: string): Promise<NamedAccount> => readAccount(db, username);
    this.#known = new ReadThrough({ load, most: 20_000, freshMs: 30_000, staleMs: 24 * 3_600_000 });
  }

  atHand(username: string): NamedAccount | undefined | Promise<NamedAccount | undefined> {
    return atHand(this.#known, username.toLowerCase());
  }

  get(username: string): Promise<NamedAccount> {
    return this.#known.get(username.toLowerCase());
  }
}

async function readAccount(db: Queryable, username: string): Promise<NamedAccount> {
  const id = await findAccountIdByUsername(db, username);
  const account = id === undefined ? undefined : await findAccount(db, id);
  if (!account?.readable_by_name) return {};
  const { latitude, longitude, region_id: regionId, zone } = account;
  const point = coordinate(latitude ?? Number.NaN, longitude ?? Number.NaN);
  const place =
    point || regionId !== null ? { coordinate: point, regionId: regionId ?? undefined } : undefined;
  return { place, zone: zone ?? undefined };
}

export interface PlaceSources {
  accounts: Pick<NamedAccounts, 'atHand'>;
  placeOfAddress?: PlaceOfAddress | undefined;
  /** Where a caller stands whose address says nothing, as every radio's in a house. */
  homePlace?: Coordinate | undefined;
}

type Maybe<T> = T | undefined;

/** By `latlon`, else by the account, else by the address, else at the service's own place. */
export function placeOf(
  caller: Caller,
  sources: PlaceSources,
): Maybe<CallerPlace> | Promise<Maybe<CallerPlace>> {
  if (caller.latlon) return { coordinate: caller.latlon };
  const account = caller.username === undefined ? undefined : sources.accounts.atHand(caller.username);
  return whenThere(account, (known) => known?.place ?? placeByAddress(caller, sources));
}

function placeByAddress({ geoIp }: Caller, { placeOfAddress, homePlace }: PlaceSources): Maybe<CallerPlace> {
  const found = placeOfAddress?.(geoIp);
  if (found?.precise) return { coordinate: found.coordinate, countryCode: found.countryCode };
  if (found?.countryCode !== undefined) return { countryCode: found.countryCode };
  return homePlace && { coordinate: homePlace };
}
