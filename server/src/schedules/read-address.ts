import type { Pool } from 'pg';
import { findLastEnd } from '../catalog/broadcasts.ts';
import type { DueSchedule, LastAnswer, ScheduleReading } from '../catalog/due-schedules.ts';
import { findStation } from '../catalog/stations.ts';
import { MAX_BYTES } from '../formats/schedule/schedule.ts';
import { type SavedSchedule, noStation, saveSchedule } from '../intake/schedules/save-schedule.ts';
import type { Clock } from '../lib/clock.ts';
import type { SafeFetcher } from '../lib/fetch-safely/fetch-safely.ts';
import { isZone } from '../lib/local-time.ts';
import { type Answer, ReadingError, askAddress, nothingThere } from './ask-address.ts';
import { type DayAddress, dayAddresses, isDaily } from './day-addresses.ts';
import { nextInterval } from './next-reading.ts';

export interface ScheduleNeeds {
  pool: Pool;
  fetcher: Pick<SafeFetcher, 'fetch'>;
  clock: Clock;
}

type AskedSchedule = Omit<DueSchedule, 'failures'>;

export interface ReadAddress {
  reading: ScheduleReading;
  /** Undefined when the server said that nothing has changed. */
  saved: SavedSchedule | undefined;
}

/** For all days of an address together; the lease on a row is longer than this and the writing. */
const LONGEST_MS = 120_000;
const MAX_DAY_BYTES = MAX_BYTES / 4;

/** Fetches a schedule and saves it, unless it is what it was. */
export async function readAddress(
  needs: ScheduleNeeds,
  asked: AskedSchedule,
  signal?: AbortSignal,
): Promise<ReadAddress> {
  const ends = AbortSignal.any([AbortSignal.timeout(LONGEST_MS), ...(signal ? [signal] : [])]);
  const days = await daysOf(needs, asked);
  let told = await askDays(needs, days, asked.answers, ends);
  if (told.every(({ answer }) => answer.kind === 'same')) return unchanged(needs, asked, told);
  // Of several days all are settled together, so those that are as they were are needed too.
  if (told.some(({ answer }) => answer.kind === 'same')) told = await askDays(needs, days, {}, ends);
  return save(needs, asked, told);
}

interface Told {
  day: string;
  answer: Exclude<Answer, { kind: 'none' }>;
}

async function daysOf({ pool, clock }: ScheduleNeeds, asked: AskedSchedule): Promise<DayAddress[]> {
  const station = await findStation(pool, asked.stationId);
  if (!station) throw noStation(asked.stationId);
  const zone = asked.zone ?? station.zone ?? 'UTC';
  const today = clock
    .now()
    .toZonedDateTimeISO(isZone(zone) ? zone : 'UTC')
    .toPlainDate();
  return dayAddresses(asked.address, today);
}

/** Day by day, until two in a row are not there: they are not published yet. */
async function askDays(
  { fetcher, clock }: ScheduleNeeds,
  days: readonly DayAddress[],
  answers: Readonly<Record<string, LastAnswer>>,
  signal: AbortSignal,
): Promise<Told[]> {
  const told: Told[] = [];
  const maxBytes = days.length > 1 ? MAX_DAY_BYTES : MAX_BYTES;
  let missing: { address: string; status: number; inARow: number } | undefined;
  for (const { day, address } of days) {
    const known = Object.hasOwn(answers, day) ? (answers[day] ?? {}) : {};
    const answer = await askAddress(fetcher, { address, known, maxBytes, now: clock.now(), signal });
    if (answer.kind === 'none')
      missing = { address, status: answer.status, inARow: (missing?.inARow ?? 0) + 1 };
    else {
      told.push({ day, answer });
      missing = undefined;
    }
    if (missing?.inARow === 2) break;
  }
  if (told.length === 0 && missing) throw nothingThere(missing.address, missing.status);
  return told;
}

const freshOf = (told: readonly Told[]): number => Math.min(...told.map(({ answer }) => answer.freshSeconds));

async function unchanged(
  { pool, clock }: ScheduleNeeds,
  asked: AskedSchedule,
  told: readonly Told[],
): Promise<ReadAddress> {
  const until = await findLastEnd(pool, asked.stationId);
  const aheadSeconds = until && clock.now().until(until).total('seconds');
  const news = { isNew: false, freshSeconds: freshOf(told), aheadSeconds };
  const { address, answers, digest } = asked;
  const intervalSeconds = nextInterval({ intervalSeconds: asked.intervalSeconds, ...news });
  return { reading: { address, answers, digest, intervalSeconds }, saved: undefined };
}

async function save(
  { pool, clock }: ScheduleNeeds,
  asked: AskedSchedule,
  told: readonly Told[],
): Promise<ReadAddress> {
  const texts = told.map(({ day, answer }) => ({ day, ...textOf(answer) }));
  const now = clock.now();
  const saved = await saveSchedule({ ...asked, pool, now, texts: texts.map(({ text }) => text) });
  const intervalSeconds = nextInterval({
    intervalSeconds: asked.intervalSeconds,
    isNew: saved.isNew,
    freshSeconds: freshOf(told),
    aheadSeconds: saved.rules > 0 ? undefined : now.until(saved.until).total('seconds'),
  });
  const answers = Object.fromEntries(texts.map(({ day, last }) => [day, last]));
  const [first] = texts;
  const address = isDaily(asked.address) ? asked.address : (first?.movedTo ?? asked.address);
  return { reading: { address, answers, digest: saved.digest, intervalSeconds }, saved };
}

function textOf(answer: Answer): Extract<Answer, { kind: 'text' }> {
  if (answer.kind === 'text') return answer;
  throw new ReadingError('the server says that nothing has changed to someone who has nothing');
}
