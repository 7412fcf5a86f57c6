import { iso31662 } from 'iso-3166';
import { cleanCoordinate, cleanCountry } from '../../core/cleaning/place.ts';
import { registrableDomainOf } from '../../core/cleaning/refused-hosts.ts';
import type { Coordinate } from '../../lib/geo.ts';
import { cutAt, foldText } from '../../lib/search-words.ts';
import type { PointSource, StationRecord } from './record.ts';

interface CleanPlace {
  countryCode?: string;
  /** Only when there is no known code. */
  countryName?: string;
  state?: string;
  city?: string;
  coordinate?: Coordinate;
  /** Absent for a claim. */
  pointSource?: PointSource;
}

/** Fields of the same record that are already clean. */
export interface KnownOfStation {
  name: string;
  tags: readonly string[];
  homepage: string | undefined;
  address: string;
}

/**
 * Where a station is, as far as its record can be trusted. A place that the record's country discredits is dropped
 * entirely; `network` then names the network it belongs to.
 */
export function cleanPlace(
  raw: StationRecord,
  known: KnownOfStation,
): { place: CleanPlace; network?: string } {
  const countryCode = cleanCountry(raw.countryCode, raw.countryName) ?? findCountryOfTags(known.tags);
  const hosts = [hostOf(known.address), hostOf(known.homepage)];
  const network = findPlacelessNetwork(countryCode, hosts);
  if (network) return { place: {}, network };
  const words = [raw.state, raw.city, ...known.tags];
  if (countryCode && !isCredibleCountry({ countryCode, name: known.name, hosts, words }))
    return { place: {} };
  return { place: saidPlace(raw, known.tags, countryCode) };
}

function saidPlace(raw: StationRecord, tags: readonly string[], countryCode: string | undefined): CleanPlace {
  const countryName = countryCode ? undefined : placeName(raw.countryName);
  const state = placeName(raw.state) ?? (countryCode && findStateOfTags(tags, countryCode));
  const city = placeName(raw.city);
  const at = raw.coordinate && cleanCoordinate(raw.coordinate.latitude, raw.coordinate.longitude);
  return {
    ...(countryCode ? { countryCode } : {}),
    ...(countryName ? { countryName } : {}),
    ...(state ? { state } : {}),
    ...(city ? { city } : {}),
    ...(at ? { coordinate: at } : {}),
    ...(at && raw.pointSource && raw.pointSource !== 'claim' ? { pointSource: raw.pointSource } : {}),
  };
}

/** The name of a place: one line, with at least one letter. */
function placeName(text: string | undefined): string | undefined {
  const whole = text
    ?.slice(0, 200)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\s]+/gu, ' ')
    .trim();
  const line = whole && cutAt(whole, 100);
  return line && /\p{L}/u.test(line) ? line : undefined;
}

/** The host of a cleaned address. */
const hostOf = (address: string | undefined): string | undefined =>
  address && /^https?:\/\/([^/:?]+)/.exec(address)?.[1];

/** Names of states that are also ordinary words: as a tag, these say nothing about a place. */
const ORDINARY_WORDS = new Set(
  'central centre center capital national north south east west northern southern eastern western nord sud est ouest norte sur este oeste coast island islands littoral plateau federal mexico luxembourg namur'.split(
    ' ',
  ),
);

const STATES = statesByCountry();

/** The state that one of the tags names, in the standard's spelling. */
export function findStateOfTags(tags: readonly string[], countryCode: string): string | undefined {
  const states = STATES.get(countryCode);
  if (!states) return undefined;
  for (const tag of tags) {
    const state = states.get(foldTag(tag));
    if (state) return state;
  }
  return undefined;
}

/** The country that the tags name, if they name exactly one: `deutschland`, `mexico`. */
export function findCountryOfTags(tags: readonly string[]): string | undefined {
  const countries = new Set(
    tags.flatMap((tag) => (tag.length > 3 ? (cleanCountry(undefined, tag) ?? []) : [])),
  );
  return countries.size === 1 ? [...countries][0] : undefined;
}

