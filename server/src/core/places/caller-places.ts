import { type Coordinate, coordinate } from '../../lib/geo.ts';
import { ALL_FORMATS } from '../../lib/stream-format.ts';
import { cached, mapSync } from '../../storage/cache/cached.ts';
import { ReadThrough } from '../../storage/cache/read-through.ts';
import type { Queryable } from '../../storage/db/pool.ts';
import { findAccount, findAccountIdByUsername } from '../accounts/accounts.ts';
import { near } from '../directory/nearby/near.ts';
import { lineageOf, type Snapshot } from '../directory/snapshot/snapshot.ts';

/** A caller's position: a point, a region or a country. */
export interface CallerPlace {
  coordinate?: Coordinate | undefined;
  regionId?: number | undefined;
  /** ISO 3166-1: `DE`. */
  countryCode?: string | undefined;
  /** A point in the country, where nothing better is known: right for a time zone, wrong for local radio. */
  roughly?: Coordinate | undefined;
}

/** The position of an IP address; not `precise` when only the country is reliable. */
export type PlaceOfAddress = (
  ip: string,
) => { coordinate: Coordinate | undefined; countryCode?: string | undefined; precise: boolean } | undefined;

/** Place and time zone of the account with that name; empty when there is none. */
export interface NamedAccount {
  place?: CallerPlace | undefined;
  zone?: string | undefined;
}

/** Accounts by name, cached briefly. Accounts that may not be read by name count as unknown. */
export class NamedAccounts {
  readonly #known: ReadThrough<NamedAccount>;

  constructor(db: Queryable) {
    const load = (username: string): Promise<NamedAccount> => readAccount(db, username);
    this.#known = new ReadThrough({ load, most: 20_000, freshMs: 30_000, staleMs: 24 * 3_600_000 });
  }

  cached(username: string): NamedAccount | undefined | Promise<NamedAccount | undefined> {
    return cached(this.#known, username.toLowerCase());
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

/** The parts of a call that tell where the listener is. */
interface Positioned {
  latlon: Coordinate | undefined;
  username: string | undefined;
  geoIp: string;
}

interface PlaceSources {
  placeOfAddress?: PlaceOfAddress | undefined;
  /** The position of callers whose address has none, like every radio at home. */
  homePlace?: (() => Coordinate | undefined) | undefined;
}

type Maybe<T> = T | undefined;

/** Where callers are, for every protocol: by `latlon`, else the account, else the IP address, else HOME_PLACE. */
export class CallerPlaces {
  readonly accounts: NamedAccounts;
  readonly #sources: PlaceSources;

  constructor(db: Queryable, sources: PlaceSources = {}) {
    this.accounts = new NamedAccounts(db);
    this.#sources = sources;
  }

  of({ latlon, username, geoIp }: Positioned): Maybe<CallerPlace> | Promise<Maybe<CallerPlace>> {
    if (latlon) return { coordinate: latlon };
    const account = username === undefined ? undefined : this.accounts.cached(username);
    return mapSync(account, (known) => known?.place ?? this.#byAddress(geoIp));
  }

  #byAddress(geoIp: string): Maybe<CallerPlace> {
    const { placeOfAddress, homePlace } = this.#sources;
    const found = placeOfAddress?.(geoIp);
    if (found?.precise) return { coordinate: found.coordinate, countryCode: found.countryCode };
    if (found?.countryCode !== undefined)
      return { countryCode: found.countryCode, roughly: found.coordinate };
    const home = homePlace?.();
    return home && { coordinate: home };
  }
}

/** How many stations around a point tell its country; near a border the nearest alone may be abroad. */
const NEIGHBOURS = 7;

/** The country of a place: as told, of its region, or else of most stations around its point. */
export function countryOf(place: Maybe<CallerPlace>, snapshot: Snapshot): string | undefined {
  if (place?.countryCode !== undefined) return place.countryCode;
  const region = snapshot.regionById.get(place?.regionId ?? Number.NaN);
  const country = region && lineageOf(region).find(({ kind }) => kind === 'country');
  if (country) return country.code.replace('country:', '');
  const point = pointOf(place, snapshot);
  return point && countryAround(point, snapshot);
}

/** Stations further away say less than the nearest one alone. */
const NEIGHBOURHOOD_KM = 50;

const countries = new WeakMap<Snapshot, Map<string, string | undefined>>();
/** A radio asks from one point again and again. When it is full, the cache is cleared. */
const MAX_POINTS = 5000;

function countryAround(point: Coordinate, snapshot: Snapshot): string | undefined {
  let known = countries.get(snapshot);
  if (!known || known.size >= MAX_POINTS) countries.set(snapshot, (known = new Map()));
  const key = `${point.latitude} ${point.longitude}`;
  const before = known.get(key);
  if (before !== undefined || known.has(key)) return before;
  const country = mostOfNeighbours(point, snapshot);
  known.set(key, country);
  return country;
}

function mostOfNeighbours(point: Coordinate, snapshot: Snapshot): string | undefined {
  const nearest = { formats: ALL_FORMATS, offset: 0 };
  const around = near(snapshot, point, { ...nearest, limit: NEIGHBOURS, withinKm: NEIGHBOURHOOD_KM });
  const { stations } = around.ranks.length > 0 ? around : near(snapshot, point, { ...nearest, limit: 1 });
  const counts = new Map<string, number>();
  for (const { countryCode } of stations)
    if (countryCode !== undefined) counts.set(countryCode, (counts.get(countryCode) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}

/** The point of a place, or one inside it. */
export const pointOf = (place: Maybe<CallerPlace>, { regionById }: Snapshot): Maybe<Coordinate> =>
  place?.coordinate ?? regionById.get(place?.regionId ?? Number.NaN)?.coordinate ?? place?.roughly;
