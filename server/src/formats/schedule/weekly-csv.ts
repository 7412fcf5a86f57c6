import { csvLinesOf } from '../csv/records.ts';
import { type CsvRow, CsvRows, delimiterOf } from '../csv/rows.ts';
import {
  addRule,
  emptySchedule,
  passOver,
  type ScheduleParser,
  type ScheduleRule,
  scheduledShow,
} from './schedule.ts';

const COLUMN_NAMES = [
  ['weekday', ['weekday', 'weekdays', 'day', 'days']],
  ['start', ['start', 'starts', 'from', 'begin', 'time']],
  ['end', ['end', 'ends', 'to', 'until', 'stop']],
  ['show', ['show', 'title', 'name', 'programme', 'program']],
  ['host', ['host', 'hosts', 'presenter', 'presenters', 'dj']],
  ['genre', ['genre', 'category']],
  ['url', ['url', 'homepage', 'website', 'link']],
  ['description', ['description', 'about']],
  ['image', ['image', 'logo', 'picture']],
] as const;
type Column = (typeof COLUMN_NAMES)[number][0];
type Row = Partial<Record<Column, string>>;
const BY_NAME = new Map<string, Column>(
  COLUMN_NAMES.flatMap(([column, names]) => names.map((name) => [name, column] as const)),
);

export const columnOf = (heading: string): Column | undefined => BY_NAME.get(heading.trim().toLowerCase());

/** Weekly rules must have begun before any week that is requested. */
const BEGUN = Temporal.PlainDate.from('2001-01-01');

/** A week by the station's clock, as people write it in a table. A row that cannot be read is skipped and reported. */
export const parseWeeklyCsv: ScheduleParser = (text, deps) => {
  const schedule = emptySchedule();
  const [heading, ...rows] = readRows(text);
  const columns = heading && 'cells' in heading ? heading.cells.map(columnOf) : [];
  for (const wanted of ['weekday', 'start', 'show'] as const)
    if (!columns.includes(wanted))
      throw new Error(`the first line must name the columns, including "${wanted}"`);
  const zone = deps.zone();
  const timings = new Timings();
  const wrong: string[] = [];
  for (const row of rows) {
    const rule = 'refused' in row ? row.refused : ruleOf(byColumn(columns, row.cells), zone, timings);
    if (typeof rule === 'string') wrong.push(`row ${row.line}: ${rule}`);
    else addRule(schedule, rule);
  }
  if (schedule.rules.length === 0 && wrong[0] !== undefined) throw new Error(wrong[0]);
  for (const why of wrong) passOver(schedule, why);
  return schedule;
};

function byColumn(columns: readonly (Column | undefined)[], cells: readonly string[]): Row {
  const row: Row = {};
  for (const [at, column] of columns.entries()) if (column) row[column] ??= cells[at] ?? '';
  return row;
}

/** The rule of a row, or what is wrong with the row. */
function ruleOf(row: Row, zone: string, timings: Timings): ScheduleRule | string {
  const show = scheduledShow({
    title: row.show,
    hosts: row.host,
    genre: row.genre,
    homepage: row.url,
    description: row.description,
    image: row.image,
  });
  if (!show) return 'it names no show';
  const timing = timings.of(row);
  return typeof timing === 'string' ? timing : { ...show, zone, ...timing, except: [] };
}

type Timing = Pick<ScheduleRule, 'start' | 'lengthSeconds' | 'recurrence'>;

/** The times of rows. A table repeats the same times again and again, and parsing them is most of the work. */
class Timings {
  readonly #known = new Map<string, Timing | string>();

  /** Or what is wrong with the row. */
  of(row: Row): Timing | string {
    const key = `${row.weekday ?? ''}\n${row.start ?? ''}\n${row.end ?? ''}`;
    return this.#known.getOrInsertComputed(key, () => timingOf(row));
  }
}