const MAX_REMEMBERED = 20_000;
const folded = new Map<string, string>();

function foldTag(tag: string): string {
  const known = folded.get(tag);
  if (known !== undefined) return known;
  if (folded.size >= MAX_REMEMBERED) folded.clear();
  const text = foldText(tag);
  folded.set(tag, text);
  return text;
}

function statesByCountry(): Map<string, Map<string, string>> {
  const states = new Map<string, Map<string, string>>();
  for (const { code, name } of iso31662) {
    const [country = ''] = code.split('-', 1);
    const ofCountry = states.getOrInsert(country, new Map());
    // "Bristol, City of" and "Bremen" are both matched by their first words.
    const [short = ''] = name.split(/[,([]/, 1);
    const key = foldText(short);
    if (key.length > 2 && !ORDINARY_WORDS.has(key) && !ofCountry.has(key)) ofCountry.set(key, short.trim());
  }
  return states;
}

/** Editors who add their name to whatever they enter. It says nothing about format, language or place. */
const SIGNATURES = new Set(['moi merino', 'drgnu', 'ridwan', 'schwany', 'juanjitos']);
const SIGNED = /^(?:added|edited|submitted|uploaded|entered|checked) by /;

/** More than a person would choose; the first ones are what the editor thought of first. */
export const MAX_TAGS = 30;

/** Meaningful tags, without duplicates and signatures. */
export function distinctTags(tags: readonly string[]): string[] {
  const distinct = new Set<string>();
  for (const tag of tags) {
    const text = tag.trim().toLowerCase();
    if (text !== '' && text.length <= 60 && !SIGNATURES.has(text) && !SIGNED.test(text)) distinct.add(text);
    if (distinct.size === MAX_TAGS) break;
  }
  return [...distinct];
}

/**
 * Networks of internet channels that belong to no place, with the country of their office. Filed there they would bury
 * its own stations: of 1,755 records for the Emirates, 1,649 are one network's.
 */
const PLACELESS_NETWORKS = new Map([
  ['AE', new Set(['exclusive.radio', 'uber.radio', 'ticktock.radio', 'positivity.radio', 'mystreaming.net'])],
  ['RU', new Set(['radcap.ru'])],
]);

/** The network whose office is in the record's country, by the hosts of its stream and its page. */
export function findPlacelessNetwork(
  countryCode: string | undefined,
  hosts: readonly (string | undefined)[],
): string | undefined {
  const networks = PLACELESS_NETWORKS.get(countryCode ?? '');
  return (
    networks && hosts.map((host) => registrableDomainOf(host ?? '')).find((network) => networks.has(network))
  );
}

/**
 * Countries that records name by mistake or to be listed first: the first in every form's list, uninhabited places,
 * and one that spammers chose. They are trusted only if something else in the record mentions them.
 */
const DOUBTFUL_COUNTRIES: Record<string, string[]> = {
  AF: ['afghan', 'kabul', 'kandahar', 'herat', 'pashto', 'pashtu', 'dari', 'hazara', 'افغان', 'کابل'],
  AQ: ['antarctic', 'mcmurdo'],
  BV: ['bouvet'],
  GI: ['gibraltar'],
  GS: ['south georgia'],
  HM: ['heard island'],
  IO: ['diego garcia', 'chagos', 'indian ocean'],
  TF: ['kerguelen', 'crozet', 'terres australes'],
  UM: ['wake island', 'midway', 'johnston'],
};

interface Claim {
  countryCode: string;
  name: string;
  hosts: readonly (string | undefined)[];
  words: readonly (string | undefined)[];
}

/** Whether a record's country can be trusted. */
export function isCredibleCountry({ countryCode, name, hosts, words }: Claim): boolean {
  const signs = DOUBTFUL_COUNTRIES[countryCode];
  if (!signs) return true;
  if (hosts.some((host) => host?.endsWith(`.${countryCode.toLowerCase()}`))) return true;
  const said = foldText([name, ...words, ...hosts].join(' '));
  return signs.some((sign) => said.includes(sign));
}
