import type { Dice } from '../../fuzz/dice.ts';

/** A week without gaps: each show lasts until the next begins, the last one into the next week. */
export interface WeeklyShow {
  title: string;
  /** From Monday, 0. */
  weekday: number;
  startMinute: number;
  lengthMinutes: number;
}

const DAY = 24 * 60;
const NAMES = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const CODES = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

/** Times are on five minutes, and often in the small hours, where clocks change. */
export function rollProgramme(roll: Dice): WeeklyShow[] {
  const starts = new Set<number>();
  for (let day = 0; day < 7; day += 1)
    for (let n = 2 + roll.below(2); n > 0; n -= 1)
      starts.add(day * DAY + 5 * roll.below(n % 2 === 0 ? 60 : DAY / 5));
  const sorted = [...starts].toSorted((a, b) => a - b);
  return sorted.map((start, index) => ({
    title: `Show ${index}`,
    weekday: Math.floor(start / DAY),
    startMinute: start % DAY,
    lengthMinutes: (sorted[index + 1] ?? (sorted[0] ?? 0) + 7 * DAY) - start,
  }));
}

const clock = (minute: number): string =>
  `${String(Math.floor(minute / 60) % 24).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

/** A table can only say at what time of day a show ends, so one of a day or more has none and lasts until the next. */
export const writeCsv = (shows: readonly WeeklyShow[]): string =>
  ['weekday,start,end,show', ...shows.map(csvRow)].join('\n');

const csvRow = ({ title, weekday, startMinute, lengthMinutes }: WeeklyShow): string =>
  [
    NAMES[weekday],
    clock(startMinute),
    lengthMinutes < DAY ? clock(startMinute + lengthMinutes) : '',
    title,
  ].join(',');

/** From the week of 2023-01-02, a Monday, on. */
export const writeIcs = (shows: readonly WeeklyShow[], zone: string): string =>
  ['BEGIN:VCALENDAR', ...shows.flatMap((show, index) => event(show, index, zone)), 'END:VCALENDAR'].join(
    '\r\n',
  );

const event = (
  { title, weekday, startMinute, lengthMinutes }: WeeklyShow,
  index: number,
  zone: string,
): string[] => [
  'BEGIN:VEVENT',
  `UID:${index}`,
  `DTSTART;TZID=${zone}:2023010${2 + weekday}T${clock(startMinute).replace(':', '')}00`,
  `DURATION:PT${lengthMinutes}M`,
  `RRULE:FREQ=WEEKLY;BYDAY=${CODES[weekday]}`,
  `SUMMARY:${title}`,
  'END:VEVENT',
];
