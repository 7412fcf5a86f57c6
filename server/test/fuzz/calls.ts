import type { Dice } from './dice.ts';
import { CLASSIFIERS, type KnownIds, VALUES } from './values.ts';

/** A call as it is sent: the target with its query, and a form when it is a POST. */
export interface FuzzCall {
  method: 'GET' | 'POST' | 'HEAD' | 'PUT';
  target: string;
  form: string | undefined;
  headers: Record<string, string>;
}

const NAMES = Object.keys(VALUES);

/** Percent-encoded already, or wrongly so. */
const GARBAGE = [
  '%',
  '%zz',
  '%00',
  '%0d%0a',
  '%ff%fe',
  '%c0%af',
  '%ed%a0%80',
  '%f4%90%80%80',
  '%ef%bf%bf',
  '%e2%80%a8',
  '%3Cscript%3E',
  '%26amp;',
  ']]%3E',
  '%1b%5b31m',
  '+',
  '=',
  '==',
  ';',
  '%F0%9F%93%BB',
  '\xe9',
  "'%20OR%201=1--",
  '%22%3E%3C',
  '..%2f..%2f',
  '%250a',
];

function encodedValue(dice: Dice, name: string, ids: KnownIds): string {
  if (dice.chance(0.03)) return dice.pick(GARBAGE).repeat(1 + dice.below(3));
  if (dice.chance(0.01)) return 'A'.repeat(dice.pick([255, 256, 257, 2048, 9000]));
  const value = encodeURIComponent(VALUES[name]?.(dice, ids) ?? '');
  return dice.chance(0.01) ? value + dice.pick(GARBAGE) : value;
}

function pairText(dice: Dice, name: string, ids: KnownIds): string {
  if (dice.chance(0.02)) return name;
  const spelled = dice.chance(0.1) ? name.toUpperCase() : name;
  return `${spelled}=${encodedValue(dice, name, ids)}`;
}

/** Mostly what belongs together: an id, a classifier of the page, the globals; then whatever. */
function pairsText(dice: Dice, page: string, ids: KnownIds): string {
  const names: string[] = [];
  if (dice.chance(0.7)) names.push('id');
  if (dice.chance(0.4)) names.push('partnerId');
  if (dice.chance(0.3)) names.push('render');
  if (dice.chance(0.1)) names.push('callback');
  for (let extra = dice.below(5); extra > 0; extra -= 1) names.push(dice.pick(NAMES));
  if (dice.chance(0.01)) names.push(...Array.from({ length: 80 }, () => dice.pick(NAMES)));
  const pairs = names.map((name) => pairText(dice, name, ids));
  const classifiers = CLASSIFIERS.get(page);
  if (classifiers && dice.chance(0.5)) pairs.push(`c=${dice.pick(classifiers)}`);
  return pairs.join(dice.chance(0.03) ? '&&' : '&');
}

const LANGUAGES = ['de', 'ja,en;q=0.5', '*', 'xx-YY;q=9', ';;;', 'en-US, en;q=0.9, *;q=0.5'];
const FORWARDED = ['8.8.8.8', '10.0.0.1', '::1', 'x, y, z', '999.1.1.1', '2001:db8::1'];

function headersOf(dice: Dice): Record<string, string> {
  const headers: Record<string, string> = {};
  if (dice.chance(0.2)) headers['accept-language'] = dice.pick(LANGUAGES);
  if (dice.chance(0.1)) headers['x-forwarded-for'] = dice.pick(FORWARDED);
  if (dice.chance(0.1))
    headers['host'] = dice.pick(['opml.radio.example:80', 'x', 'a.b.c:99999', '[::1]:80', 'evil"<>']);
  if (dice.chance(0.05)) headers['accept'] = 'application/json';
  return headers;
}

/** Where most calls go, and most of the code is. */
const BUSY_PATHS = ['/Browse.ashx', '/Tune.ashx', '/Search.ashx', '/Describe.ashx'];

export function fuzzCall(dice: Dice, paths: readonly string[], ids: KnownIds): FuzzCall {
  const path = dice.pick(dice.chance(0.7) ? BUSY_PATHS : paths);
  const [, page = ''] = /^\/(\w+)\./.exec(path.toLowerCase()) ?? [];
  const spelled = dice.chance(0.1) ? path.toLowerCase() : path;
  const mark = dice.chance(0.03) ? dice.pick(['??', '?&', '', '?#', '/?']) : '?';
  const target = `${spelled}${mark}${pairsText(dice, page, ids)}`;
  const method = dice.chance(0.12) ? 'POST' : dice.chance(0.02) ? 'HEAD' : 'GET';
  const headers = headersOf(dice);
  if (method !== 'POST') return { method, target, form: undefined, headers };
  const isForm = dice.chance(0.9);
  headers['content-type'] = isForm ? 'application/x-www-form-urlencoded' : dice.pick(OTHER_TYPES);
  return { method, target, form: dice.chance(0.8) ? pairsText(dice, page, ids) : '', headers };
}

const OTHER_TYPES = ['application/json', 'text/plain', 'x', ''];
