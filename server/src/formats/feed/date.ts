import { foldText } from '../../lib/search-words.ts';

/** First letters of months in the languages whose feeds translate them, against the standard. */
const MONTHS: readonly (readonly string[])[] = [
  ['jan', 'ene', 'gen'],
  ['feb', 'fev'],
  ['mar', 'mrt'],
  ['apr', 'abr', 'avr'],
  ['may', 'mai', 'mei', 'mag'],
  ['jun', 'giu', 'juin'],
  ['jul', 'lug', 'juil'],
  ['aug', 'ago', 'aou'],
  ['sep', 'set'],
  ['oct', 'okt', 'out', 'ott'],
  ['nov'],
  ['dec', 'dez', 'dic'],
];
const MONTH_OF = new Map(MONTHS.flatMap((names, index) => names.map((name) => [name, index] as const)));

/** Minutes east of Greenwich. Abbreviations are ambiguous; these are the meanings that feeds use. */
const ZONES = new Map([
  ['est', -300],
  ['edt', -240],
  ['cst', -360],
  ['cdt', -300],
  ['mst', -420],
  ['mdt', -360],
  ['pst', -480],
  ['pdt', -420],
  ['bst', 60],
  ['cet', 60],
  ['mez', 60],
  ['cest', 120],
  ['mesz', 120],
  ['eet', 120],
  ['eest', 180],
  ['msk', 180],
  ['ist', 330],
  ['jst', 540],
  ['aest', 600],
  ['aedt', 660],
  ['nzst', 720],
  ['nzdt', 780],
]);

const CLOCK = String.raw`(?:[T\s]+(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:[.,]\d+)?)?\s*(?<half>[ap]m\b)?)?`;
const ZONE = String.raw`\s*\(?(?<zone>[a-z]{1,5})?\s*(?<offset>[+-]\d{1,2}(?::?\d{2})?)?`;
const SHAPES = [
  // Tue, 05 Mar 2024 08:00:00 +0000
  new RegExp(
    String.raw`^(?:[^\d,]{1,20},?\s+)?(?<day>\d{1,2})\.?[\s-]+(?<month>\p{L}{3,12})\.?[\s,-]+(?<year>\d{4}|\d{2})${CLOCK}${ZONE}`,
    'iu',
  ),
  // 2024-03-05T08:00:00Z
  new RegExp(String.raw`^(?<year>\d{4})[-/](?<number>\d{1,2})[-/](?<day>\d{1,2})${CLOCK}${ZONE}`, 'iu'),
  // Tuesday, March 5, 2024 8:00 pm
  new RegExp(
    String.raw`^(?:[^\d,]{1,20},\s*)?(?<month>\p{L}{3,12})\.?\s+(?<day>\d{1,2})(?:st|nd|rd|th)?,?\s+(?<year>\d{4})${CLOCK}${ZONE}`,
    'iu',
  ),
];

/** A publication time in any of the ways feeds write it; undefined if it is not a time of the podcast age. */
export function parseFeedDate(text: string): Temporal.Instant | undefined {
  const given = text.trim().slice(0, 80);
  if (given === '') return undefined;
  for (const shape of SHAPES) {
    const parts = shape.exec(given)?.groups;
    if (parts) return instantOf(parts);
  }
  return /^1\d{9}$/.test(given) ? Temporal.Instant.fromEpochMilliseconds(Number(given) * 1000) : undefined;
}

type Parts = Readonly<Record<string, string | undefined>>;

function instantOf(parts: Parts): Temporal.Instant | undefined {
  const month = parts['number'] === undefined ? monthOf(parts['month'] ?? '') : Number(parts['number']) - 1;
  const year = fullYear(parts['year'] ?? '');
  if (month === undefined || month > 11 || year < 1990 || year > 2100) return undefined;
  const { minute, second } = parts;
  const local = Date.UTC(
    year,
    month,
    Number(parts['day']),
    hourOf(parts),
    Number(minute ?? 0),
    Number(second ?? 0),
  );
  return Temporal.Instant.fromEpochMilliseconds(local - offsetMinutes(parts) * 60_000);
}

function monthOf(name: string): number | undefined {
  const folded = foldText(name);
  return MONTH_OF.get(folded.slice(0, 4)) ?? MONTH_OF.get(folded.slice(0, 3));
}

const fullYear = (year: string): number =>
  year.length === 4 ? Number(year) : 1900 + Number(year) + (Number(year) < 70 ? 100 : 0);

function hourOf({ hour = '0', half }: Parts): number {
  if (half === undefined) return Number(hour);
  return (Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
}

/** `GMT+2` is two hours east, as it reads; an unknown zone is taken for UTC. */
function offsetMinutes({ zone, offset }: Parts): number {
  if (offset === undefined) return ZONES.get((zone ?? '').toLowerCase()) ?? 0;
  const digits = offset.slice(1).replace(':', '');
  const [hours, minutes] = digits.length <= 2 ? [digits, '0'] : [digits.slice(0, -2), digits.slice(-2)];
  const total = Number(hours) * 60 + Number(minutes);
  return total > 15 * 60 ? 0 : offset.startsWith('-') ? -total : total;
}

/** Longer is a mistake: no episode lasts a week. */
const MAX_SECONDS = 7 * 24 * 3600;

const DURATION_CLOCK = /^(?:(\d{1,4}):)?(\d{1,5}):(\d{1,2})(?:[.,]\d+)?$/;
const SECONDS = /^(\d{1,8})(?:[.,]\d*)?\s*(?:s|sec|secs|seconds)?$/;
/** `PT1H2M3S`, `1h 2m 3s`, `45 min`. */
const DURATION_UNITS =
  /^(?:pt)?(?:(\d{1,3})\s*h(?:ours?|rs?)?)?\s*(?:(\d{1,4})\s*m(?:in(?:ute)?s?)?)?\s*(?:(\d{1,6})(?:\.\d+)?\s*s(?:ec(?:ond)?s?)?)?\.?$/;

/** A topic's duration as feeds write it: `1:02:03`, `62:03`, `3723`. Undefined if missing or invalid. */
export function parseDuration(text: string): number | undefined {
  const given = text.trim().toLowerCase();
  if (given === '' || given.length > 40) return undefined;
  const [, plain] = SECONDS.exec(given) ?? [];
  if (plain !== undefined) return inBounds(Number(plain));
  const [, hours = '0', minutes = '0', seconds = '0'] =
    DURATION_CLOCK.exec(given) ?? DURATION_UNITS.exec(given) ?? [];
  return inBounds(Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds));
}

const inBounds = (seconds: number): number | undefined =>
  seconds > 0 && seconds <= MAX_SECONDS ? seconds : undefined;