function timingOf(row: Row): Timing | string {
  const days = parseWeekdays(row.weekday ?? '');
  if (!days)
    return `"${cut(row.weekday)}" is not a weekday; write mon, mon-fri, "sat,sun", weekdays, weekend or daily`;
  const start = parseClock(row.start ?? '');
  const end = (row.end ?? '') === '' ? undefined : parseClock(row.end ?? '');
  if (start === undefined) return noTime(row.start);
  if (end === undefined && (row.end ?? '') !== '') return noTime(row.end);
  return {
    start: BEGUN.toPlainDateTime({ hour: Math.floor(start / 60) % 24, minute: start % 60 }),
    lengthSeconds: end === undefined ? undefined : (((end - start + 2 * DAY - 1) % DAY) + 1) * 60,
    recurrence: `FREQ=WEEKLY;BYDAY=${daysOf(days, start).join(',')}`,
  };
}

/** 24:00 on a Sunday is the first minute of Monday. */
const daysOf = (days: readonly WeekdayCode[], start: number): readonly WeekdayCode[] =>
  start < DAY ? days : days.map(nextDay);

const DAY = 24 * 60;
const cut = (text = ''): string => text.slice(0, 40);

const noTime = (text: string | undefined): string =>
  `"${cut(text)}" is not a time of day; write 06:00 or 6:00 pm`;

function readRows(text: string): CsvRow[] {
  const lines = csvLinesOf(text.replace(/^\ufeff/, ''));
  const { delimiter, before } = delimiterOf(lines);
  const rows = new CsvRows(delimiter, before);
  return [...rows.push(lines.slice(before)), ...rows.end()];
}

const DAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;
type WeekdayCode = (typeof DAYS)[number];

const NAMES = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

const GROUPS = new Map<string, readonly WeekdayCode[]>([
  ['daily', DAYS],
  ['everyday', DAYS],
  ['weekdays', DAYS.slice(0, 5)],
  ['weekend', DAYS.slice(5)],
  ['weekends', DAYS.slice(5)],
]);

/** More than all days written out. */
const MAX_LENGTH = 200;

/** `sun`, `Monday`, `mon-fri`, `fri-mon`, `mon, wed`, `daily`; undefined for anything else. */
export function parseWeekdays(text: string): WeekdayCode[] | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const days = text
    .toLowerCase()
    .replaceAll(/\s*[-–]\s*/g, '-')
    .split(/[\s,;/+&]+/)
    .filter(Boolean)
    .map(parsePart);
  if (days.length === 0 || days.includes(undefined)) return undefined;
  const named = new Set(days.flatMap((some) => some ?? []));
  return DAYS.filter((day) => named.has(day));
}

function parsePart(text: string): readonly WeekdayCode[] | undefined {
  const group = GROUPS.get(text);
  if (group) return group;
  const [first, last, ...rest] = text.split('-').map(indexOfDay);
  if (first === undefined || rest.length > 0) return undefined;
  if (!text.includes('-')) return DAYS.slice(first, first + 1);
  if (last === undefined) return undefined;
  // Friday to Monday crosses the end of the week.
  return [...DAYS, ...DAYS].slice(first, last < first ? last + 8 : last + 1);
}

/** By its first two letters or more. */
function indexOfDay(text: string): number | undefined {
  const name = text.replace(/\.$/, '');
  const index =
    name.length < 2 ? -1 : NAMES.findIndex((full) => full.startsWith(name) || `${full}s` === name);
  // `tues`, `weds` and `thurs` are what people write.
  const usual = ['tues', 'weds', 'thur', 'thurs'].indexOf(name);
  if (index === -1 && usual >= 0) return [1, 2, 3, 3][usual];
  return index === -1 ? undefined : index;
}

const nextDay = (day: WeekdayCode): WeekdayCode => DAYS[(DAYS.indexOf(day) + 1) % DAYS.length] ?? day;

/** Minutes since midnight: `06:00`, `6.30`, `6 pm`, `24:00`. */
export function parseClock(text: string): number | undefined {
  const [, hour, minute = '0', half] =
    /^(\d{1,2})(?:[:.h](\d{2}))?(?::\d{2})?\s*([ap])?\.?m?\.?$/i.exec(text.trim()) ?? [];
  if (hour === undefined || Number(minute) > 59) return undefined;
  const hours = Number(hour);
  if (half === undefined)
    return hours * 60 + Number(minute) <= 24 * 60 ? hours * 60 + Number(minute) : undefined;
  if (hours < 1 || hours > 12) return undefined;
  return ((hours % 12) + (half.toLowerCase() === 'p' ? 12 : 0)) * 60 + Number(minute);
}
