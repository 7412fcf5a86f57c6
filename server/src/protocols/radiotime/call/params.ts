import { Fault } from '../../../lib/fault.ts';
import { isFreeText, isRestOfText } from '../../../net/http/cut-text.ts';
import { decodeComponent } from '../../../net/http/decode-component.ts';
import { HTTP_LIMITS } from '../../../net/http/limits.ts';

/** Parses a parameter's text; undefined when malformed. */
export type Parse<T> = (text: string) => T | undefined;

/** Two different values for one of these would let parts of the service see different callers. */
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
/** Parameters with a higher length limit, in characters. */
const LONG = new Map([
  ['query', 2048],
  ['url', 2048],
  ['streamurl', 2048],
  ['text', 4000],
  // Song data as labels wrote it; truncated when stored.
  ['title', 2048],
  ['artist', 2048],
  ['album', 2048],
  ['feedback', 4000],
  ['message', 4000],
]);
/** Multi-line free text. */
const WRITTEN = new Set(['text', 'feedback', 'message']);
const SECRET = ['password', 'serial', 'username', 'email', 'partnerkey'];

/**
 * The call's parameters, from the query string and the form body; all values are text, names are case-insensitive, and
 * empty values count as absent.
 */
export class Params {
  readonly #values: ReadonlyMap<string, string>;
  /** Names from the query string; undefined when everything came from there. */
  readonly #inQuery: ReadonlySet<string> | undefined;
  readonly #valueless: ReadonlySet<string> | undefined;
  /** Of one device, beside values that are shared by many. */
  readonly #serial: string | undefined;

  constructor(
    values: ReadonlyMap<string, string>,
    inQuery?: ReadonlySet<string>,
    valueless?: ReadonlySet<string>,
    serial?: string,
  ) {
    this.#values = values;
    this.#inQuery = inQuery;
    this.#valueless = valueless;
    this.#serial = serial;
  }

  /** The same with the serial of one device; of a query that has none. */
  withSerial(serial: string): Params {
    return new Params(this.#values, this.#inQuery, this.#valueless, serial);
  }

  /** By lower-case name: converting here would cost a menu, which reads twenty, half a microsecond. */
  text(name: Lowercase<string>): string | undefined {
    return this.#valueOf(name);
  }

  has(name: Lowercase<string>): boolean {
    return this.#valueOf(name) !== undefined;
  }

  /** Whether the name occurred without a value, as in `query=wnyc&call`. */
  isMentioned(name: string): boolean {
    return this.#valueless?.has(name.toLowerCase()) ?? false;
  }

  required<T>(name: string, parse: Parse<T>, code = 'request.invalid'): T {
    const value = this.optional(name, parse, code);
    if (value === undefined) throw new Fault(400, code, `Required parameter '${name}' not provided`);
    return value;
  }

  optional<T>(name: string, parse: Parse<T>, code = 'request.invalid'): T | undefined {
    const text = this.#valueOf(name.toLowerCase());
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

  /** Whether the parameter was in the URL, where proxies and logs see it. */
  isInQuery(name: string): boolean {
    return this.#inQuery?.has(name.toLowerCase()) ?? this.#valueOf(name.toLowerCase()) !== undefined;
  }

  /** Values that only the caller may see. */
  listSecrets(): string[] {
    return SECRET.map((name) => this.#valueOf(name)).filter((value) => value !== undefined);
  }

  #valueOf(name: string): string | undefined {
    return this.#values.get(name) ?? (name === 'serial' ? this.#serial : undefined);
  }
}

/**
 * Parses a query string (without its first `?`) and a form body; both still percent-encoded, one character per byte.
 */
export function readParams(query: string, form = ''): Params {
  if (query.length > HTTP_LIMITS.maxQueryCharacters) {
    throw invalid(`The query is longer than ${HTTP_LIMITS.maxQueryCharacters} characters`);
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
  /** Created on demand; most calls have none. */
  valueless: Set<string> | undefined;
  /** The name of the preceding free-text parameter, while nothing else has followed. */
  textBefore: string | undefined;
}

function addPairs(read: ReadPairs, text: string, countBefore: number): number {
  let count = countBefore;
  let start = 0;
  read.textBefore = undefined;
  // Some clients append with `?` to a URL that already has one.
  while (text.startsWith('?', start)) start += 1;
  while (start < text.length) {
    const ampersand = text.indexOf('&', start);
    const end = ampersand === -1 ? text.length : ampersand;
    if (end > start) {
      count += 1;
      if (count > HTTP_LIMITS.maxParams) throw invalid(`More than ${HTTP_LIMITS.maxParams} parameters`);
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
  if (value.length > HTTP_LIMITS.maxParamCharacters) checkLength(name, value);
  if (SAID_ONCE.has(name) && (values.get(name) ?? value) !== value) {
    throw invalid(`${called(name)} is given twice with different values; send it once`);
  }
  values.set(name, value);
  read.textBefore = isFreeText(name) ? name : undefined;
}

/** Rejoins free text that an unescaped `&` split; false when the rest is a parameter. */
function addToText({ values, textBefore }: ReadPairs, rest: string): boolean {
  if (textBefore === undefined || !isRestOfText(rest.toLowerCase())) return false;
  const whole = `${values.get(textBefore)}&${rest}`;
  checkLength(textBefore, whole);
  values.set(textBefore, whole);
  return true;
}

/** Replaces line breaks and tabs by spaces. */
const inOneLine = (encoded: string): string => encoded.replaceAll(/%0d%0a|%0[9ad]/gi, '+');

function checkLength(name: string, value: string): void {
  const most = LONG.get(name) ?? HTTP_LIMITS.maxParamCharacters;
  if (value.length > most) throw invalid(`${called(name)} is longer than ${most} characters`);
}

function decode(text: string): string {
  const decoded = decodeComponent(text);
  if (decoded === undefined) {
    throw invalid('A parameter contains control characters; remove them');
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
