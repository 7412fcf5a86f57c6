import { pipeline } from 'node:stream/promises';
import type { ClientBase } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

export type CopyValue = string | number | boolean | null | readonly (string | number)[];

const SPECIAL = /[\\\t\n\r]/;
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
const CHUNK_LENGTH = 64 * 1024;

/**
 * Writes rows into a table by COPY, the fastest way; only one chunk of text is in memory. If the rows' iterator throws,
 * the COPY is aborted, so that the connection is free again.
 */
export async function copyRows(
  client: ClientBase,
  table: string,
  columns: readonly string[],
  rows: Iterable<readonly CopyValue[]>,
): Promise<void> {
  const stream = client.query(copyFrom(`COPY ${table} (${columns.join(', ')}) FROM STDIN`));
  await pipeline(copyChunks(rows), stream);
}

function* copyChunks(rows: Iterable<readonly CopyValue[]>): Generator<string> {
  let text = '';
  for (const row of rows) {
    text += writeCopyRow(row);
    if (text.length < CHUNK_LENGTH) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

const writeCopyRow = (row: readonly CopyValue[]): string => `${row.map(writeCopyValue).join('\t')}\n`;

function writeCopyValue(value: CopyValue): string {
  if (value === null) return '\\N';
  if (typeof value === 'string') return escapeCopy(value);
  if (typeof value === 'object') return escapeCopy(writeArray(value));
  return String(value);
}

const escapeCopy = (text: string): string =>
  SPECIAL.test(text) ? text.replace(/[\\\t\n\r]/g, (character) => ESCAPES[character] ?? character) : text;

const writeArray = (values: readonly (string | number)[]): string =>
  `{${values.map((value) => (typeof value === 'number' ? value : quoteElement(value))).join(',')}}`;

const quoteElement = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;
