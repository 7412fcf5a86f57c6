import { occurrencesOf } from '../../formats/schedule/occurrences.ts';
import { parseRecurrence } from '../../formats/schedule/parse-recurrence.ts';
import { dayNumber } from '../../formats/schedule/recurrence.ts';
import {
  MAX_SCHEDULE_ENTRIES,
  type ParsedSchedule,
  type ScheduleEntry,
  type ScheduleRule,
  type ScheduledShow,
} from '../../formats/schedule/schedule.ts';
import type { PlannedWindow } from '../../storage/catalog/schedules/broadcasts.ts';
import { MAX_RULES } from '../../storage/catalog/schedules/schedule-rules.ts';
import { titleKey } from '../../storage/catalog/stations/station-shows.ts';
import { type WithTimes, resolveOverlaps } from './resolve-overlaps.ts';

interface PlannedBroadcast {
  /** The key of the show's title. */
  key: string;
  start: Temporal.Instant;
  end: Temporal.Instant;
}

/** The rows to write for a schedule. */
export interface SchedulePlan {
  broadcasts: PlannedBroadcast[];
  rules: ScheduleRule[];
  /** By key; the first entry with details of a show wins. */
  shows: ReadonlyMap<string, ScheduledShow>;
  window: PlannedWindow;
  passedOver: string[];
}

const MAX_SECONDS = 48 * 3600;
const MAX_RECURRENCE_LENGTH = 1000;

export function planSchedule(parsed: ParsedSchedule, now: Temporal.Instant): SchedulePlan {
  const passedOver = [...parsed.passedOver];
  return parsed.rules.length > 0 ? planRules(parsed.rules, now, passedOver) : planEntries(parsed, passedOver);
}

function planEntries({ entries, covers }: ParsedSchedule, passedOver: string[]): SchedulePlan {
  const { resolved, endless } = resolveOverlaps<ScheduleEntry>(entries);
  for (const { title } of endless) passedOver.push(`"${title}": it has no end, or lasts over two days`);
  const broadcasts = resolved.map(({ title, start, end }) => ({ key: titleKey(title), start, end }));
  const [first] = broadcasts;
  if (!first)
    throw new Error(`nothing in the schedule can be used, so nothing was changed: ${passedOver[0]}`);
  const ends = broadcasts.map(({ end }) => end);
  return {
    broadcasts,
    rules: [],
    shows: collectShows(resolved),
    window: {
      from: earliest([first.start, ...(covers ? [covers.from] : [])]),
      until: latest([first.end, ...ends, ...(covers ? [covers.until] : [])]),
      // A document of one day says nothing about a night programme that began the day before.
      endsOthers: first.start,
    },
    passedOver,
  };
}

/** From the beginning of today, so that the whole day can be looked up. */
function planRules(all: readonly ScheduleRule[], now: Temporal.Instant, passedOver: string[]): SchedulePlan {
  const today = all.map(({ zone }) => now.toZonedDateTimeISO(zone).startOfDay().toInstant());
  const from = earliest(today);
  const rules = all
    .filter((rule) => isKept(rule, from, passedOver))
    .map((rule) => ({ ...rule, except: stillAhead(rule, from) }));
  if (rules.length > MAX_RULES)
    throw new Error(`the schedule has over ${MAX_RULES} events from today on: leave out those far ahead`);
  // As far as the previous rules can have been expanded, so that nothing of them remains.
  const until = now.add(AHEAD);
  if (rules.length === 0)
    throw new Error('every event of the schedule is past, so nothing was changed: is it an old file?');
  const timed = goOn(rules, from.subtract({ seconds: MAX_SECONDS }), until).filter(
    ({ end }) => Temporal.Instant.compare(end, from) > 0,
  );
  const begins = earliest([from, ...timed.map(({ start }) => start)]);
  return {
    broadcasts: timed.map(({ rule, start, end }) => ({ key: titleKey(rule.title), start, end })),
    rules,
    shows: collectShows(rules),
    window: { from: begins, until, endsOthers: begins },
    passedOver,
  };
}

