import type { Pool, PoolClient } from 'pg';
import { type NewBroadcast, addBroadcasts, listBroadcastsOfStation } from '../catalog/broadcasts.ts';
import {
  type ScheduleRuleRow,
  claimDueSchedule,
  listRules,
  setRulesUntil,
} from '../catalog/schedule-rules.ts';
import { transaction } from '../db/transaction.ts';
import { AHEAD, goOn } from '../intake/schedules/go-on.ts';

/** A schedule is extended when a day or more is missing from what it reaches ahead. */
const DUE = { hours: 24 * 21 };

/** What could not be let go on: a rule that cannot be read, or all of a station's. */
export type OnTrouble = (stationId: number, error: unknown) => void;

interface Run {
  pool: Pool;
  now: Temporal.Instant;
  onTrouble: OnTrouble;
  signal?: AbortSignal | undefined;
}

/** So many that fail have one reason, and it is not theirs. */
const MOST_FAILED = 100;

/**
 * Lets the rules of all stations go on, so that each reaches three weeks ahead; returns how many stations had to. Each
 * is a transaction of its own, and a station is nobody else's meanwhile: several may run, and one that was killed is
 * taken up by the next. A station that fails is left as it is until the next run.
 */
export async function extendSchedules(run: Run): Promise<number> {
  const failed: number[] = [];
  let stations = 0;
  while (!run.signal?.aborted && (await extendNext(run, failed))) stations += 1;
  return stations - failed.length;
}

async function extendNext({ pool, now, onTrouble }: Run, failed: number[]): Promise<boolean> {
  let stationId: number | undefined;
  try {
    return await transaction(pool, async (client) => {
      const due = await claimDueSchedule(client, now.add(DUE), failed);
      stationId = due?.stationId;
      if (due) await extendOne(client, due, now, onTrouble);
      return due !== undefined;
    });
  } catch (error) {
    if (stationId === undefined || failed.length >= MOST_FAILED) throw error;
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
  // Whatever else was read for these days knows them better than a rule.
  const there = await listBroadcastsOfStation(client, stationId, { from, until: until.add({ hours: 48 }) });
  const others = there.filter(({ starts_at: start }) => Temporal.Instant.compare(start, from) >= 0);
  const free = goingOn
    .map(({ rule: { showId }, start, end }) => ({ showId, start, end }))
    .filter((one) => !others.some((other) => meets(one, other)));
  await addBroadcasts(client, stationId, free);
  await setRulesUntil(client, stationId, until);
}

const meets = (
  { start, end }: NewBroadcast,
  { starts_at: otherStart, ends_at: otherEnd }: { starts_at: Temporal.Instant; ends_at: Temporal.Instant },
): boolean => Temporal.Instant.compare(start, otherEnd) < 0 && Temporal.Instant.compare(otherStart, end) < 0;

/** None where the row holds a start that no calendar has. */
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
