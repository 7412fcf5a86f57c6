import { parseJson } from '../../lib/parse-json.ts';
import { type CsvItem, readCsvRecords } from '../csv/records.ts';
import { readOpmlList } from '../opml-list/parse.ts';
import { PRESET_ATTRIBUTES } from '../opml/preset-outlines.ts';
import { parseM3u, type PlaylistEntry } from '../playlist/m3u.ts';
import { parsePls } from '../playlist/parse-playlist.ts';
import { parseBosePresets } from './bose-presets.ts';
import { type ForeignId, parseForeignId } from './foreign-id.ts';
import { type OwnStation, parseIniList, parseYamlList } from './own-lists.ts';

/** One entry of a list of stations. */
export interface ListEntry {
  /** As written; '' if the list has none. */
  address: string;
  name: string | undefined;
  /** The list's id for it, as written: a guide ID of ours or of another directory. */
  id: string | undefined;
  /** Its ids in other directories, from its id and its address. */
  foreign: readonly ForeignId[];
  /** A code or a name. */
  country: string | undefined;
  folder: string | undefined;
  number: number | undefined;
}

export const LIST_FORMATS = ['opml', 'm3u', 'pls', 'csv', 'json', 'bose', 'yaml', 'ini'] as const;
export type ListFormat = (typeof LIST_FORMATS)[number];

/** Detected from its beginning. */
export function formatOf(text: string): ListFormat {
  const start = text.replace(/^\ufeff/, '').trimStart();
  if (start.startsWith('<')) return rootOf(start) === 'presets' ? 'bose' : 'opml';
  if (/^\[playlist\]/i.test(start)) return 'pls';
  if (/^(?:\{|\[\s*[{\]])/.test(start)) return 'json';
  if (start.startsWith('[')) return 'ini';
  if (/^#EXT|^#RADIOBROWSER/i.test(start)) return 'm3u';
  if (isYaml(start)) return 'yaml';
  return /^#|^[a-z][a-z0-9+.-]{1,15}:\/\//i.test(start) ? 'm3u' : 'csv';
}

const rootOf = (start: string): string | undefined => /<([a-z]\w*)/i.exec(start.slice(0, 2000))?.[1];

/** The first line that is no comment is a category, `name:`. */
function isYaml(start: string): boolean {
  const lines = start.slice(0, 4000).split(/[\r\n]+/);
  const first = lines.find((line) => line.trim() !== '' && !/^(?:#|---)/.test(line));
  return first !== undefined && /^[^\s,;|].*:\s*$/.test(first);
}

/** Every entry; may stop after more than `most`. Throws with what is wrong with the list. */
export const readList = async (text: string, format: ListFormat, most: number): Promise<ListEntry[]> =>
  READERS[format](text, most);

const READERS: Readonly<
  Record<ListFormat, (text: string, most: number) => ListEntry[] | Promise<ListEntry[]>>
> = {
  m3u: (text) => parseM3u(text).map(ofPlaylist),
  pls: (text) => parsePls(text).map(ofPlaylist),
  opml: (text) => Array.fromAsync(opmlEntries(text)),
  csv: csvEntries,
  json: jsonEntries,
  bose: boseEntries,
  yaml: (text, most) => parseYamlList(text, most).map(ofOwnStation),
  ini: (text, most) => parseIniList(text, most).map(ofOwnStation),
};

type Said = { address: string } & Partial<ListEntry>;

function entry({ address, name, id, foreign = [], country, folder, number }: Said): ListEntry {
  const found = [...foreign, ...[id, address].flatMap((text) => (text ? (parseForeignId(text) ?? []) : []))];
  const distinct = new Map(found.map((each) => [`${each.scheme} ${each.id}`, each]));
  return { address, name, id, foreign: [...distinct.values()], country, folder, number };
}

/** `#EXTGRP` is preferred over the attribute, which cannot contain quotes. */
function ofPlaylist({ address, name, group, attributes }: PlaylistEntry): ListEntry {
  return entry({
    address,
    name,
    id: attributes.get('radiobrowseruuid') ?? attributes.get('tvg-id'),
    country: attributes.get('tvg-country'),
    folder: attributes.get('extgrp') ?? group,
    number: parseNumber(attributes.get('tvg-chno')),
  });
}

async function* opmlEntries(text: string): AsyncGenerator<ListEntry> {
  for await (const { address, name, groups, attributes } of readOpmlList(bytesOf(text)))
    yield entry({
      address: attributes.get(PRESET_ATTRIBUTES.address) ?? address,
      name,
      id: attributes.get(PRESET_ATTRIBUTES.id) ?? parseForeignId(address)?.id,
      country: attributes.get('country'),
      folder: groups.at(-1),
      number: parseNumber(attributes.get(PRESET_ATTRIBUTES.number)),
    });
}

/** Stops as soon as there are too many. */
async function csvEntries(text: string, most: number): Promise<ListEntry[]> {
  const entries: ListEntry[] = [];
  for await (const items of readCsvRecords(bytesOf(text))) {
    entries.push(...items.flatMap((item) => ofRow(item)));
    if (entries.length > most) break;
  }
  return entries;
}

function ofRow(row: CsvItem): ListEntry[] {
  // Kept without an address, so that the preview shows which line was not recognised.
  if ('refused' in row) return [entry({ address: '', name: `Line ${row.line}: ${row.refused}` })];
  const { address = '', name, id, country } = row.values;
  return address || id ? [entry({ address, name, id, country })] : [];
}

/** RadioDroid's favourites, and any other list of stations in radio-browser's field names. */
function jsonEntries(text: string): ListEntry[] {
  const said = parseJson(text.replace(/^\ufeff/, ''));
  const list: unknown = Array.isArray(said) ? said : listIn(said);
  if (!Array.isArray(list))
    throw new Error('the JSON is no list of stations: give [{"name": …, "url": …}, …]');
  return list.flatMap((item: unknown) => ofObject(item));
}

/** The first list in an object: `{"stations": […]}`. */
const listIn = (said: unknown): unknown =>
  typeof said === 'object' && said !== null ? Object.values(said).find(Array.isArray) : undefined;

function ofObject(item: unknown): ListEntry[] {
  if (typeof item !== 'object' || item === null) return [];
  const fields = new Map<string, string>();
  for (const [key, value] of Object.entries(item))
    if (typeof value === 'string' && value !== '') fields.set(key.toLowerCase(), value);
  const pick = (...names: string[]): string | undefined =>
    names.map((name) => fields.get(name)).find((value) => value !== undefined);
  const address = pick('url', 'streamurl', 'url_resolved') ?? '';
  const id = pick('stationuuid', 'guide_id', 'guideid', 'uuid', 'id');
  if (address === '' && id === undefined) return [];
  return [
    entry({ address, id, name: pick('name', 'title', 'text'), country: pick('countrycode', 'country') }),
  ];
}

function boseEntries(text: string): ListEntry[] {
  return parseBosePresets(text).map(({ number, location, name, address }) =>
    entry({ address, name, id: parseForeignId(location)?.id, number: parseNumber(number) }),
  );
}

function ofOwnStation({ category, ...station }: OwnStation): ListEntry {
  return entry({ ...station, folder: category });
}

const PIECE_BYTES = 16_384;

/** In chunks, so that reading can stop before the end of the text. */
async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}

const parseNumber = (text = ''): number | undefined => (/^\d{1,4}$/.test(text) ? Number(text) : undefined);
