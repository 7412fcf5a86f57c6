import type { Pool, PoolClient } from 'pg';
import { AHEAD, goOn } from '../../core/on-air/plan.ts';
import type { Clock } from '../../lib/clock.ts';
import { guideId } from '../../lib/guide-id.ts';
import type { Log } from '../../lib/log.ts';
import {
  addBroadcasts,
  listBroadcastsOfStation,
  type NewBroadcast,
  pruneBroadcasts,
} from '../../storage/catalog/schedules/broadcasts.ts';
import {
  claimDueSchedule,
  idsScheduledStations,
  listRules,
  type ScheduleRuleRow,
  setRulesUntil,
} from '../../storage/catalog/schedules/schedule-rules.ts';
import { transaction } from '../../storage/db/transaction.ts';

export interface ScheduleMaintenance {
  /** Stations whose rules were extended. */
  stations: number;
  /** Old broadcasts that were deleted. */
  pruned: number;
}

/** Daily: extends rules to three weeks ahead again, and deletes old broadcasts. */
export async function maintainSchedules(
  { pool, clock, log }: { pool: Pool; clock: Clock; log: Log },
  signal?: AbortSignal,
): Promise<ScheduleMaintenance> {
  const onTrouble = (stationId: number, error: unknown): void =>
    log.warn(
      { err: error, station: guideId('s', stationId) },
      'a rule of a schedule cannot be read and is left out; import the schedule again',
    );
  const now = clock.now();
  const stations = await extendSchedules({ pool, now, onTrouble, signal });
  return { stations, pruned: await pruneSchedules({ pool, now, signal }) };
}

/** A schedule is extended when a day or more of its three weeks is missing. */
const DUE = { hours: 24 * 21 };

/** Called for what could not be extended: a rule that cannot be read, or all rules of a station. */
type OnTrouble = (stationId: number, error: unknown) => void;

interface ExtendRun {
  pool: Pool;
  now: Temporal.Instant;
  onTrouble: OnTrouble;
  signal?: AbortSignal | undefined;
}

/** This many failures have one cause, and it is not the stations. */
const MAX_FAILED = 100;

/**
 * Extends the rules of all stations to three weeks ahead; returns how many stations needed it. Each is a transaction
 * of its own that locks the station: several workers may run, and the next takes over from one that was killed. A
 * station that fails stays as it is until the next run.
 */
export async function extendSchedules(run: ExtendRun): Promise<number> {
  const failed: number[] = [];
  let stations = 0;
  while (!run.signal?.aborted && (await extendNext(run, failed))) stations += 1;
  return stations - failed.length;
}

async function extendNext({ pool, now, onTrouble }: ExtendRun, failed: number[]): Promise<boolean> {
  let stationId: number | undefined;
  try {
    return await transaction(pool, async (client) => {
      const due = await claimDueSchedule(client, now.add(DUE), failed);
      stationId = due?.stationId;
      if (due) await extendOne(client, due, now, onTrouble);
      return due !== undefined;
    });
  } catch (error) {
    if (stationId === undefined || failed.length >= MAX_FAILED) throw error;
    onTrouble(stationId, error);
    failed.push(stationId);
    return true;
  }
}

async function extendOne(
  client: PoolClient,
  { stationId, until: known }: { stationId: number; until: Temporal.Instant },
  now: Temporal.Instant,
  onTrouble: OnTrouble,
): Promise<void> {
  const rules = await listRules(client, stationId);
  const from = Temporal.Instant.compare(known, now) > 0 ? known : now;
  const until = now.add(AHEAD);
  const readable = rules.flatMap((row) => toRule(row, (error) => onTrouble(stationId, error)));
  const goingOn = goOn(readable, from, until, (_rule, error) => onTrouble(stationId, error));
  // Any other source that was read for these days is more accurate than a rule.
  const there = await listBroadcastsOfStation(client, stationId, { from, until: until.add({ hours: 48 }) });
  const others = there.filter(({ starts_at: start }) => Temporal.Instant.compare(start, from) >= 0);
  const free = goingOn
    .map(({ rule: { showId }, start, end }) => ({ showId, start, end }))
    .filter((one) => !others.some((other) => overlaps(one, other)));
  await addBroadcasts(client, stationId, free);
  await setRulesUntil(client, stationId, until);
}

const overlaps = (
  { start, end }: NewBroadcast,
  { starts_at: otherStart, ends_at: otherEnd }: { starts_at: Temporal.Instant; ends_at: Temporal.Instant },
): boolean => Temporal.Instant.compare(start, otherEnd) < 0 && Temporal.Instant.compare(otherStart, end) < 0;

/** Undefined where the row has a start that no calendar has. */
function toRule(row: ScheduleRuleRow, onUnreadable: (error: unknown) => void) {
  try {
    return [
      {
        showId: row.show_id,
        zone: row.zone,
        start: Temporal.PlainDateTime.from(row.starts),
        lengthSeconds: row.length_seconds ?? undefined,
        recurrence: row.recurrence ?? undefined,
        except: row.except_starts,
      },
    ];
  } catch (error) {
    onUnreadable(error);
    return [];
  }
}

/** How long broadcasts are kept: a player asks for yesterday, a person for last month. */
const KEPT = { hours: 24 * 40 };
const STATION_BATCH = 100;
const ROWS_OF_EACH = 100;

interface PruneRun {
  pool: Pool;
  now: Temporal.Instant;
  signal?: AbortSignal | undefined;
}

/** Deletes old broadcasts, some thousand rows per statement; returns how many. Several may run concurrently. */
async function pruneSchedules(run: PruneRun): Promise<number> {
  let [total, after] = [0, 0];
  while (!run.signal?.aborted) {
    const stations = await idsScheduledStations(run.pool, { after, limit: STATION_BATCH });
    const last = stations.at(-1);
    if (last === undefined) break;
    after = last;
    total += await pruneSome(run, stations);
  }
  return total;
}

async function pruneSome(run: PruneRun, stations: readonly number[]): Promise<number> {
  const range = { before: run.now.subtract(KEPT), mostEach: ROWS_OF_EACH };
  let total = 0;
  for (let left = stations; left.length > 0 && !run.signal?.aborted;) {
    const { deleted, unfinished } = await pruneBroadcasts(run.pool, left, range);
    total += deleted;
    left = unfinished;
  }
  return total;
}
