import type { Pool, PoolClient } from 'pg';
import { type NewBroadcast, addBroadcasts, listBroadcastsOfStation } from '../../catalog/broadcasts.ts';
import {
  type ScheduleRuleRow,
  claimDueSchedule,
  listRules,
  setRulesUntil,
} from '../../catalog/schedule-rules.ts';
import { transaction } from '../../db/transaction.ts';
import { AHEAD, goOn } from './go-on.ts';

/** A schedule is extended when a day or more is missing from what it reaches ahead. */
const DUE = { hours: 24 * 21 };

/** Lets the rules of all stations go on, so that each reaches three weeks ahead; returns how many stations had to. */
export async function extendSchedules(pool: Pool, now: Temporal.Instant): Promise<number> {
  for (let stations = 0; ; stations += 1)
    if (!(await transaction(pool, (client) => extendOne(client, now)))) return stations;
}

async function extendOne(client: PoolClient, now: Temporal.Instant): Promise<boolean> {
  const due = await claimDueSchedule(client, now.add(DUE));
  if (!due) return false;
  const { stationId } = due;
  const rules = (await listRules(client, stationId)).map(toRule);
  const from = Temporal.Instant.compare(due.until, now) > 0 ? due.until : now;
  const until = now.add(AHEAD);
  const goingOn = goOn(rules, from, until).map(({ rule, start, end }) => ({
    showId: rule.showId,
    start,
    end,
  }));
  // Whatever else was read for these days knows them better than a rule.
  const there = await listBroadcastsOfStation(client, stationId, { from, until: until.add({ hours: 48 }) });
  const others = there.filter(({ starts_at: start }) => Temporal.Instant.compare(start, from) >= 0);
  const free = goingOn.filter((one) => !others.some((other) => meets(one, other)));
  await addBroadcasts(client, stationId, free);
  await setRulesUntil(client, stationId, until);
  return true;
}

const meets = (
  { start, end }: NewBroadcast,
  { starts_at: otherStart, ends_at: otherEnd }: { starts_at: Temporal.Instant; ends_at: Temporal.Instant },
): boolean => Temporal.Instant.compare(start, otherEnd) < 0 && Temporal.Instant.compare(otherStart, end) < 0;

const toRule = (row: ScheduleRuleRow) => ({
  showId: row.show_id,
  zone: row.zone,
  start: Temporal.PlainDateTime.from(row.starts),
  lengthSeconds: row.length_seconds ?? undefined,
  recurrence: row.recurrence ?? undefined,
  except: row.except_starts,
});
