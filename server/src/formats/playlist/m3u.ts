import { withLineFeeds } from '../decode-text.ts';

interface Said {
  name: string | undefined;
  attributes: Map<string, string>;
}

/** M3U, plain or extended. Lines without an address (local files, comments) are skipped. */
export function parseM3u(text: string): PlaylistEntry[] {
  const entries: PlaylistEntry[] = [];
  let said: Said = { name: undefined, attributes: new Map() };
  for (const line of listLines(text)) {
    if (entries.length === MAX_PLAYLIST_ENTRIES) break;
    if (line.startsWith('#')) {
      said = readDirective(line, said);
    } else if (line !== '') {
      if (hasScheme(line)) entries.push(toEntry(line, said));
      said = { name: undefined, attributes: new Map() };
    }
  }
  return entries;
}

const hasScheme = (line: string): boolean => /^[a-z][a-z0-9+.-]{1,15}:\/\/\S/i.test(line);

function readDirective(line: string, said: Said): Said {
  const [, directive = '', value = ''] =
    /^#(EXTINF|EXTGRP|EXTIMG|EXTALB|EXTGENRE|PLAYLIST|RADIOBROWSERUUID):(.*)$/i.exec(line) ?? [];
  if (directive.toUpperCase() === 'EXTINF') return readInf(value, said);
  if (directive !== '' && value.trim() !== '') said.attributes.set(directive.toLowerCase(), value.trim());
  return said;
}

/** `-1 tvg-logo="…" group-title="…",Name`: the name follows the first comma outside quotes. */
function readInf(value: string, said: Said): Said {
  const comma = commaOutsideQuotes(value);
  const attributes = new Map(said.attributes);
  for (const [key, text] of attributesIn(value.slice(0, comma))) {
    if (attributes.size === MAX_ATTRIBUTES) break;
    attributes.set(key.toLowerCase(), text.trim());
  }
  return { name: value.slice(comma + 1).trim(), attributes };
}

const BARE_VALUE = /[^\s",]+/y;

/**
 * `key="value"` and `key=value`, in order. It goes from one `=` to the next and looks back for the key: an expression
 * that tries each character takes quadratic time for a long word without a `=`.
 */
function* attributesIn(text: string): Generator<[key: string, value: string]> {
  let from = 0;
  for (let equals = text.indexOf('='); equals !== -1; equals = text.indexOf('=', from)) {
    const key = keyBefore(text, from, equals);
    from = equals + 1;
    if (key === '') continue;
    const isQuoted = text[from] === '"';
    const close = isQuoted ? text.indexOf('"', from + 1) : -1;
    BARE_VALUE.lastIndex = from;
    const value = isQuoted ? text.slice(from + 1, Math.max(close, from + 1)) : BARE_VALUE.exec(text)?.[0];
    if (value === undefined || (isQuoted && close === -1)) continue;
    yield [key, value];
    from = isQuoted ? close + 1 : from + value.length;
  }
}

function keyBefore(text: string, from: number, end: number): string {
  let start = end;
  while (start > from && /[a-z0-9_-]/i.test(text[start - 1] ?? '')) start -= 1;
  while (start < end && (text[start] === '_' || text[start] === '-')) start += 1;
  return text.slice(start, end);
}

function commaOutsideQuotes(value: string): number {
  let quoted = false;
  for (let at = 0; at < value.length; at++) {
    if (value[at] === '"') quoted = !quoted;
    else if (value[at] === ',' && !quoted) return at;
  }
  // An unclosed quote hides every comma: then the first comma is the best guess.
  const first = value.indexOf(',');
  return first === -1 ? value.length : first;
}

function toEntry(address: string, { name, attributes }: Said): PlaylistEntry {
  const pick = (...keys: string[]): string | undefined =>
    keys.map((key) => attributes.get(key)).find((value) => value !== undefined && value !== '');
  const title = name || pick('tvg-name');
  const group = pick('group-title', 'extgrp', 'extgenre');
  const logo = pick('tvg-logo', 'logo', 'extimg', 'tvg-logo-small');
  return {
    address,
    ...(title ? { name: title } : {}),
    ...(group ? { group } : {}),
    ...(logo ? { logo } : {}),
    attributes,
  };
}

/** One entry of a list: an address and whatever the list says about it. */
export interface PlaylistEntry {
  address: string;
  name?: string;
  group?: string;
  logo?: string;
  /** All other attributes, by lower-case name. */
  attributes: ReadonlyMap<string, string>;
}

export const MAX_PLAYLIST_ENTRIES = 200_000;
/** The longest address that is imported; an entry's name and logo need less. */
export const MAX_LINE_LENGTH = 2048;
const MAX_ATTRIBUTES = 64;

/**
 * Lines of a list without the byte order mark and surrounding spaces. A lone carriage return ends a line too, which
 * old editors still write; empty lines, and those too long to be one entry, are left out.
 */
export function listLines(text: string): string[] {
  const lines = withLineFeeds(text.replace(/^\ufeff/, '')).split('\n');
  return lines.filter((line) => line !== '' && line.length <= MAX_LINE_LENGTH).map((line) => line.trim());
}