/** Most exceptions of a weekly show of twenty years are in the past and no longer needed. */
const MAX_EXCEPTIONS = 1000;

const stillAhead = ({ except, zone }: ScheduleRule, from: Temporal.Instant): string[] => {
  const past = from.subtract({ seconds: MAX_SECONDS }).toZonedDateTimeISO(zone).toPlainDate().toString();
  return except.filter((start) => start >= past).slice(0, MAX_EXCEPTIONS);
};

function isKept(rule: ScheduleRule, from: Temporal.Instant, passedOver: string[]): boolean {
  if ((rule.lengthSeconds ?? 0) > MAX_SECONDS || (rule.recurrence?.length ?? 0) > MAX_RECURRENCE_LENGTH) {
    passedOver.push(`"${rule.title}": it lasts over two days, or its RRULE is endless`);
    return false;
  }
  return lastDay(rule) >= dayNumber(from.toZonedDateTimeISO(rule.zone)) - 2;
}

function lastDay({ recurrence, start, zone }: ScheduleRule): number {
  if (recurrence === undefined) return dayNumber(start);
  const { until } = parseRecurrence(recurrence, start, zone);
  return until === undefined ? Number.POSITIVE_INFINITY : dayNumber(Temporal.PlainDate.from(until));
}

function collectShows(given: readonly ScheduledShow[]): Map<string, ScheduledShow> {
  const shows = new Map<string, ScheduledShow>();
  for (const show of given) {
    const key = titleKey(show.title);
    shows.set(key, { ...show, ...shows.get(key) });
  }
  return shows;
}

const earliest = (instants: readonly Temporal.Instant[]): Temporal.Instant =>
  instants.reduce((a, b) => (Temporal.Instant.compare(a, b) <= 0 ? a : b));
const latest = (instants: readonly Temporal.Instant[]): Temporal.Instant =>
  instants.reduce((a, b) => (Temporal.Instant.compare(a, b) >= 0 ? a : b));

/** How far ahead rules become broadcasts: callers request days at most, and time zone rules change at weeks' notice. */
export const AHEAD = { hours: 24 * 22 };
/** No broadcast is longer, so entries farther from an edge do not reach across it. */
const MARGIN = { hours: 48 };

type Timing = Pick<ScheduleRule, 'zone' | 'start' | 'lengthSeconds' | 'recurrence' | 'except'>;
type Timed<T> = WithTimes<{ rule: T; start: Temporal.Instant; end?: Temporal.Instant | undefined }>;

/**
 * Expands rules into the broadcasts that begin from one instant until before another, in order and without overlaps.
 * With `onUnreadable`, rules that cannot be parsed are reported and skipped.
 */
export function goOn<T extends Timing>(
  rules: readonly T[],
  from: Temporal.Instant,
  until: Temporal.Instant,
  onUnreadable?: (rule: T, error: unknown) => void,
): Timed<T>[] {
  const [wideFrom, wideUntil] = [from.subtract(MARGIN), until.add(MARGIN)];
  const entries: { rule: T; start: Temporal.Instant; end: Temporal.Instant | undefined }[] = [];
  for (const rule of rules) {
    try {
      for (const occurrence of occurrencesOf(rule, wideFrom, wideUntil))
        entries.push({ rule, ...occurrence });
    } catch (error) {
      if (!onUnreadable) throw error;
      onUnreadable(rule, error);
    }
    if (entries.length > MAX_SCHEDULE_ENTRIES)
      throw new Error(
        `the rules make over ${MAX_SCHEDULE_ENTRIES} broadcasts in three weeks: look for one that repeats every minute`,
      );
  }
  return resolveOverlaps(entries).resolved.filter(
    ({ start }) => Temporal.Instant.compare(start, from) >= 0 && Temporal.Instant.compare(start, until) < 0,
  );
}
