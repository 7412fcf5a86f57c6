import { decodeText, encodingByMark } from '../decode-text.ts';
import { withLineFeeds } from '../line-feeds.ts';
import type { Bytes } from '../plain-bytes.ts';
import { type Column, parseColumn } from './header.ts';
import { type CsvRow, CsvRows, delimiterOf } from './rows.ts';

/** One row by what its columns mean; the first of two columns of one meaning that says something wins. */
export interface CsvRecord {
  line: number;
  values: Partial<Record<Column, string>>;
}

export type CsvItem = CsvRecord | { line: number; refused: string };

const MAX_LINE_BYTES = 2 ** 20;

/**
 * Rows of a CSV file with a heading. The delimiter (comma, semicolon, tab, bar) is what the file says (`sep=;`), else
 * the commonest one of the heading. A row that cannot be read is told of, and the next one is read. Given as many at a
 * time as come in, since to wait for each one takes longer than to read it.
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
    const lines = linesOf(text);
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

/** A lone carriage return ends a line too; what follows the last line end is a line unless it is empty. */
export function linesOf(text: string): string[] {
  const lines = withLineFeeds(text).split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function headings(cells: readonly string[]): (Column | undefined)[] {
  const columns = cells.map(parseColumn);
  if (columns.includes('name') && columns.includes('address')) return columns;
  throw new Error('the first line must head the columns, with at least "name" and "url" among them');
}

function byColumn(columns: readonly (Column | undefined)[], cells: readonly string[]): CsvRecord['values'] {
  const values: CsvRecord['values'] = {};
  for (const [index, column] of columns.entries()) {
    const value = cells[index];
    if (column && value && values[column] === undefined) values[column] = value;
  }
  return values;
}

/** Text in pieces that end with a line, so that UTF-8 and the older encodings can be told apart piece by piece. */
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

/** Excel's "Unicode text" is marked; without the mark every second byte of a heading in Latin letters is zero. */
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
