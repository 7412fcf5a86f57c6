import { decodeHTMLAttribute } from 'entities';
import { createXmlParser } from '../xml-parser.ts';
import { listLines, MAX_PLAYLIST_ENTRIES, type PlaylistEntry } from './m3u.ts';

export type PlaylistKind = 'm3u' | 'pls' | 'asx' | 'xspf';

export const MAX_ADDRESSES = 20;
const MAX_ADDRESS_LENGTH = 2048;
/** Far more than any list of one station has; a list that repeats an address tens of thousands of times is cut here. */
const MAX_SCANNED = 1000;

/** Unlike an imported list, the playlist of a station may use relative addresses. */
const addressesIn: Readonly<Record<PlaylistKind, (text: string) => string[]>> = {
  m3u: (text) => listLines(text).filter((line) => line !== '' && !line.startsWith('#')),
  pls: plsAddresses,
  asx: parseAsx,
  xspf: parseXspf,
};

/** The targets of a playlist, in order: distinct absolute `http:` and `https:` addresses, twenty at most. */
export function parsePlaylist(kind: PlaylistKind, text: string, baseAddress: string): string[] {
  const found = new Set<string>();
  for (const written of addressesIn[kind](text).slice(0, MAX_SCANNED)) {
    if (found.size === MAX_ADDRESSES) break;
    const url = written.length <= MAX_ADDRESS_LENGTH ? URL.parse(written, baseAddress) : null;
    if (url && (url.protocol === 'http:' || url.protocol === 'https:')) found.add(withoutHash(url));
  }
  return [...found];
}

function withoutHash(url: URL): string {
  url.hash = '';
  return url.href;
}

const FILE = /^file(\d{0,7})\s*=\s*(\S.*)$/i;
const LINE = /^(file|title|length|genre|logo)(\d{1,7})\s*=\s*(.*)$/i;

/** PLS: `File1=`, `Title1=`; entries come in the order of their numbers, and those without an address are left out. */
export function parsePls(text: string): PlaylistEntry[] {
  const entries = new Map<number, Map<string, string>>();
  for (const line of listLines(text)) {
    const [, key = '', number = '', value = ''] = LINE.exec(line) ?? [];
    if (key === '') continue;
    const said = entries.get(Number(number)) ?? new Map<string, string>();
    if (said.size === 0 && entries.size < MAX_PLAYLIST_ENTRIES) entries.set(Number(number), said);
    said.set(key.toLowerCase(), value);
  }
  return [...entries.entries()].toSorted(([a], [b]) => a - b).flatMap(([, said]) => toEntry(said));
}

function toEntry(said: ReadonlyMap<string, string>): PlaylistEntry[] {
  const address = said.get('file') ?? '';
  if (!/^[a-z][a-z0-9+.-]{1,15}:\/\/\S/i.test(address)) return [];
  const [name, group, logo] = [said.get('title'), said.get('genre'), said.get('logo')];
  return [
    {
      address,
      ...(name ? { name } : {}),
      ...(group ? { group } : {}),
      ...(logo ? { logo } : {}),
      attributes: said,
    },
  ];
}

/** The addresses of a station's PLS, in numerical order: it may repeat numbers, and use relative addresses. */
function plsAddresses(text: string): string[] {
  return listLines(text)
    .flatMap((line) => {
      const [, number, address] = FILE.exec(line) ?? [];
      return address === undefined ? [] : [{ number: Number(number), address }];
    })
    .toSorted((a, b) => a.number - b.number)
    .map(({ address }) => address);
}

const MAX_TAG_LENGTH = 4096;
/** One tag: it ends where it is closed, or where the next begins, so that no character is scanned twice. */
const REFERENCE = /<\s*(?:entry)?ref\s[^<>]*/gi;
const HREF = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))/i;
const INI_LINE = /^ref\d{1,3}\s*=\s*(\S.*)$/i;

/**
 * The addresses of an ASX, in order. Most ASX files are not XML: any case, bare `&`, unclosed tags; or an INI file
 * with `Ref1=`. So only the tags with addresses are searched for.
 */
export function parseAsx(text: string): string[] {
  const found: string[] = [];
  for (const [tag] of text.matchAll(REFERENCE)) {
    const [, quoted, single, bare] = (tag.length <= MAX_TAG_LENGTH && HREF.exec(tag)) || [];
    const address = quoted ?? single ?? bare;
    if (address !== undefined) found.push(decodeHTMLAttribute(address.trim()));
  }
  return found.length > 0 ? found : referencesIn(text);
}

const referencesIn = (text: string): string[] =>
  listLines(text).flatMap((line) => INI_LINE.exec(line)?.[1] ?? []);

const MAX_TRACKS = 1000;
const MAX_LOCATION_LENGTH = 4096;
const MAX_DEPTH = 64;

/** Stops the parser: the addresses found so far count, as in any player. */
class Enough extends Error {}

/** The addresses of an XSPF, in order: every `location` of a track. */
export function parseXspf(text: string): string[] {
  const reading = new Reading();
  const parser = createXmlParser();
  parser.on('error', stop);
  parser.on('doctype', stop);
  parser.on('opentag', ({ name }) => reading.open(localName(name)));
  parser.on('closetag', () => reading.close());
  parser.on('text', (more) => reading.add(more));
  parser.on('cdata', (more) => reading.add(more));
  try {
    parser.write(text).close();
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
  }
  return reading.found;
}

function stop(): never {
  throw new Enough();
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1).toLowerCase();

class Reading {
  readonly found: string[] = [];
  readonly #open: string[] = [];
  #address: string | undefined;

  open(name: string): void {
    if (this.#open.length === MAX_DEPTH) stop();
    if (name === 'location' && this.#open.at(-1) === 'track') this.#address = '';
    this.#open.push(name);
  }

  add(more: string): void {
    if (this.#address !== undefined && this.#address.length < MAX_LOCATION_LENGTH) this.#address += more;
  }

  close(): void {
    if (this.#open.pop() !== 'location' || this.#address === undefined) return;
    this.found.push(this.#address.trim());
    this.#address = undefined;
    if (this.found.length === MAX_TRACKS) stop();
  }
}
