import { MOST_RULES } from '../../catalog/schedule-rules.ts';
import { titleKey } from '../../catalog/station-shows.ts';
import { dayNumber } from '../../formats/schedule/civil-day.ts';
import { parseRecurrence } from '../../formats/schedule/parse-recurrence.ts';
import type {
  ParsedSchedule,
  ScheduleEntry,
  ScheduleRule,
  ToldShow,
} from '../../formats/schedule/schedule.ts';
import { AHEAD, goOn } from './go-on.ts';
import { settleEntries } from './settle-entries.ts';

export interface PlannedBroadcast {
  /** The key of the show's title. */
  key: string;
  start: Temporal.Instant;
  end: Temporal.Instant;
}

/** The time that a schedule covers. What began before it ends at `endsOthers`, where the schedule first speaks up. */
export interface PlannedWindow {
  from: Temporal.Instant;
  until: Temporal.Instant;
  endsOthers: Temporal.Instant;
}

/** What is to be written of a schedule. */
export interface SchedulePlan {
  broadcasts: PlannedBroadcast[];
  rules: ScheduleRule[];
  /** By key; the first that tells something of a show is believed. */
  shows: ReadonlyMap<string, ToldShow>;
  window: PlannedWindow;
  passedOver: string[];
}

const LONGEST_SECONDS = 48 * 3600;
const LONGEST_RECURRENCE = 1000;

export function planSchedule(parsed: ParsedSchedule, now: Temporal.Instant): SchedulePlan {
  const passedOver = [...parsed.passedOver];
  return parsed.rules.length > 0 ? planRules(parsed.rules, now, passedOver) : planEntries(parsed, passedOver);
}

function planEntries({ entries, covers }: ParsedSchedule, passedOver: string[]): SchedulePlan {
  const { settled, endless } = settleEntries<ScheduleEntry>(entries);
  for (const { title } of endless)
    passedOver.push(`"${title}": nothing says when it ends, or it lasts over two days`);
  const broadcasts = settled.map(({ title, start, end }) => ({ key: titleKey(title), start, end }));
  const [first] = broadcasts;
  if (!first)
    throw new Error(`nothing in the schedule can be used, so nothing was changed: ${passedOver[0]}`);
  const ends = broadcasts.map(({ end }) => end);
  return {
    broadcasts,
    rules: [],
    shows: gatherShows(settled),
    window: {
      from: earliest([first.start, ...(covers ? [covers.from] : [])]),
      until: latest([first.end, ...ends, ...(covers ? [covers.until] : [])]),
      // A document of one day says nothing of a night that began the day before.
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
  if (rules.length > MOST_RULES)
    throw new Error(`the schedule has over ${MOST_RULES} events from today on: leave out those far ahead`);
  // As far as the rules before these can have gone on, so that nothing of them stays.
  const until = now.add(AHEAD);
  if (rules.length === 0)
    throw new Error('every event of the schedule is past, so nothing was changed: is it an old file?');
  const timed = goOn(rules, from.subtract({ seconds: LONGEST_SECONDS }), until).filter(
    ({ end }) => Temporal.Instant.compare(end, from) > 0,
  );
  const begins = earliest([from, ...timed.map(({ start }) => start)]);
  return {
    broadcasts: timed.map(({ rule, start, end }) => ({ key: titleKey(rule.title), start, end })),
    rules,
    shows: gatherShows(rules),
    window: { from: begins, until, endsOthers: begins },
    passedOver,
  };
}

/** Of a weekly show of twenty years, most of what was left out once is of no use any more. */
const MOST_EXCEPTIONS = 1000;

const stillAhead = ({ except, zone }: ScheduleRule, from: Temporal.Instant): string[] => {
  const past = from.subtract({ seconds: LONGEST_SECONDS }).toZonedDateTimeISO(zone).toPlainDate().toString();
  return except.filter((start) => start >= past).slice(0, MOST_EXCEPTIONS);
};

function isKept(rule: ScheduleRule, from: Temporal.Instant, passedOver: string[]): boolean {
  if ((rule.lengthSeconds ?? 0) > LONGEST_SECONDS || (rule.recurrence?.length ?? 0) > LONGEST_RECURRENCE) {
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

function gatherShows(told: readonly ToldShow[]): Map<string, ToldShow> {
  const shows = new Map<string, ToldShow>();
  for (const show of told) {
    const key = titleKey(show.title);
    shows.set(key, { ...show, ...shows.get(key) });
  }
  return shows;
}

const earliest = (instants: readonly Temporal.Instant[]): Temporal.Instant =>
  instants.reduce((a, b) => (Temporal.Instant.compare(a, b) <= 0 ? a : b));
const latest = (instants: readonly Temporal.Instant[]): Temporal.Instant =>
  instants.reduce((a, b) => (Temporal.Instant.compare(a, b) >= 0 ? a : b));
