import { decodeText, encodingByMark, withLineFeeds } from '../decode-text.ts';
import type { Bytes } from '../plain-bytes.ts';
import { type CsvRow, CsvRows, delimiterOf } from './rows.ts';

/** One row by the meaning of its columns; of two columns with one meaning, the first that has a value wins. */
interface CsvRecord {
  line: number;
  values: Partial<Record<Column, string>>;
}

export type CsvItem = CsvRecord | { line: number; refused: string };

const MAX_LINE_BYTES = 2 ** 20;

/**
 * Rows of a CSV file with a heading. The delimiter (comma, semicolon, tab, bar) is the declared one (`sep=;`), else
 * the commonest in the heading. A row that cannot be read is reported, and reading goes on. Rows are yielded in the
 * batches they arrive in, since awaiting each one takes longer than reading it.
 */
export async function* readCsvRecords(bytes: Bytes): AsyncGenerator<CsvItem[]> {
  let rows: CsvRows | undefined;
  let blank = 0;
  let columns: (Column | undefined)[] | undefined;
  const itemsOf = (read: Iterable<CsvRow>): CsvItem[] => {
    const items: CsvItem[] = [];
    for (const row of read) {
      if ('refused' in row) items.push(row);
      else if (columns) items.push({ line: row.line, values: byColumn(columns, row.cells) });
      else columns = headings(row.cells);
    }
    return items;
  };
  for await (const text of decodedLines(bytes)) {
    const lines = csvLinesOf(text);
    if (!rows && lines.every((line) => line.trim() === '')) {
      blank += lines.length;
      continue;
    }
    const { delimiter, before } = rows ? { delimiter: '', before: 0 } : delimiterOf(lines);
    rows ??= new CsvRows(delimiter, blank + before);
    yield itemsOf(rows.push(lines.slice(before)));
  }
  if (rows) yield itemsOf(rows.end());
}

