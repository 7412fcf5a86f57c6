import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { decodeText } from '../decode-text.ts';
import type { Bytes } from '../plain-bytes.ts';
import { type Column, parseColumn } from './header.ts';

/** One row by what its columns mean; the first of two columns of one meaning that says something wins. */
export interface CsvRecord {
  line: number;
  values: Partial<Record<Column, string>>;
}

export const MAX_RECORD_LENGTH = 64 * 1024;
const MAX_LINE_BYTES = 2 ** 20;

/** Rows of a CSV file with a heading. The delimiter (comma, semicolon, tab) is the commonest one of the heading. */
export async function* readCsvRecords(bytes: Bytes): AsyncGenerator<CsvRecord> {
  const lines = decodedLines(bytes);
  const first = await lines.next();
  if (first.done) return;
  const parser = parse({
    delimiter: delimiterOf(first.value),
    bom: true,
    info: true,
    trim: true,
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_RECORD_LENGTH,
  });
  const source = Readable.from(prepend(first.value, lines));
  source.on('error', (error) => parser.destroy(error));
  let columns: (Column | undefined)[] | undefined;
  try {
    for await (const { record, info } of source.pipe(parser) as AsyncIterable<Row>) {
      if (columns) yield { line: info.lines, values: byColumn(columns, record) };
      else columns = headings(record);
    }
  } catch (error) {
    throw explained(error);
  } finally {
    source.destroy();
  }
}

interface Row {
  record: string[];
  info: { lines: number };
}

function headings(record: string[]): (Column | undefined)[] {
  const columns = record.map(parseColumn);
  if (columns.includes('name') && columns.includes('address')) return columns;
  throw new Error('the first line must head the columns, with at least "name" and "url" among them');
}

function byColumn(columns: readonly (Column | undefined)[], record: readonly string[]): CsvRecord['values'] {
  const values: CsvRecord['values'] = {};
  for (const [index, column] of columns.entries()) {
    const value = record[index];
    if (column && value && values[column] === undefined) values[column] = value;
  }
  return values;
}

function delimiterOf(text: string): string {
  const heading = text.split('\n', 1)[0] ?? '';
  const count = (delimiter: string): number => heading.split(delimiter).length;
  return [',', ';', '\t'].toSorted((a, b) => count(b) - count(a))[0] ?? ',';
}

function explained(error: unknown): unknown {
  if (!(error instanceof CsvError)) return error;
  const open = error.code === 'CSV_QUOTE_NOT_CLOSED' || error.code === 'CSV_MAX_RECORD_SIZE';
  const where = `line ${String(error.lines)}`;
  return new Error(open ? `a quote never closes, seen at ${where}: close it` : `${error.message} (${where})`);
}

/** Text in pieces that end with a line, so that UTF-8 and the older encodings can be told apart piece by piece. */
async function* decodedLines(bytes: Bytes): AsyncGenerator<string> {
  let carried: Uint8Array = new Uint8Array();
  for await (const chunk of bytes) {
    const whole = carried.length === 0 ? chunk : Buffer.concat([carried, chunk]);
    const end = whole.lastIndexOf(0x0a) + 1;
    if (end > 0) yield decodeText(whole.subarray(0, end));
    carried = whole.subarray(end);
    if (carried.length > MAX_LINE_BYTES)
      throw new Error(`a line is over ${MAX_LINE_BYTES} bytes: is it CSV?`);
  }
  if (carried.length > 0) yield decodeText(carried);
}

async function* prepend(first: string, others: AsyncIterable<string>): AsyncGenerator<string> {
  yield first;
  yield* others;
}
