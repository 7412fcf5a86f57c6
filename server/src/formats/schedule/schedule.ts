import { decodeHTML } from 'entities';

/** What a source says about a show, as text that is clean and not too long. */
export interface ScheduledShow {
  title: string;
  description?: string;
  hosts?: string;
  genre?: string;
  image?: string;
  homepage?: string;
}

/** A show from one instant to another; without an end it lasts until the next begins. */
export interface ScheduleEntry extends ScheduledShow {
  start: Temporal.Instant;
  end?: Temporal.Instant | undefined;
  /** The title of the enclosing show, for a part such as a bulletin. */
  parent?: string;
}

/** A show by local wall-clock time: once, or recurring. */
export interface ScheduleRule extends ScheduledShow {
  zone: string;
  start: Temporal.PlainDateTime;
  /** By the same clock, so that it ends where its neighbour begins when clocks change in between. */
  lengthSeconds?: number | undefined;
  /** An RRULE without COUNT; undefined for a single event. */
  recurrence?: string | undefined;
  /** Cancelled starts, in local time. */
  except: readonly string[];
}

export interface ParsedSchedule {
  entries: ScheduleEntry[];
  rules: ScheduleRule[];
  /** The time range that the source covers completely. */
  covers?: { from: Temporal.Instant; until: Temporal.Instant };
  /** Why parts of it were skipped, one sentence each. */
  passedOver: string[];
}

/** What a parser needs besides the text. */
interface ParseDeps {
  /** The station's time zone, for sources that give local times without one. Throws if it is unknown. */
  zone: () => string;
  /** The channel to read from a file with several. */
  channel?: string | undefined;
}

export type ScheduleParser = (text: string, deps: ParseDeps) => ParsedSchedule;

export const MAX_SCHEDULE_BYTES = 16 * 2 ** 20;
export const MAX_SCHEDULE_ENTRIES = 20_000;

export const emptySchedule = (): ParsedSchedule => ({ entries: [], rules: [], passedOver: [] });

export function addEntry(schedule: ParsedSchedule, entry: ScheduleEntry): void {
  if (schedule.entries.length >= MAX_SCHEDULE_ENTRIES)
    throw new Error(`the schedule has over ${MAX_SCHEDULE_ENTRIES} entries: import fewer days at a time`);
  schedule.entries.push(entry);
}

export function addRule(schedule: ParsedSchedule, rule: ScheduleRule): void {
  if (schedule.rules.length >= MAX_SCHEDULE_ENTRIES)
    throw new Error(`the schedule has over ${MAX_SCHEDULE_ENTRIES} events: leave out those that are past`);
  schedule.rules.push(rule);
}

const MAX_REASONS = 1000;

export function passOver(schedule: ParsedSchedule, why: string): void {
  if (schedule.passedOver.length < MAX_REASONS) schedule.passedOver.push(why);
}

/** Column lengths of the catalogue. */
const LENGTHS = {
  title: 300,
  description: 5000,
  hosts: 500,
  genre: 100,
  image: 2048,
  homepage: 2048,
} as const;
type Field = keyof typeof LENGTHS;
/** Besides the title. */
const FIELDS = ['description', 'hosts', 'genre', 'image', 'homepage'] as const satisfies readonly Field[];

/** A show from the given texts; undefined without a title. Addresses are not cut: half of one leads nowhere. */
export function scheduledShow(texts: Partial<Record<Field, string | undefined>>): ScheduledShow | undefined {
  const title = plainText(texts.title ?? '', LENGTHS.title);
  if (title === '') return undefined;
  const show: ScheduledShow = { title };
  for (const field of FIELDS) {
    const text = texts[field];
    if (!text) continue;
    const most = LENGTHS[field];
    const given = field === 'image' || field === 'homepage' ? webAddress(text, most) : plainText(text, most);
    if (given !== '') show[field] = given;
  }
  return show;
}

/** The most that is read: markup around a text may be longer than the text. */
const MAX_SOURCE_LENGTH = 20_000;

/** Anything that needs tidying; most titles do not. */
const UNTIDY = /[^ -~]|^ | {2}| $/;

const plainText = (text: string, most: number): string =>
  text.length <= most && !UNTIDY.test(text) ? text : tidied(text, most);

const tidied = (text: string, most: number): string =>
  text
    .slice(0, MAX_SOURCE_LENGTH)
    .replaceAll(/[\p{Cc}\p{Cs}]+/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .slice(0, most)
    // A cut may split a surrogate pair.
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd();

const webAddress = (text: string, most: number): string => {
  const address = text.trim();
  return address.length <= most && /^https?:\/\//.test(address) ? address : '';
};

/** The text of an HTML fragment. */
export const textOfHtml = (html: string): string =>
  decodeHTML(html.slice(0, MAX_SOURCE_LENGTH).replaceAll(/<[^<>]*>/g, ' '));

type Covered = NonNullable<ParsedSchedule['covers']>;

/** Merges the schedules of several days, so that a show that runs past midnight meets the next. */
export function mergeSchedules(parts: readonly ParsedSchedule[]): ParsedSchedule {
  const [only, ...others] = parts;
  if (only && others.length === 0) return only;
  const whole = emptySchedule();
  for (const { entries, rules, covers, passedOver } of parts) {
    for (const entry of entries) addEntry(whole, entry);
    for (const rule of rules) addRule(whole, rule);
    for (const why of passedOver) passOver(whole, why);
    if (covers) whole.covers = widened(whole.covers, covers);
  }
  return whole;
}

/** The union of two time ranges. */
export function widened(known: Covered | undefined, { from, until }: Covered): Covered {
  if (!known) return { from, until };
  return {
    from: Temporal.Instant.compare(known.from, from) < 0 ? known.from : from,
    until: Temporal.Instant.compare(known.until, until) > 0 ? known.until : until,
  };
}

/** No schedule is about other times, and arithmetic fails near the limits of Temporal. */
const [FIRST, LAST] = [Date.UTC(1970, 0, 1), Date.UTC(2200, 0, 1)];

/** `2026-03-29T04:00:00Z`, `…+0000`, `…+02:00`; undefined for anything that is not an instant in this range. */
export function parseInstant(text: string | undefined): Temporal.Instant | undefined {
  const instant =
    text === undefined || text.length > 40 ? undefined : orUndefined(() => Temporal.Instant.from(text));
  const ms = instant?.epochMilliseconds ?? Number.NaN;
  return ms >= FIRST && ms <= LAST ? instant : undefined;
}

/** Whether it is in the range of schedules; in local time, so a day more or less does not matter. */
export const isOfOurTimes = ({ year }: Temporal.PlainDateTime): boolean => year >= 1900 && year < 2200;

/** The result, or undefined for dates that no calendar has. */
export function orUndefined<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
