import { writeCsv } from '../../formats/csv/rows.ts';
import { cleanMarkupText, escapeXml } from '../../formats/opml/characters.ts';

type Value = string | number | boolean | null;
export type Row = Readonly<Record<string, Value>>;

/** What a command answers with: rows of one kind, or one row. Rows are made while they are written. */
export interface ListAnswer {
  /** The name of a row's element in XML. */
  element: string;
  /** What each row has, for a table without any. */
  fields: readonly string[];
  count: number;
  rows: Iterable<Row>;
  /** The same as JSON, where it is at hand. */
  jsonRows?: Iterable<string>;
  /** One thing, which JSON shows without a list around it. */
  isSingle?: boolean;
  /** Each row is something to listen to, which can be an entry of a playlist. */
  isPlayable?: boolean;
}

/** An answer with these rows, of which there are few. */
export const answerOf = (element: string, fields: readonly string[], rows: readonly Row[]): ListAnswer => ({
  element,
  fields,
  rows,
  count: rows.length,
});

export const singleAnswer = (element: string, row: Row): ListAnswer => ({
  ...answerOf(element, Object.keys(row), [row]),
  isSingle: true,
});

interface Written {
  contentType: string;
  pieces: Iterable<string>;
  fileName?: string;
}

export const ANSWER_FORMATS = ['json', 'xml', 'csv', 'm3u', 'pls', 'xspf'] as const;
type Format = (typeof ANSWER_FORMATS)[number];
const PLAYLISTS = new Set<string>(['m3u', 'pls', 'xspf']);

export const isFormat = (text: string): text is Format =>
  (ANSWER_FORMATS as readonly string[]).includes(text);

/** Undefined for a format that cannot say it: a list of languages is no playlist. */
export function writeAnswer(format: string, answer: ListAnswer): Written | undefined {
  if (!isFormat(format) || (PLAYLISTS.has(format) && answer.isPlayable !== true)) return undefined;
  const { contentType, write } = WRITERS[format];
  const pieces = write(answer);
  return PLAYLISTS.has(format)
    ? { contentType, pieces, fileName: `playlist.${format}` }
    : { contentType, pieces };
}

interface Writer {
  contentType: string;
  write: (answer: ListAnswer) => Iterable<string>;
}

const WRITERS: Readonly<Record<Format, Writer>> = {
  json: { contentType: 'application/json', write: writeJson },
  xml: { contentType: 'text/xml', write: writeXml },
  csv: { contentType: 'text/csv; charset=utf-8', write: writeTable },
  m3u: { contentType: 'audio/mpegurl', write: writeM3u },
  pls: { contentType: 'audio/x-scpls', write: writePls },
  xspf: { contentType: 'application/xspf+xml', write: writeXspf },
};

function* writeJson({ rows, jsonRows, isSingle }: ListAnswer): Generator<string> {
  if (isSingle !== true) yield '[';
  let before = '';
  for (const row of jsonRows ?? rows) {
    yield before + (typeof row === 'string' ? row : JSON.stringify(row));
    before = ',';
  }
  if (isSingle !== true) yield ']';
}

function* writeXml({ rows, element }: ListAnswer): Generator<string> {
  yield '<result>';
  for (const row of rows) {
    const attributes = Object.entries(row)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`);
    yield `<${element}${attributes.join('')}/>`;
  }
  yield '</result>';
}

function* writeTable({ rows, fields }: ListAnswer): Generator<string> {
  yield writeCsv([fields]);
  for (const row of rows) yield writeCsv([fields.map((field) => `${row[field] ?? ''}`)]);
}

const line = (value: Value | undefined): string => cleanMarkupText(String(value ?? ''));

function* writeM3u({ rows }: ListAnswer): Generator<string> {
  yield '#EXTM3U\r\n';
  for (const { stationuuid, name, url } of rows)
    yield `#RADIOBROWSERUUID:${line(stationuuid)}\r\n#EXTINF:1,${line(name)}\r\n${line(url)}\r\n\r\n`;
}

function* writePls({ rows, count }: ListAnswer): Generator<string> {
  yield `[playlist]\r\nNumberOfEntries=${count}\r\n`;
  let number = 0;
  for (const { name, url } of rows) {
    number += 1;
    yield `Title${number}=${line(name)}\r\nFile${number}=${line(url)}\r\n\r\n`;
  }
}

function* writeXspf({ rows }: ListAnswer): Generator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<playlist version="1" xmlns="http://xspf.org/ns/0/"><trackList>';
  for (const { stationuuid, name, url, favicon } of rows) {
    const image = favicon ? `<image>${escapeXml(line(favicon))}</image>` : '';
    yield `<track><title>${escapeXml(line(name))}</title><location>${escapeXml(line(url))}</location>${image}<identifier>radiobrowser:${line(stationuuid)}</identifier></track>`;
  }
  yield '</trackList></playlist>';
}
