import { withDigits } from '../../i18n/languages.ts';

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** How long ago something was, in the largest unit that fits: "3 hours ago". */
export function writeAgo(at: string, { now, language }: { now: number; language: string }): string {
  const seconds = Math.min(0, (Date.parse(at) - now) / 1000);
  const format = new Intl.RelativeTimeFormat(withDigits(language), { numeric: 'auto' });
  for (const [unit, length] of UNITS)
    if (seconds <= -length) return format.format(Math.ceil(seconds / length), unit);
  return format.format(0, 'minute');
}

/** A time of day, with the date if it was not today. */
export function writeMoment(at: string, { now, language }: { now: number; language: string }): string {
  const then = new Date(at);
  const isToday = then.toDateString() === new Date(now).toDateString();
  const day = isToday ? {} : ({ day: 'numeric', month: 'short' } as const);
  return then.toLocaleString(withDigits(language), {
    ...day,
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
}
