/** What a source tells of a show, as text that is clean and not too long. */
export interface ToldShow {
  title: string;
  description?: string;
  hosts?: string;
  genre?: string;
  image?: string;
  homepage?: string;
}

/** A show from one instant to another; without an end it lasts until the next begins. */
export interface ScheduleEntry extends ToldShow {
  start: Temporal.Instant;
  end?: Temporal.Instant | undefined;
  /** The title of the show in which it is a part, as a bulletin is. */
  parent?: string;
}

/** A show by the clock on a wall: once, or again and again. */
export interface ScheduleRule extends ToldShow {
  zone: string;
  start: Temporal.PlainDateTime;
  /** By the same clock, so that it ends where its neighbour begins when clocks change in between. */
  lengthSeconds?: number | undefined;
  /** An RRULE without COUNT; undefined for what happens once. */
  recurrence?: string | undefined;
  /** Starts, as the clock shows them, at which it is not. */
  except: readonly string[];
}

export interface ParsedSchedule {
  entries: ScheduleEntry[];
  rules: ScheduleRule[];
  /** What the source says it knows all of. */
  covers?: { from: Temporal.Instant; until: Temporal.Instant };
  /** Why parts of it were passed over, one sentence each. */
  passedOver: string[];
}

/** What a parser has to know beside the text. */
export interface ParseNeeds {
  /** The station's time zone, for sources that tell the time without one. Throws when nobody knows it. */
  zone: () => string;
  /** Which of the channels of one file is meant. */
  channel?: string | undefined;
}

export type ScheduleParser = (text: string, needs: ParseNeeds) => ParsedSchedule;

export const MAX_BYTES = 16 * 2 ** 20;
export const MOST_ENTRIES = 20_000;

export const emptySchedule = (): ParsedSchedule => ({ entries: [], rules: [], passedOver: [] });

export function addEntry(schedule: ParsedSchedule, entry: ScheduleEntry): void {
  if (schedule.entries.length >= MOST_ENTRIES)
    throw new Error(`the schedule has over ${MOST_ENTRIES} entries: import fewer days at a time`);
  schedule.entries.push(entry);
}

export function addRule(schedule: ParsedSchedule, rule: ScheduleRule): void {
  if (schedule.rules.length >= MOST_ENTRIES)
    throw new Error(`the schedule has over ${MOST_ENTRIES} events: leave out those that are past`);
  schedule.rules.push(rule);
}

const MOST_REASONS = 1000;

export function passOver(schedule: ParsedSchedule, why: string): void {
  if (schedule.passedOver.length < MOST_REASONS) schedule.passedOver.push(why);
}
