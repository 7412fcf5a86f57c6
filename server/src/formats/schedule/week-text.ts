const DAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;
export type WeekdayCode = (typeof DAYS)[number];

const NAMES = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

const GROUPS = new Map<string, readonly WeekdayCode[]>([
  ['daily', DAYS],
  ['everyday', DAYS],
  ['weekdays', DAYS.slice(0, 5)],
  ['weekend', DAYS.slice(5)],
  ['weekends', DAYS.slice(5)],
]);

/** More than all days written out. */
const LONGEST = 200;

/** `sun`, `Monday`, `mon-fri`, `fri-mon`, `mon, wed`, `daily`; undefined for anything else. */
export function parseWeekdays(text: string): WeekdayCode[] | undefined {
  if (text.length > LONGEST) return undefined;
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
  // Friday to Monday goes over the end of the week.
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

export const nextDay = (day: WeekdayCode): WeekdayCode => DAYS[(DAYS.indexOf(day) + 1) % DAYS.length] ?? day;

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
