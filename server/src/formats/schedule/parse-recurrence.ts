import { parseCalendarTime } from './ics-lines.ts';
import type { Recurrence } from './recurrence.ts';

const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
const KNOWN = new Set(
  'FREQ INTERVAL COUNT UNTIL BYDAY BYMONTHDAY BYMONTH BYSETPOS BYHOUR BYMINUTE BYSECOND WKST'.split(' '),
);
const MAX_VALUES = 100;
/** Daily for over fifty years. */
const MAX_COUNTED = 20_000;

/** A rule that began at `start`, by the clock of `zone`. Throws a sentence about what is wrong with it. */
export function parseRecurrence(text: string, start: Temporal.PlainDateTime, zone: string): Recurrence {
  const parts = new Map(text.toUpperCase().split(';').filter(Boolean).map(splitPart));
  for (const name of parts.keys()) if (!KNOWN.has(name)) throw new Error(`${name} is not supported`);
  const list = (name: string, least: number, most: number): number[] =>
    numbers(parts.get(name), name, least, most);
  const frequency = parts.get('FREQ') ?? '';
  const interval = list('INTERVAL', 1, 10_000)[0] ?? 1;
  const [count] = list('COUNT', 1, MAX_COUNTED);
  const until = parts.get('UNTIL');
  const hours = list('BYHOUR', 0, 23);
  const rule = {
    ...frequencyOf(frequency, interval, start.hour, hours),
    ...(count === undefined ? {} : { count }),
    ...(until === undefined ? {} : { until: lastStart(until, zone) }),
    days: values(parts.get('BYDAY')).map(parseDay),
    monthDays: list('BYMONTHDAY', -31, 31),
    months: list('BYMONTH', 1, 12),
    positions: list('BYSETPOS', -366, 366),
    minutes: list('BYMINUTE', 0, 59),
    weekStart: WEEKDAYS.indexOf(parts.get('WKST') ?? 'MO') + 1,
  };
  refuseUnclear(rule);
  return rule;
}

function splitPart(part: string): [name: string, value: string] {
  const [name = '', value = ''] = part.split('=', 2);
  return [name.trim(), value.trim()];
}

const values = (text: string | undefined): string[] =>
  text === undefined ? [] : text.split(',').slice(0, MAX_VALUES);

function numbers(text: string | undefined, name: string, least: number, most: number): number[] {
  if (text === undefined) return [];
  const read = values(text).map((value) => {
    const number = /^[+-]?\d{1,6}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= least && number <= most && !(number === 0 && least < 0)) return number;
    throw new Error(`${name}=${value.slice(0, 20)} is not a number from ${least} to ${most}`);
  });
  return [...new Set(read)];
}

function parseDay(text: string): Recurrence['days'][number] {
  const [, ordinal = '0', name = ''] = /^([+-]?[1-5])?(MO|TU|WE|TH|FR|SA|SU)$/.exec(text) ?? [];
  if (name === '') throw new Error(`BYDAY=${text.slice(0, 20)} is not a weekday such as MO or -1FR`);
  return { weekday: WEEKDAYS.indexOf(name) + 1, ordinal: Number(ordinal) };
}

type Paced = Pick<Recurrence, 'frequency' | 'interval' | 'hours'>;

/** A rule for every few hours becomes a daily one at these hours. */
function frequencyOf(name: string, interval: number, hour: number, hours: readonly number[]): Paced {
  switch (name) {
    case 'DAILY':
    case 'WEEKLY':
    case 'MONTHLY':
    case 'YEARLY':
      return { frequency: name, interval, hours };
    case 'HOURLY': {
      if (24 % interval !== 0) throw new Error(`FREQ=HOURLY;INTERVAL=${interval} does not divide a day`);
      const every = Array.from({ length: 24 }, (_, n) => n).filter((n) => (n - hour) % interval === 0);
      return {
        frequency: 'DAILY',
        interval: 1,
        hours: hours.length > 0 ? every.filter((n) => hours.includes(n)) : every,
      };
    }
    default:
      throw new Error(`FREQ=${name.slice(0, 20)} is not one of HOURLY, DAILY, WEEKLY, MONTHLY, YEARLY`);
  }
}

function refuseUnclear({ frequency, days, positions, months, weekStart }: Recurrence): void {
  if (weekStart === 0) throw new Error('WKST is not a weekday such as MO');
  if (positions.length > 0 && frequency !== 'MONTHLY')
    throw new Error('BYSETPOS is only supported with FREQ=MONTHLY');
  if (days.every(({ ordinal }) => ordinal === 0) || frequency === 'MONTHLY') return;
  if (frequency !== 'YEARLY' || months.length === 0)
    throw new Error('a numbered BYDAY is only supported with FREQ=MONTHLY, or with FREQ=YEARLY and BYMONTH');
}

/** A date alone includes that day. */
function lastStart(text: string, zone: string): string {
  const time = parseCalendarTime(text);
  if (!time) throw new Error(`UNTIL=${text.slice(0, 20)} is not a time`);
  if (time.isDate) return time.local.with({ hour: 23, minute: 59, second: 59 }).toString();
  if (!time.isUtc) return time.local.toString();
  return time.local.toZonedDateTime('UTC').withTimeZone(zone).toPlainDateTime().toString();
}
