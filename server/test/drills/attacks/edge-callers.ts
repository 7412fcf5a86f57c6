import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { oneOf, type Random, randomOf, rankOf } from '../../../bench/scale/random.ts';

/** The partners of the drill; the second has pages of another size, and formats of its own. */
export const PARTNERS = ['drill', 'drill-small'] as const;

export interface EdgeCaller {
  /** What it sends with every call, as it stands in the address. */
  own: string;
  headers: Record<string, string>;
  /** What it asks for, one after the other; to be followed by its own parameters. */
  calls: string[];
}

/** What programs, people and attackers put into a parameter. */
const STRANGE = [
  '%22%3E%3Cscript%3E',
  "it's",
  '%3C',
  '%253C',
  '$1',
  '$0$&%24%26',
  '{QUERY}',
  '%7BQUERY%7D',
  '%01',
  '\\1',
  '%25s%251',
  'a+b%20c',
  '%E4%F6%FC',
  '\u00e4\u00f6\u00fc',
  '%C3%A4%E6%97%A5%E6%9C%AC',
  '%',
  '%%3',
  'a;b',
  'a=b',
  '&amp;',
  '?c=talk',
  '&&',
  'x'.repeat(256),
  'y'.repeat(257),
  '%C3%A4'.repeat(200),
  '',
];
const FORMATS = [
  'mp3',
  'mp3,aac',
  'mp3%2Caac',
  'mp3,aac,ogg,hls',
  'wma,mp3,aac,ogg',
  'AAC,MP3',
  'nothing',
  '',
];
const LOCALES = ['en', 'de', 'de-DE', 'fr', 'es_MX', 'zz', 'EN-us'];
const LANGUAGES = ['de-DE,de;q=0.9,en;q=0.5', 'fr', 'xx', '*'];
const NAMES = [
  'serial',
  'Serial',
  'SERIAL',
  's%65rial',
  'serial[]',
  'partnerId',
  'username',
  'latlon',
  'device',
  'version',
];

/** Ids that menus and stations have here, the largest first. */
export type Items = Record<'genres' | 'places' | 'stations', string[]>;

/** What the radios of one maker send, in one country. */
const MODELS = [
  'partnerId=drill&formats=mp3,aac&locale=de-DE',
  'partnerId=drill&formats=mp3,aac',
  'partnerId=drill-small&formats=mp3,aac,ogg,hls&locale=en',
  'partnerId=drill&formats=mp3&locale=fr',
  'partnerId=drill-small',
  'partnerId=drill&formats=wma,mp3,aac,ogg&locale=de',
  'partnerId=drill&formats=mp3,aac&locale=es_MX&device=esp32',
  'partnerId=drill-small&formats=mp3&locale=en-US',
];

/** A radio as they are: one of a few kinds, some far more common than others, each with a serial of its own. */
export function plainRadio(number: number, items: Items): EdgeCaller {
  const random = randomOf(number + 1);
  const own = `${MODELS[rankOf(random, MODELS.length)]}&serial=${serialOf(random)}`;
  return { own, headers: { 'x-forwarded-for': houseOf(number) }, calls: session(random, items) };
}

/** The caller of this number, the same on every machine: everything differs, and much of it is wrong. */
export function strangeCaller(number: number, items: Items): EdgeCaller {
  const random = randomOf(number + 1);
  const own = [
    `partnerId=${oneOf(random, PARTNERS)}`,
    `serial=${serialOf(random)}`,
    `formats=${oneOf(random, FORMATS)}`,
    ...(random() < 0.5 ? [`locale=${oneOf(random, LOCALES)}`] : []),
    ...(random() < 0.2 ? [`latlon=${(48 + random() * 4).toFixed(2)},${(8 + random() * 4).toFixed(2)}`] : []),
    ...(random() < 0.1 ? ['device=esp32'] : []),
    ...(random() < 0.6 ? [`${oneOf(random, NAMES)}=${oneOf(random, STRANGE)}`] : []),
    ...(random() < 0.1 ? [oneOf(random, STRANGE)] : []),
  ];
  const kept = random() < 0.1 ? own.filter((pair) => !pair.startsWith('serial=')) : own;
  return {
    own: random() < 0.3 ? kept.toReversed().join('&') : kept.join('&'),
    headers: {
      ...(random() < 0.3 && { 'accept-language': oneOf(random, LANGUAGES) }),
      ...(random() < 0.2 && { 'accept-encoding': oneOf(random, ['gzip', 'gzip, deflate, br', 'gzip;q=0']) }),
      ...(random() < 0.1 && { origin: 'https://player.example' }),
      'x-forwarded-for': houseOf(number),
    },
    calls: session(random, items),
  };
}

const serialOf = (random: Random): string =>
  Math.floor(random() * 2 ** 47)
    .toString(16)
    .padStart(12, '0');

const houseOf = (number: number): string => `203.0.113.${number % 200}`;

/** From switching it on to a station: what radios ask for one after the other, most often the largest lists. */
function session(random: Random, { genres, places, stations }: Items): string[] {
  const popular = (ids: string[]): string => ids[rankOf(random, ids.length)] ?? '';
  const [genre, station] = [popular(genres), popular(stations)];
  const render = random() < 0.2 ? 'render=json&' : '';
  const calls = [
    '/Browse.ashx?',
    `/Browse.ashx?c=${oneOf(random, ['music', 'music', 'talk', 'sports'])}&`,
    `/Browse.ashx?id=${genre}&`,
    `/Browse.ashx?id=${genre}&filter=s&offset=${50 * Math.floor(random() * 3)}&`,
    `/Browse.ashx?id=${oneOf(random, ['r0', popular(places)])}&`,
    `/Browse.ashx?${oneOf(random, ['c=lang', 'c=recent', 'c=trending', 'c=local', 'c=presets'])}&`,
    `/Browse.ashx?id=${station}&`,
    `/${oneOf(random, ['Describe', 'Options'])}.ashx?id=${station}&`,
    ...(random() < 0.3 ? ['/Search.ashx?query=radio&'] : []),
    ...(random() < 0.1 ? ['/Index.aspx?', '/browse.ashx?c=MUSIC&', '/Browse.ashx?C=talk&'] : []),
  ];
  return calls.map((call) => call + render);
}

export interface Got {
  status: number;
  /** Those that are the directory's, by name; without those of a connection. */
  headers: Record<string, string>;
  body: string;
}

const OF_A_CONNECTION = new Set(['date', 'connection', 'keep-alive', 'server', 'transfer-encoding']);
const agent = new Agent({ keepAlive: true, maxSockets: 32 });

/** The path is sent byte for byte; the body comes back one character a byte, unpacked. */
export async function getBytes(
  origin: string,
  path: string,
  headers: Record<string, string | string[]> = {},
  method = 'GET',
): Promise<Got> {
  const { hostname, port } = new URL(origin);
  const sent = request({ hostname, port, path, method, headers, agent });
  sent.end();
  const [response] = await once(sent, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const isPacked = response.headers['content-encoding'] === 'gzip';
  const names = Object.keys(response.headers).filter((name) => !OF_A_CONNECTION.has(name));
  const kept: Record<string, string> = Object.fromEntries(
    names.map((name) => [name, String(response.headers[name])]),
  );
  // Two programs pack the same bytes differently.
  if (isPacked) kept['content-length'] = 'packed';
  return {
    status: response.statusCode,
    headers: kept,
    body: (isPacked ? gunzipSync(bytes) : bytes).toString('latin1'),
  };
}
