import { Fault } from '../lib/fault.ts';
import { isFreeText, isRestOfText } from './cut-text.ts';
import { decodeComponent } from './decode-component.ts';
import { LIMITS } from './limits.ts';

/** Turns a parameter's text into a value, or undefined when the text is malformed. */
export type Parse<T> = (text: string) => T | undefined;

/** Two different values for one of these would let two parts of the service see two different callers. */
const SAID_ONCE = new Set([
  'c',
  'id',
  'username',
  'password',
  'serial',
  'partnerid',
  'partnerkey',
  'folderid',
  'guide_id',
  'countryid',
]);
/** Parameters that may be longer than the rest, in characters. */
const LONG = new Map([
  ['query', 2048],
  ['url', 2048],
  ['streamurl', 2048],
  ['text', 4000],
  // Of songs, as their labels wrote them; whoever keeps them cuts them.
  ['title', 2048],
  ['artist', 2048],
  ['album', 2048],
  ['feedback', 4000],
  ['message', 4000],
]);
/** What people write themselves, in forms with several lines. */
const WRITTEN = new Set(['text', 'feedback', 'message']);
const SECRET = ['password', 'serial', 'username', 'email', 'partnerkey'];

/**
 * The call's parameters, query string and form body alike; every value is text, names are of no case, and what is
 * empty is absent.
 */
export class Params {
  readonly #values: ReadonlyMap<string, string>;
  /** Names seen in the query string; undefined when everything came that way. */
  readonly #inQuery: ReadonlySet<string> | undefined;
  readonly #valueless: ReadonlySet<string> | undefined;

  constructor(
    values: ReadonlyMap<string, string>,
    inQuery?: ReadonlySet<string>,
    valueless?: ReadonlySet<string>,
  ) {
    this.#values = values;
    this.#inQuery = inQuery;
    this.#valueless = valueless;
  }

  /** By its name in lower case: making it so here would cost a menu, which asks for twenty, half a microsecond. */
  text(name: Lowercase<string>): string | undefined {
    return this.#values.get(name);
  }

  has(name: Lowercase<string>): boolean {
    return this.#values.has(name);
  }

  /** Whether the name stood there without a value, as in `query=wnyc&call`. */
  isMentioned(name: string): boolean {
    return this.#valueless?.has(name.toLowerCase()) ?? false;
  }

  required<T>(name: string, parse: Parse<T>, code = 'request.invalid'): T {
    const value = this.optional(name, parse, code);
    if (value === undefined) throw new Fault(400, code, `Required parameter '${name}' not provided`);
    return value;
  }

  optional<T>(name: string, parse: Parse<T>, code = 'request.invalid'): T | undefined {
    const text = this.#values.get(name.toLowerCase());
    if (text === undefined) return undefined;
    const value = parse(text);
    if (value === undefined) throw new Fault(400, code, `Parameter '${name}' is malformed`);
    return value;
  }

  /** True for `true`, `1`, `yes`; false when absent. */
  flag(name: string): boolean {
    return this.optional(name, parseFlag) ?? false;
  }

  /** The pieces of a comma-separated list; none when absent. */
  list(name: Lowercase<string>): string[] {
    const pieces = this.text(name)?.split(',') ?? [];
    return pieces.map((piece) => piece.trim()).filter((piece) => piece !== '');
  }

  /** Whether the parameter stood in the address, where proxies and logs see it. */
  isInQuery(name: string): boolean {
    return (this.#inQuery ?? this.#values).has(name.toLowerCase());
  }

  /** The values that must never be told to anyone but the caller. */
  listSecrets(): string[] {
    return SECRET.map((name) => this.#values.get(name)).filter((value) => value !== undefined);
  }
}

/** Reads a query string (without its first `?`) and a form body; both still percent-encoded, one character a byte. */
export function readParams(query: string, form = ''): Params {
  if (query.length > LIMITS.maxQueryCharacters) {
    throw invalid(`The query is longer than ${LIMITS.maxQueryCharacters} characters`);
  }
  const read: ReadPairs = { values: new Map(), valueless: undefined, textBefore: undefined };
  const count = addPairs(read, query, 0);
  if (form === '') return new Params(read.values, undefined, read.valueless);
  const inQuery = new Set(read.values.keys());
  addPairs(read, form, count);
  return new Params(read.values, inQuery, read.valueless);
}

interface ReadPairs {
  values: Map<string, string>;
  /** Made when the first such name comes; most calls have none. */
  valueless: Set<string> | undefined;
  /** The name of the free text that came last, while nothing else has come since. */
  textBefore: string | undefined;
}

function addPairs(read: ReadPairs, text: string, countBefore: number): number {
  let count = countBefore;
  let start = 0;
  read.textBefore = undefined;
  // Some clients join with `?` what already has one.
  while (text.startsWith('?', start)) start += 1;
  while (start < text.length) {
    const ampersand = text.indexOf('&', start);
    const end = ampersand === -1 ? text.length : ampersand;
    if (end > start) {
      count += 1;
      if (count > LIMITS.maxParams) throw invalid(`More than ${LIMITS.maxParams} parameters`);
      addPair(read, text.slice(start, end));
    }
    start = end + 1;
  }
  return count;
}

function addPair(read: ReadPairs, pair: string): void {
  const { values } = read;
  const equals = pair.indexOf('=');
  if (equals === -1 || equals === pair.length - 1) {
    const bare = decode(equals === -1 ? pair : pair.slice(0, equals));
    if (equals !== -1 || !addToText(read, bare)) (read.valueless ??= new Set()).add(bare.toLowerCase());
    return;
  }
  const name = decode(pair.slice(0, equals)).toLowerCase();
  const written = pair.slice(equals + 1);
  const value = decode(WRITTEN.has(name) ? inOneLine(written) : written);
  if (value.length > LIMITS.maxParamCharacters) checkLength(name, value);
  if (SAID_ONCE.has(name) && (values.get(name) ?? value) !== value) {
    throw invalid(`${called(name)} is given twice with different values; send it once`);
  }
  values.set(name, value);
  read.textBefore = isFreeText(name) ? name : undefined;
}

/** Puts together again what an `&` that was not escaped has cut; false where the rest is a parameter. */
function addToText({ values, textBefore }: ReadPairs, rest: string): boolean {
  if (textBefore === undefined || !isRestOfText(rest.toLowerCase())) return false;
  const whole = `${values.get(textBefore)}&${rest}`;
  checkLength(textBefore, whole);
  values.set(textBefore, whole);
  return true;
}

/** A line break is a space, and so is a tab. */
const inOneLine = (encoded: string): string => encoded.replaceAll(/%0d%0a|%0[9ad]/gi, '+');

function checkLength(name: string, value: string): void {
  const most = LONG.get(name) ?? LIMITS.maxParamCharacters;
  if (value.length > most) throw invalid(`${called(name)} is longer than ${most} characters`);
}

function decode(text: string): string {
  const decoded = decodeComponent(text);
  if (decoded === undefined) {
    throw invalid('A parameter holds control characters; leave them out');
  }
  return decoded;
}

const called = (name: string): string =>
  /^[a-z_]{1,20}$/.test(name) ? `Parameter '${name}'` : 'A parameter';

const invalid = (message: string): Fault => new Fault(400, 'request.invalid', message);

function parseFlag(text: string): boolean | undefined {
  if (/^(?:true|1|yes|on)$/i.test(text)) return true;
  return /^(?:false|0|no|off)$/i.test(text) ? false : undefined;
}
