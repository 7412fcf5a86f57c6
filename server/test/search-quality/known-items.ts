import { hash } from 'node:crypto';
import type { Pool } from 'pg';
import { searchWords } from '../../src/lib/search-words.ts';

export const KINDS = [
  'name',
  'typing error',
  'no accents',
  'name and city',
  'part of the name',
  'call sign or frequency',
] as const;
export type Kind = (typeof KINDS)[number];

/** Something typed by a listener who has one station in mind. */
export interface KnownItem {
  kind: Kind;
  query: string;
  name: string;
  /** The key of its first stream's address, by which the station is known again whatever its id. */
  stream: string;
}

interface Station {
  name: string;
  call_sign: string | null;
  frequency: string | null;
  city: string | null;
  stream: string;
  words: string[];
  key: string;
}

type Ask = (station: Station) => string | undefined;

/**
 * Queries of each kind, the same ones every time: stations are taken in the order of a hash, which is as good as
 * chance and knows nothing of popularity. A query is fair when it says which station is meant. Where several bear one
 * name, nobody can ask for one of them by it, so every kind leaves out what two stations would answer to:
 *
 * - name, typing error, no accents: no other station has the name, spaces and case apart;
 * - typing error: one letter left out, doubled, wrong or swapped with the next, in a word of five letters or more, and
 *   the result is no other station's name;
 * - name and city: others may have the name, but not in that city; the name does not say the city itself;
 * - part of the name: the name without its first or last word, and no other name has these words in a row;
 * - call sign or frequency: "WXYZ" of which there is one, or the first word of the name and the frequency, of which there is
 *   one such pair.
 */
export async function listKnownItems(pool: Pool, each = 50): Promise<KnownItem[]> {
  const stations = await readStations(pool);
  const asks = askers(stations);
  return KINDS.flatMap((kind) => {
    const inTurn = stations
      .map((station) => ({ station, turn: hash('md5', `${kind} ${station.stream}`) }))
      .toSorted((a, b) => (a.turn < b.turn ? -1 : 1));
    const items: KnownItem[] = [];
    for (const { station } of inTurn) {
      if (items.length === each) break;
      const query = asks[kind](station);
      if (query !== undefined) items.push({ kind, query, name: station.name, stream: station.stream });
    }
    return items;
  });
}

async function readStations(pool: Pool): Promise<Station[]> {
  const { rows } = await pool.query(`SELECT s.name, s.call_sign, s.frequency, r.name AS city,
      (SELECT t.address_key FROM streams t WHERE t.station_id = s.id ORDER BY t.id LIMIT 1) AS stream
    FROM stations s LEFT JOIN regions r ON r.id = s.region_id AND r.kind = 'city' WHERE s.listed`);
  return rows.map((row) => {
    const words = searchWords(row.name);
    return { ...row, words, key: words.join('') };
  });
}

function askers(stations: readonly Station[]): Record<Kind, Ask> {
  const names = countOf(stations.map(({ key }) => key));
  const isOnly = ({ key }: Station): boolean => key !== '' && names.get(key) === 1;
  const inCity = countOf(stations.map(({ key, city }) => `${key}|${city}`));
  const signs = countOf(stations.flatMap((station) => [...new Set(signsOf(station))]));
  const pairs = countOf(stations.map(({ words, frequency }) => `${words[0]} ${frequency}`));
  const phrases = stations.map(({ words }) => ` ${words.join(' ')} `);
  const isOnePhrase = (words: readonly string[]): boolean => {
    const phrase = ` ${words.join(' ')} `;
    return phrases.filter((other) => other.includes(phrase)).length === 1;
  };
  return {
    name: (station) => (isOnly(station) ? station.name : undefined),
    'typing error': (station) => {
      const typed = isOnly(station) ? mistype(station) : undefined;
      return typed === undefined || names.has(searchWords(typed).join('')) ? undefined : typed;
    },
    'no accents': (station) => (isOnly(station) ? withoutAccents(station.name) : undefined),
    'name and city': ({ name, key, city, words }) => {
      if (city === null || inCity.get(`${key}|${city}`) !== 1) return undefined;
      return searchWords(city).some((word) => words.includes(word)) ? undefined : `${name} ${city}`;
    },
    'part of the name': (station) => partOf(station, isOnePhrase),
    'call sign or frequency': (station) => {
      const sign = signsOf(station).find((one) => signs.get(one) === 1);
      if (sign !== undefined) return sign;
      const pair = `${station.words[0]} ${station.frequency}`;
      return station.frequency !== null && pairs.get(pair) === 1 && station.words.length > 1
        ? pair
        : undefined;
    },
  };
}

function countOf(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/** The call sign without what follows it, in whatever field or name it stands. */
const signsOf = ({ call_sign: sign }: Station): string[] =>
  sign === null ? [] : [sign.split('-', 1)[0] ?? sign];

/** The error is made where the hash of the name says. */
function mistype({ name, stream }: Station): string | undefined {
  const words = [...name.matchAll(/\p{L}{5,}/gu)];
  const seed = Number.parseInt(hash('md5', `error ${stream}`).slice(0, 12), 16);
  const word = words[seed % Math.max(1, words.length)];
  if (!word) return undefined;
  const letters = Array.from(word[0]);
  const at = 1 + (Math.floor(seed / 16) % (letters.length - 2));
  const [left, letter = '', next = ''] = [letters.slice(0, at), letters[at], letters[at + 1]];
  const errors = [next, letter + letter + next, neighbourOf(letter) + next, next + letter];
  const typed = [...left, errors[Math.floor(seed / 256) % errors.length], ...letters.slice(at + 2)].join('');
  return typed === word[0]
    ? undefined
    : name.slice(0, word.index) + typed + name.slice(word.index + word[0].length);
}

const ROWS = 'qwertyuiopasdfghjklzxcvbnm';
const neighbourOf = (letter: string): string =>
  ROWS[(ROWS.indexOf(letter.toLowerCase()) + 1) % ROWS.length] ?? 'x';

/** As typed on an English keyboard; only names that have accents and nothing else foreign. */
function withoutAccents(name: string): string | undefined {
  const plain = name.normalize('NFD').replaceAll(/[̀-ͯ]/g, '');
  return plain !== name && /^[\x20-\x7e]+$/.test(plain) ? plain : undefined;
}

function partOf(
  { words, stream }: Station,
  isOnePhrase: (words: readonly string[]) => boolean,
): string | undefined {
  if (words.length < 3) return undefined;
  const parts = [words.slice(1), words.slice(0, -1)];
  const chosen = parts[Number.parseInt(hash('md5', stream).slice(0, 4), 16) % 2] ?? words;
  return isOnePhrase(chosen) ? chosen.join(' ') : undefined;
}
