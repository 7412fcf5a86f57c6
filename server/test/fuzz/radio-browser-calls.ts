import type { FuzzCall } from './calls.ts';
import type { Dice } from './dice.ts';
import { mutated } from './mutate.ts';

const words = (text: string): readonly string[] => text.split(' ');
const FORMATS = words('json json json xml csv m3u pls xspf json xml csv m3u pls xspf v2/json JSON ttl');
const LISTS = words('countries countrycodes states languages tags codecs');
const WAYS = words(
  'byuuid byname bynameexact bycodec bycodecexact bycountry bycountryexact bycountrycodeexact bystate bystateexact bylanguage bylanguageexact bytag bytagexact byurl search topclick topvote lastclick lastchange broken improvable changed byserveruuid bynothing',
);
const OTHERS = words(
  'url vote checks clicks checksteps stats servers config add streamingservers nothing constructor',
);
const PARAMS = words(
  'name nameExact country countryExact countrycode state stateExact language languageExact tag tagExact tagList codec bitrateMin bitrateMax has_geo_info has_extended_info is_https order reverse offset limit hidebroken geo_lat geo_long geo_distance uuids url lastchangeuuid seconds search __proto__',
);
const TERMS = [
  ...words(
    'jazz harbour DE mp3 AAC+ english 電台 رادیو 📻 % %2F .. * 0 -1 1e3 1e309 NaN 99999999999999999999 true false 1 votes random name clickcount tags',
  ),
  'folk & singer',
  'AC/DC',
  '',
  ' ',
  'a,b,,c',
  "' OR 1=1--",
  '"><script>',
  'x'.repeat(300),
  '٣',
  'http://stream.example.net/elbwelle-192.mp3',
];
const TOKENS = [
  '/',
  '//',
  '?',
  '&',
  '=',
  '%',
  '%00',
  '%2f',
  '%ff%fe',
  '%ed%a0%80',
  ',',
  '[',
  '{"',
  '\0',
  '\r\n',
  '\xff',
  'limit=',
  '../',
  'uuids=',
].map((token) => Buffer.from(token, 'latin1'));

/** A request of the radio-browser API, mostly one that makes sense, with something done to it every other time. */
export function radioBrowserCall(dice: Dice, uuids: readonly string[]): FuzzCall {
  const term = (): string => encodeURIComponent(dice.chance(0.2) ? dice.pick(uuids) : dice.pick(TERMS));
  const path = dice.chance(0.5)
    ? `stations/${dice.pick(WAYS)}/${dice.chance(0.8) ? term() : ''}`
    : dice.chance(0.5)
      ? `${dice.pick(LISTS)}/${dice.chance(0.5) ? term() : ''}`
      : `${dice.pick(OTHERS)}/${dice.chance(0.7) ? encodeURIComponent(dice.pick(uuids)) : term()}`;
  const pairs = (): string =>
    Array.from({ length: dice.below(5) }, () => `${dice.pick(PARAMS)}=${term()}`).join('&');
  const begin = `/${dice.pick(FORMATS)}/`;
  const rest = `${path}?${pairs()}`;
  // A request whose format is spoilt comes to nobody, so few are.
  const target = sendable(
    dice.chance(0.05) ? maybeMutated(dice, begin + rest) : begin + maybeMutated(dice, rest),
  );
  const method = dice.chance(0.25) ? 'POST' : dice.chance(0.03) ? 'HEAD' : 'GET';
  const headers: Record<string, string> = dice.chance(0.3) ? { 'accept-encoding': 'gzip' } : {};
  if (method !== 'POST' || dice.chance(0.2)) return { method, target, form: undefined, headers };
  const isJson = dice.chance(0.5);
  headers['content-type'] = dice.chance(0.1)
    ? dice.pick(['text/plain', 'x', 'multipart/form-data; boundary=x'])
    : isJson
      ? 'application/json'
      : 'application/x-www-form-urlencoded';
  const json = JSON.stringify({
    [dice.pick(PARAMS)]: dice.chance(0.5) ? dice.pick(TERMS) : [dice.pick(uuids), 1, null, {}],
  });
  return { method, target, form: maybeMutated(dice, isJson ? json : pairs()), headers };
}

const maybeMutated = (dice: Dice, text: string): string =>
  dice.chance(0.5) ? text : mutated(Buffer.from(text), dice, TOKENS).toString('latin1');

/** What Node refuses to send at all is escaped; what is too long for any server is cut. */
const sendable = (text: string): string =>
  `/${text.replace(/^\/+/, '').slice(0, 6000)}`.replaceAll(
    /[^!-\xff]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0').slice(-2)}`,
  );
