import type { FuzzCall } from './calls.ts';
import type { Dice } from './dice.ts';
import { mutated } from './mutate.ts';

export const words = (text: string): readonly string[] => text.split(' ');
const WHAT = words(
  's1 s2 s999999 g1 g2 g3 r0 r1 r5 n1 n20 l1 l2 a1 p101 p122 t5 u7 e1 jazz music news ie de us xx search search search root languages elsewhere constructor __proto__ presets S1 JAZZ',
);
const FORMATS = words('m3u m3u m3u8 pls xspf opml xml xml rss M3U doc m3u.gz');
const ENDINGS = words('mp3 m3u pls xspf aac MP3 m3u8 exe');
const DEVICES = words('vlc kodi old-radio web unknown toaster constructor');
/** What people, and others, type into a search. */
export const TERMS = [
  ...words('jazz harbour evening s1 電台 رادیو 📻 % %2F .. * 0 -1 1e3 NaN 99999999999999999999 1000 1001 7'),
  'folk & singer',
  '',
  ' ',
  "' OR 1=1--",
  '"><script>',
  'x'.repeat(300),
  'a\nb',
];
const AGENTS = words('VLC/3.0.18 Kodi/20.1 mpv/0.35 x Lavf/59');
/** What is put into a request at any place. */
export const REQUEST_TOKENS = [
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
  '.',
  '..',
  '\0',
  '\xff',
  '.m3u',
  'offset=',
  'limit=',
  '../',
].map((token) => Buffer.from(token, 'latin1'));

/** A request for a list or for something to play, mostly one that makes sense, with something done to it every other time. */
export function listCall(dice: Dice, secrets: readonly string[]): FuzzCall {
  const headers: Record<string, string> = {};
  if (dice.chance(0.3)) headers['accept-encoding'] = 'gzip';
  if (dice.chance(0.2)) headers['accept-language'] = dice.pick(words('de fr;q=0.5,xx ja * zz-ZZ'));
  if (dice.chance(0.3)) headers['user-agent'] = dice.pick(AGENTS);
  if (dice.chance(0.1)) headers['if-none-match'] = dice.pick(['*', '"x"', 'W/"x", "y"', '']);
  if (dice.chance(0.1)) headers['if-modified-since'] = dice.pick(['Thu, 01 Jan 2026 00:00:00 GMT', 'x', '']);
  const target = dice.chance(0.25) ? playTarget(dice) : listTarget(dice, secrets);
  const method = dice.chance(0.05) ? 'HEAD' : dice.chance(0.02) ? 'POST' : 'GET';
  return { method, target: inForm(dice, sendable(target)), form: undefined, headers };
}

function playTarget(dice: Dice): string {
  const query = dice.chance(0.3) ? `?device=${dice.pick(DEVICES)}&formats=${dice.pick(ENDINGS)}` : '';
  return `/play/${maybeMutated(dice, `s${dice.below(90)}.${dice.pick(ENDINGS)}${query}`)}`;
}

function listTarget(dice: Dice, secrets: readonly string[]): string {
  const term = (): string => encodeURIComponent(dice.pick(TERMS));
  const pairs = Array.from({ length: dice.below(4) }, () =>
    dice.chance(0.6)
      ? `${dice.pick(words('offset limit'))}=${dice.below(40)}`
      : `${dice.pick(words('query q x offset limit'))}=${term()}`,
  );
  const what = dice.chance(0.15) ? `${dice.pick(secrets)}/presets` : dice.pick(WHAT);
  const found = what === 'search' && dice.chance(0.8) ? [`query=${term()}`, ...pairs] : pairs;
  return `/lists/${maybeMutated(dice, `${what}.${dice.pick(FORMATS)}?${found.join('&')}`)}`;
}

export const maybeMutated = (dice: Dice, text: string): string =>
  dice.chance(0.7) ? text : mutated(Buffer.from(text), dice, REQUEST_TOKENS).toString('latin1');

/** As some receivers ask: a proxy's request line, slashes too many, capitals. */
export function inForm(dice: Dice, target: string): string {
  if (dice.chance(0.05)) return `http://denon.vtuner.com:80${target}`;
  if (dice.chance(0.05)) return `/${target}`;
  return dice.chance(0.05) ? target.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase()) : target;
}

/** What Node refuses to send at all is escaped; what is too long for any server is cut. */
export const sendable = (text: string): string =>
  `/${text.replace(/^\/+/, '').slice(0, 6000)}`.replaceAll(
    /[^!-\xff]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0').slice(-2)}`,
  );
