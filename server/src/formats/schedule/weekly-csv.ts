import { CsvError, parse } from 'csv-parse/sync';
import { type ScheduleParser, type ScheduleRule, addRule, emptySchedule } from './schedule.ts';
import { toldShow } from './told-show.ts';
import { parseClock, parseWeekdays } from './week-text.ts';

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

/** A week by the station's clock, as people keep it in a table. */
export const parseWeeklyCsv: ScheduleParser = (text, needs) => {
  const schedule = emptySchedule();
  const [heading = [], ...rows] = readRows(text);
  const columns = heading.map(columnOf);
  for (const wanted of ['weekday', 'start', 'show'] as const)
    if (!columns.includes(wanted))
      throw new Error(`the first line must head the columns, "${wanted}" among them`);
  const zone = needs.zone();
  for (const [index, cells] of rows.entries()) {
    const row: Row = {};
    for (const [at, column] of columns.entries()) if (column) row[column] ??= cells[at] ?? '';
    addRule(schedule, ruleOf(row, zone, `row ${index + 2}`));
  }
  return schedule;
};

function ruleOf(row: Row, zone: string, where: string): ScheduleRule {
  const show = toldShow({
    title: row.show,
    hosts: row.host,
    genre: row.genre,
    homepage: row.url,
    description: row.description,
    image: row.image,
  });
  if (!show) throw new Error(`${where} names no show`);
  const days = parseWeekdays(row.weekday ?? '');
  if (!days)
    throw new Error(
      `${where}: "${cut(row.weekday)}" is no weekday; write mon, mon-fri, "sat,sun", weekdays, weekend or daily`,
    );
  const start = clockAt(row.start, where);
  const end = (row.end ?? '') === '' ? undefined : clockAt(row.end, where);
  return {
    ...show,
    zone,
    start: BEGUN.toPlainDateTime({ hour: Math.floor(start / 60) % 24, minute: start % 60 }),
    lengthSeconds: end === undefined ? undefined : (((end - start + DAY - 1) % DAY) + 1) * 60,
    recurrence: `FREQ=WEEKLY;BYDAY=${days.join(',')}`,
    except: [],
  };
}

const DAY = 24 * 60;
const cut = (text = ''): string => text.slice(0, 40);

function clockAt(text: string | undefined, where: string): number {
  const minutes = parseClock(text ?? '');
  if (minutes === undefined)
    throw new Error(`${where}: "${cut(text)}" is no time of day; write 06:00 or 6:00 pm`);
  return minutes;
}

function readRows(text: string): string[][] {
  const [heading = ''] = text.split('\n', 1);
  const count = (delimiter: string): number => heading.split(delimiter).length;
  const [delimiter = ','] = [',', ';', '\t'].toSorted((a, b) => count(b) - count(a));
  try {
    return parse(text, {
      delimiter,
      bom: true,
      trim: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: 65_536,
    });
  } catch (error) {
    if (error instanceof CsvError)
      throw new Error(`the table cannot be read: ${error.message}`, { cause: error });
    throw error;
  }
}
