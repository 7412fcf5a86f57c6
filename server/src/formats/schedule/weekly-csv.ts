import { linesOf } from '../csv/records.ts';
import { type CsvRow, CsvRows, delimiterOf } from '../csv/rows.ts';
import { type ScheduleParser, type ScheduleRule, addRule, emptySchedule, passOver } from './schedule.ts';
import { toldShow } from './told-show.ts';
import { type WeekdayCode, nextDay, parseClock, parseWeekdays } from './week-text.ts';

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

/** Rules of every week need to have begun before any week that is asked for. */
const BEGUN = Temporal.PlainDate.from('2001-01-01');

/** A week by the station's clock, as people keep it in a table. A row that cannot be read is passed over and told of. */
export const parseWeeklyCsv: ScheduleParser = (text, needs) => {
  const schedule = emptySchedule();
  const [heading, ...rows] = readRows(text);
  const columns = heading && 'cells' in heading ? heading.cells.map(columnOf) : [];
  for (const wanted of ['weekday', 'start', 'show'] as const)
    if (!columns.includes(wanted))
      throw new Error(`the first line must head the columns, "${wanted}" among them`);
  const zone = needs.zone();
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
  const show = toldShow({
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

/** When rows are on. A table says the same times again and again, and to read them is most of the work. */
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
    return `"${cut(row.weekday)}" is no weekday; write mon, mon-fri, "sat,sun", weekdays, weekend or daily`;
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

/** 24:00 of a Sunday is the first minute of Monday. */
const daysOf = (days: readonly WeekdayCode[], start: number): readonly WeekdayCode[] =>
  start < DAY ? days : days.map(nextDay);

const DAY = 24 * 60;
const cut = (text = ''): string => text.slice(0, 40);

const noTime = (text: string | undefined): string =>
  `"${cut(text)}" is no time of day; write 06:00 or 6:00 pm`;

function readRows(text: string): CsvRow[] {
  const lines = linesOf(text.replace(/^\ufeff/, ''));
  const { delimiter, before } = delimiterOf(lines);
  const rows = new CsvRows(delimiter, before);
  return [...rows.push(lines.slice(before)), ...rows.end()];
}
