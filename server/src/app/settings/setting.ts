import { parseHost } from '../../net/http/caller/origin.ts';

/** One setting: how its text is parsed, its default, and its documentation. */
export interface Setting<T> {
  name: string;
  /** Its name in the previous release, still read when the new name is not set. */
  formerly?: string | undefined;
  /** The value, or undefined when the text is malformed. */
  parse: (text: string) => T | undefined;
  /** What the text must be, completing "it must be …". */
  expects: string;
  /** The default. */
  unset: T;
  description: string;
  /** May contain a password: `write` masks it, and no error quotes it. */
  secret: boolean;
  /** The value as it may be printed. */
  write: (value: T) => string;
}

interface About<Unset> {
  name: string;
  formerly?: string;
  unset: Unset;
  description: string;
}

type Maybe<T> = T | undefined;

export function integerSetting<U extends Maybe<number>>(
  about: About<U> & { min: number; max: number },
): Setting<number | U> {
  return {
    ...about,
    parse: (text) => parseInteger(text, about.min, about.max),
    expects: `a whole number from ${about.min} to ${about.max}`,
    secret: false,
    write: writePlainly,
  };
}

export function portSetting<U extends Maybe<number>>(about: About<U>): Setting<number | U> {
  const expects = 'a port number from 1 to 65535, or 0 for any free one';
  return {
    ...about,
    parse: (text) => parseInteger(text, 0, 65_535),
    expects,
    secret: false,
    write: writePlainly,
  };
}

export function textSetting<U extends Maybe<string>>(
  about: About<U> & { expects: string },
): Setting<string | U> {
  return { ...about, parse: parseText, secret: false, write: writePlainly };
}

export function choiceSetting<T extends string, U extends Maybe<T> = T>(
  about: About<U> & { values: readonly T[] },
): Setting<T | U> {
  return {
    ...about,
    parse: (text) => about.values.find((value) => value === text),
    expects: `one of ${about.values.join(', ')}`,
    secret: false,
    write: writePlainly,
  };
}

interface AboutList<T> extends Omit<About<never>, 'unset'> {
  parseItem: (text: string) => Maybe<T>;
  writeItem: (item: T) => string;
  expects: string;
}

/** Items separated by commas; one malformed item invalidates the list. */
export function listSetting<T>({ parseItem, writeItem, ...about }: AboutList<T>): Setting<readonly T[]> {
  const parse = (text: string): Maybe<readonly T[]> => {
    const items = text.split(',').map((piece) => parseItem(piece.trim()));
    const good = items.filter((item) => item !== undefined);
    return good.length === items.length ? Object.freeze(good) : undefined;
  };
  const write = (items: readonly T[]): string => items.map(writeItem).join(',');
  return { ...about, parse, unset: Object.freeze([]), secret: false, write };
}

export function urlSetting<U extends Maybe<string>>(
  about: About<U> & { schemes: readonly string[]; secret: boolean },
): Setting<string | U> {
  const { schemes } = about;
  const parse = (text: string): Maybe<string> =>
    schemes.some((scheme) => text.startsWith(scheme)) && !/\p{Cc}/u.test(text) && URL.canParse(text)
      ? text
      : undefined;
  const expects = `an address that begins with ${schemes.join(' or ')}`;
  return { ...about, parse, expects, write: (value) => (value === undefined ? '' : maskUrl(value)) };
}

/** Several addresses, separated by commas. */
export function urlListSetting(
  about: Omit<About<never>, 'unset'> & { schemes: readonly string[]; most: number },
): Setting<readonly string[]> {
  const one = urlSetting({ ...about, unset: undefined, secret: false });
  const list = listSetting({
    ...about,
    parseItem: one.parse,
    writeItem: one.write,
    expects: `up to ${about.most} addresses separated by commas, each beginning with ${about.schemes.join(' or ')}`,
  });
  const parse = (text: string): Maybe<readonly string[]> => {
    const items = list.parse(text);
    return items && items.length <= about.most ? items : undefined;
  };
  return { ...list, parse };
}

/** A secret with a minimum length; never printed. */
export function secretSetting<U extends Maybe<string>>(
  about: About<U> & { shortest: number },
): Setting<string | U> {
  const parse = (text: string): Maybe<string> =>
    text.length >= about.shortest ? parseText(text) : undefined;
  const expects = `at least ${about.shortest} characters on one line, best random ones`;
  return { ...about, parse, expects, secret: true, write: (value) => (value === undefined ? '' : '***') };
}

function parseInteger(text: string, min: number, max: number): Maybe<number> {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : undefined;
}

/** On one line, and not suspiciously long. */
const parseText = (text: string): Maybe<string> =>
  text.length <= 1000 && !/\p{Cc}/u.test(text) ? text : undefined;

const writePlainly = (value: Maybe<string | number>): string => (value === undefined ? '' : String(value));

/** Masks passwords in a URL, wherever drivers look for one. */
function maskUrl(text: string): string {
  const url = new URL(text);
  if (url.password !== '') url.password = '***';
  for (const name of url.searchParams.keys()) {
    if (/pass/i.test(name)) url.searchParams.set(name, '***');
  }
  return url.href;
}

export const hostSetting = (about: {
  name: string;
  unset: undefined;
  description: string;
}): Setting<string | undefined> => ({
  ...about,
  parse: parseHost,
  expects: 'one host name, without http:// before it',
  secret: false,
  write: (host) => host ?? '',
});
