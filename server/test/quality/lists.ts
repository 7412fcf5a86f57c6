import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Broadcaster, parseBroadcaster, parseSubject, type Subject } from './match.ts';

export interface City {
  name: string;
  /** ISO 3166-1: `AT`. */
  country: string;
  latitude: number;
  longitude: number;
  wanted: Broadcaster[];
}

export const QUERY_KINDS = ['name', 'nickname', 'namesake', 'other'] as const;
type QueryKind = (typeof QUERY_KINDS)[number];

export interface Query {
  kind: QueryKind;
  text: string;
  caller: City;
  /** Any of these is right. */
  wanted: (Broadcaster | Subject)[];
}

export interface Lists {
  broadcasters: Broadcaster[];
  cities: City[];
  queries: Query[];
}

/** The three text files of this folder; their heads say what a line is. */
export function readLists(): Lists {
  const broadcasters = linesOf('broadcasters.txt').map((line) => parseBroadcaster(line) ?? wrong(line));
  const byKey = new Map(broadcasters.map((one) => [`${one.country}:${one.name}`, one]));
  const find = (country: string, name: string): Broadcaster => {
    const key = /^[A-Z]{2}:/.test(name) ? name : `${country}:${name}`;
    const found = byKey.get(key);
    if (!found) throw new Error(`broadcasters.txt has no "${key}": add a line, or correct the name`);
    return found;
  };
  const cities = linesOf('cities.txt').map((line) => readCity(line, find));
  const queries = linesOf('queries.txt').map((line) => readQuery(line, cities, find));
  return { broadcasters, cities, queries };
}

type Find = (country: string, name: string) => Broadcaster;

function readCity(line: string, find: Find): City {
  const [place = '', names = ''] = fieldsOf(line, 2);
  const [, name = '', country = '', latitude, longitude] =
    /^(.+) ([A-Z]{2}) (-?[\d.]+),(-?[\d.]+)$/.exec(place) ?? wrong(line);
  const wanted = names.split(', ').map((one) => find(country, one));
  return { name, country, latitude: Number(latitude), longitude: Number(longitude), wanted };
}

function readQuery(line: string, cities: readonly City[], find: Find): Query {
  const [kindName, cityName, text = '', names = ''] = fieldsOf(line, 4);
  const kind = QUERY_KINDS.find((one) => one === kindName) ?? wrong(line);
  const caller = cities.find(({ name }) => name === cityName) ?? wrong(line);
  const wanted = names.split(', ').map((one) => parseSubject(one) ?? find(caller.country, one));
  return { kind, text, caller, wanted };
}

const linesOf = (file: string): string[] =>
  readFileSync(join(import.meta.dirname, file), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'));

function fieldsOf(line: string, count: number): string[] {
  const fields = line.split(' | ');
  return fields.length === count ? fields : wrong(line);
}

const wrong = (line: string): never => {
  throw new Error(`cannot read this line of the lists: "${line}"; the head of its file says what a line is`);
};
