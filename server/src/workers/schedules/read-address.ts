import type { Pool } from 'pg';
import { noStation, type SavedSchedule, saveSchedule } from '../../core/on-air/save-schedule.ts';
import { MAX_SCHEDULE_BYTES } from '../../formats/schedule/schedule.ts';
import type { Validators } from '../../lib/answer-headers.ts';
import type { Clock } from '../../lib/clock.ts';
import { isZone } from '../../lib/zone.ts';
import type { SafeFetcher } from '../../net/fetch/fetch-safely.ts';
import { findLastEnd } from '../../storage/catalog/schedules/broadcasts.ts';
import type { DueSchedule, ScheduleReading } from '../../storage/catalog/schedules/due-schedules.ts';
import { findStationRow } from '../../storage/catalog/stations/stations.ts';
import {
  type ScheduleAnswer,
  askAddress,
  type DayAddress,
  dayAddresses,
  isDaily,
  noScheduleAt,
  ReadingError,
} from './ask-address.ts';

export interface ScheduleDeps {
  pool: Pool;
  fetcher: Pick<SafeFetcher, 'fetch'>;
  clock: Clock;
}

type AskedSchedule = Omit<DueSchedule, 'failures'>;

interface ReadAddress {
  reading: ScheduleReading;
  /** Undefined when the server said that nothing has changed. */
  saved: SavedSchedule | undefined;
}

/** For all days of an address together; the lease on a row is longer than this plus the time to write. */
const MAX_MS = 120_000;
const MAX_DAY_BYTES = MAX_SCHEDULE_BYTES / 4;

/** Fetches a schedule and saves it, unless it is unchanged. */
export async function readAddress(
  deps: ScheduleDeps,
  asked: AskedSchedule,
  signal?: AbortSignal,
): Promise<ReadAddress> {
  const ends = AbortSignal.any([AbortSignal.timeout(MAX_MS), ...(signal ? [signal] : [])]);
  const days = await daysOf(deps, asked);
  let given = await askDays(deps, days, asked.answers, ends);
  if (given.every(({ answer }) => answer.kind === 'same')) return unchanged(deps, asked, given);
  // Several days are resolved together, so that the unchanged ones are needed too.
  if (given.some(({ answer }) => answer.kind === 'same')) given = await askDays(deps, days, {}, ends);
  return save(deps, asked, given);
}

interface DayReading {
  day: string;
  answer: Exclude<ScheduleAnswer, { kind: 'none' }>;
}

async function daysOf({ pool, clock }: ScheduleDeps, asked: AskedSchedule): Promise<DayAddress[]> {
  const station = await findStationRow(pool, asked.stationId);
  if (!station) throw noStation(asked.stationId);
  const zone = asked.zone ?? station.zone ?? 'UTC';
  const today = clock
    .now()
    .toZonedDateTimeISO(isZone(zone) ? zone : 'UTC')
    .toPlainDate();
  return dayAddresses(asked.address, today);
}

/** Day by day, until two in a row are missing: they are not published yet. */
async function askDays(
  { fetcher, clock }: ScheduleDeps,
  days: readonly DayAddress[],
  answers: Readonly<Record<string, Validators>>,
  signal: AbortSignal,
): Promise<DayReading[]> {
  const given: DayReading[] = [];
  const maxBytes = days.length > 1 ? MAX_DAY_BYTES : MAX_SCHEDULE_BYTES;
  let missing: { address: string; status: number; inARow: number } | undefined;
  for (const { day, address } of days) {
    const known = Object.hasOwn(answers, day) ? (answers[day] ?? {}) : {};
    const answer = await askAddress(fetcher, { address, known, maxBytes, now: clock.now(), signal });
    if (answer.kind === 'none')
      missing = { address, status: answer.status, inARow: (missing?.inARow ?? 0) + 1 };
    else {
      given.push({ day, answer });
      missing = undefined;
    }
    if (missing?.inARow === 2) break;
  }
  if (given.length === 0 && missing) throw noScheduleAt(missing.address, missing.status);
  return given;
}

const freshOf = (given: readonly DayReading[]): number =>
  Math.min(...given.map(({ answer }) => answer.freshSeconds));

async function unchanged(
  { pool, clock }: ScheduleDeps,
  asked: AskedSchedule,
  given: readonly DayReading[],
): Promise<ReadAddress> {
  const until = await findLastEnd(pool, asked.stationId);
  const aheadSeconds = until && clock.now().until(until).total('seconds');
  const news = { isNew: false, freshSeconds: freshOf(given), aheadSeconds };
  const { address, answers, digest } = asked;
  const intervalSeconds = nextInterval({ intervalSeconds: asked.intervalSeconds, ...news });
  return { reading: { address, answers, digest, intervalSeconds }, saved: undefined };
}

async function save(
  { pool, clock }: ScheduleDeps,
  asked: AskedSchedule,
  given: readonly DayReading[],
): Promise<ReadAddress> {
  const texts = given.map(({ day, answer }) => ({ day, ...textOf(answer) }));
  const now = clock.now();
  const saved = await saveSchedule({ ...asked, pool, now, texts: texts.map(({ text }) => text) });
  const intervalSeconds = nextInterval({
    intervalSeconds: asked.intervalSeconds,
    isNew: saved.isNew,
    freshSeconds: freshOf(given),
    aheadSeconds: saved.rules > 0 ? undefined : now.until(saved.until).total('seconds'),
  });
  const answers = Object.fromEntries(texts.map(({ day, last }) => [day, last]));
  const [first] = texts;
  const address = isDaily(asked.address) ? asked.address : (first?.movedTo ?? asked.address);
  return { reading: { address, answers, digest: saved.digest, intervalSeconds }, saved };
}

function textOf(answer: ScheduleAnswer): Extract<ScheduleAnswer, { kind: 'text' }> {
  if (answer.kind === 'text') return answer;
  throw new ReadingError('the server answered 304 to an unconditional request');
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** For a schedule that has been read only once. */
export const FIRST_INTERVAL = 6 * HOUR;
const [MIN_LENGTH, MAX_LENGTH] = [HOUR, DAY];

export interface ReadingNews {
  intervalSeconds: number;
  isNew: boolean;
  /** How long the server says that its answer is fresh. */
  freshSeconds: number;
  /** How far ahead the schedule reaches; undefined where rules extend themselves. */
  aheadSeconds: number | undefined;
}

/** A schedule that changes is read sooner, one that does not later; and always before its known part ends. */
export function nextInterval({ intervalSeconds, isNew, freshSeconds, aheadSeconds }: ReadingNews): number {
  const usual = isNew ? intervalSeconds / 2 : intervalSeconds * 1.5;
  const polite = Math.max(usual, freshSeconds);
  return Math.round(clamp(Math.min(polite, (aheadSeconds ?? Number.POSITIVE_INFINITY) / 2)));
}

const clamp = (seconds: number): number => Math.min(Math.max(seconds, MIN_LENGTH), MAX_LENGTH);

const FIRST_WAIT = 15 * MINUTE;
const MAX_WAIT = DAY;
/** A longer Retry-After is cut to this. */
const MAX_RETRY_AFTER = 7 * DAY;

/** A quarter of an hour, then twice as long each time, up to a day; longer where the server asks for it. */
export function waitAfterFailure(failures: number, retryAfterSeconds = 0): number {
  const wait = Math.min(FIRST_WAIT * 2 ** Math.min(failures, 20), MAX_WAIT);
  return Math.max(wait, Math.min(retryAfterSeconds, MAX_RETRY_AFTER));
}