/** A lone carriage return ends a line too; text after the last line end is a line unless it is empty. */
export function csvLinesOf(text: string): string[] {
  const lines = withLineFeeds(text).split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function headings(cells: readonly string[]): (Column | undefined)[] {
  const columns = cells.map(parseColumn);
  if (columns.includes('name') && columns.includes('address')) return columns;
  throw new Error('the first line must name the columns, at least "name" and "url"');
}

function byColumn(columns: readonly (Column | undefined)[], cells: readonly string[]): CsvRecord['values'] {
  const values: CsvRecord['values'] = {};
  for (const [index, column] of columns.entries()) {
    const value = cells[index];
    if (column && value && values[column] === undefined) values[column] = value;
  }
  return values;
}

/** Text in pieces that end with a line, so that UTF-8 and older encodings can be detected piece by piece. */
async function* decodedLines(bytes: Bytes): AsyncGenerator<string> {
  let carried: Uint8Array = new Uint8Array();
  let encoding: ReturnType<typeof wideEncoding> | 'narrow';
  for await (const chunk of bytes) {
    const whole = carried.length === 0 ? chunk : Buffer.concat([carried, chunk]);
    encoding ??= whole.length < 4 ? undefined : (wideEncoding(whole) ?? 'narrow');
    const end = encoding === undefined ? 0 : endOfLines(whole, encoding);
    if (end > 0) yield withoutMark(decode(whole.subarray(0, end), encoding));
    carried = whole.subarray(end);
    if (carried.length > MAX_LINE_BYTES)
      throw new Error(`a line is over ${MAX_LINE_BYTES} bytes: is it CSV?`);
  }
  if (carried.length > 0) yield withoutMark(decode(carried, encoding));
}

type Wide = 'utf-16le' | 'utf-16be';

/** Excel's "Unicode text" has a byte order mark; without it, every second byte of a Latin heading is zero. */
function wideEncoding(bytes: Uint8Array): Wide | undefined {
  const [first, second, third, fourth] = bytes;
  if (second === 0 && fourth === 0 && first !== 0) return 'utf-16le';
  if (first === 0 && third === 0 && second !== 0) return 'utf-16be';
  return encodingByMark(bytes);
}

function endOfLines(bytes: Uint8Array, encoding: Wide | 'narrow'): number {
  if (encoding === 'narrow') return bytes.lastIndexOf(0x0a) + 1;
  const lineEnd = encoding === 'utf-16le' ? [0x0a, 0] : [0, 0x0a];
  let at = bytes.length - (bytes.length % 2) - 2;
  while (at >= 0 && (bytes[at] !== lineEnd[0] || bytes[at + 1] !== lineEnd[1])) at -= 2;
  return at + 2;
}

const decode = (bytes: Uint8Array, encoding: Wide | 'narrow' | undefined): string =>
  encoding === undefined || encoding === 'narrow'
    ? decodeText(bytes)
    : new TextDecoder(encoding).decode(bytes);

const withoutMark = (text: string): string => text.replace(/^\ufeff/, '');

/** The facts that a column can hold. */
const COLUMNS = [
  'name',
  'address',
  'homepage',
  'logo',
  'country',
  'state',
  'city',
  'language',
  'tags',
  'codec',
  'bitrate',
  'latitude',
  'longitude',
  'votes',
  'id',
] as const;

type Column = (typeof COLUMNS)[number];

/** Headings that people and other programs use; compared without case, spaces and punctuation. */
const ALIASES: Record<Column, string[]> = {
  name: ['name', 'title', 'station', 'stationname'],
  address: ['url', 'stream', 'streamurl', 'urlstream', 'address', 'link', 'urlresolved'],
  homepage: ['homepage', 'website', 'site', 'web', 'urlhomepage'],
  logo: ['logo', 'favicon', 'image', 'icon', 'logourl', 'urlfavicon'],
  country: ['country', 'countrycode', 'iso31661', 'cc'],
  state: ['state', 'region', 'province', 'iso31662'],
  city: ['city', 'town', 'location', 'place'],
  language: ['language', 'languages', 'lang', 'iso639', 'languagecodes'],
  tags: ['tags', 'tag', 'genre', 'genres', 'category', 'group'],
  codec: ['codec', 'format', 'type'],
  bitrate: ['bitrate', 'kbps', 'quality'],
  latitude: ['latitude', 'lat', 'geolat'],
  longitude: ['longitude', 'lon', 'lng', 'long', 'geolong'],
  votes: ['votes', 'rating', 'likes'],
  id: ['id', 'uuid', 'stationuuid', 'guid'],
};

const BY_ALIAS = new Map(
  COLUMNS.flatMap((column) => ALIASES[column].map((alias) => [alias, column] as const)),
);

/** `Stream URL` -> `address`, `Bitrate (kbps)` -> `bitrate`; undefined for an unknown column. */
export function parseColumn(heading: string): Column | undefined {
  const [beforeUnit = ''] = heading.split(/[([]/, 1);
  return BY_ALIAS.get(plainHeading(heading)) ?? BY_ALIAS.get(plainHeading(beforeUnit));
}

const plainHeading = (heading: string): string => heading.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** Thousands separators: spaces of all widths, and the Swiss apostrophe. */
const BETWEEN_THOUSANDS = /(?<=\d)[\s\u00a0\u202f'’](?=\d{3}(?!\d))/g;
const NUMBER = /^[+-]?\d[\d.,]*(?:e[+-]?\d{1,3})?/i;
const MAX_LENGTH = 40;

/** A count as spreadsheets write it: `1,234`, `1.234`, `1 234`, `1,28E+02`, `128 kbps`; undefined for anything else. */
export function parseCount(text: string | undefined): number | undefined {
  const written = numeral(text);
  // Groups of three are thousands: no count has thousandths.
  if (/^[+-]?\d{1,3}(?:\.\d{3})+$|^[+-]?\d{1,3}(?:,\d{3})+$/.test(written))
    return Number(written.replaceAll(/[.,]/g, ''));
  return toNumber(written);
}

/** Degrees: `53.5511`, `53,5511`, `-8.47`, `8,47° W`; undefined for anything else. */
export function parseDegrees(text: string | undefined): number | undefined {
  const degrees = toNumber(numeral(text));
  const [, side = ''] = /\d\s*°?\s*([nsewo])$/i.exec((text ?? '').slice(0, MAX_LENGTH).trim()) ?? [];
  return degrees !== undefined && /[sw]/i.test(side) ? -Math.abs(degrees) : degrees;
}

function numeral(text: string | undefined): string {
  const plain = (text ?? '').slice(0, MAX_LENGTH).trim().replace('−', '-').replaceAll(BETWEEN_THOUSANDS, '');
  return NUMBER.exec(plain)?.[0] ?? '';
}

/** With both separators, the last one is the decimal one; with one, it is decimal if it occurs once. */
function toNumber(written: string): number | undefined {
  const decimal = written[Math.max(written.lastIndexOf('.'), written.lastIndexOf(','))];
  const other = decimal === ',' ? '.' : ',';
  const parts = written.replaceAll(other, '').split(decimal ?? '.');
  const number = Number(parts.length > 2 ? parts.join('') : parts.join('.'));
  return written !== '' && Number.isFinite(number) ? number : undefined;
}
