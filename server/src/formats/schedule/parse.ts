import { decodeText } from '../decode-text.ts';
import { type Bytes, plainBytes } from '../plain-bytes.ts';
import { parseIcs } from './ics.ts';
import {
  isObject,
  parseAzuracast,
  parseBbc,
  parseLibretime,
  parseScheduleJson,
  parseSpinitron,
} from './json-schedules.ts';
import { MAX_SCHEDULE_BYTES, type ScheduleParser } from './schedule.ts';
import { parseSpi } from './spi.ts';
import { columnOf, parseWeeklyCsv } from './weekly-csv.ts';
import { parseXmltv } from './xmltv.ts';

export const PARSERS: ReadonlyMap<string, ScheduleParser> = new Map([
  ['xmltv', parseXmltv],
  ['spi', parseSpi],
  ['ics', parseIcs],
  ['azuracast', parseAzuracast],
  ['spinitron', parseSpinitron],
  ['libretime', parseLibretime],
  ['bbc', parseBbc],
  ['csv', parseWeeklyCsv],
]);

export const FORMATS = [...PARSERS.keys()];

/** Detects the format of a text by its beginning; undefined if unknown. */
export function detectFormat(text: string): string | undefined {
  const start = text
    .slice(0, 10_000)
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (/^BEGIN:VCALENDAR/i.test(start)) return 'ics';
  if (start.startsWith('<')) return formatOfRoot(start);
  if (start.startsWith('{') || start.startsWith('[')) return formatOfJson(parseScheduleJson(text));
  const [heading = ''] = start.split('\n', 1);
  const columns = heading.split(/[,;\t]/).map((cell) => columnOf(cell.replaceAll('"', '')));
  return columns.includes('weekday') && columns.includes('start') ? 'csv' : undefined;
}

const ROOT = /<(?:\w+:)?([A-Za-z]\w*)[\s>/]/y;

function formatOfRoot(start: string): string | undefined {
  const root = rootOf(start);
  if (root === 'tv') return 'xmltv';
  return root === 'epg' ? 'spi' : undefined;
}

/**
 * The name of the first element, after declarations and comments. Scans forward only, however many of those there are.
 */
function rootOf(start: string): string | undefined {
  for (let at = start.indexOf('<'); at !== -1;) {
    const isComment = start.startsWith('<!--', at);
    if (!isComment && start[at + 1] !== '?' && start[at + 1] !== '!') {
      ROOT.lastIndex = at;
      return ROOT.exec(start)?.[1];
    }
    const end = start.indexOf(isComment ? '-->' : '>', at);
    at = end === -1 ? -1 : start.indexOf('<', end);
  }
  return undefined;
}

function formatOfJson(value: unknown): string | undefined {
  if (Array.isArray(value)) return 'azuracast';
  if (!isObject(value)) return undefined;
  if (Array.isArray(value['items'])) return 'spinitron';
  if (Array.isArray(value['monday'])) return 'libretime';
  return Array.isArray(value['data']) ? 'bbc' : undefined;
}

/** A schedule as text, unpacked if it is gzipped. */
export async function readText(bytes: Bytes): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of plainBytes(bytes, MAX_SCHEDULE_BYTES)) chunks.push(chunk);
  const whole = Buffer.concat(chunks);
  const [, label] =
    /^\s*<\?xml[^>]*\sencoding=["']([\w.:-]+)["']/.exec(whole.toString('latin1', 0, 200)) ?? [];
  // decodeText detects UTF-8 by itself, and the text often is UTF-8 whatever the declaration says.
  return label === undefined || /^utf-?8$/i.test(label) ? decodeText(whole) : decodeAs(label, whole);
}

function decodeAs(label: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder(label).decode(bytes);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new Error(`the schedule is in the encoding "${label}", which is not supported: save it as UTF-8`, {
      cause: error,
    });
  }
}
