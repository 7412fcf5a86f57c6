import { parseAzuracast } from './azuracast.ts';
import { parseBbc } from './bbc.ts';
import { parseIcs } from './ics.ts';
import { isObject, parseScheduleJson } from './json-value.ts';
import { parseLibretime } from './libretime.ts';
import type { ScheduleParser } from './schedule.ts';
import { parseSpi } from './spi.ts';
import { parseSpinitron } from './spinitron.ts';
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

/** Which format a text is in, by what stands at its beginning; undefined when it looks like none. */
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

/** The name of the first element, behind declarations and comments. Goes forward only, however many of those there are. */
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
