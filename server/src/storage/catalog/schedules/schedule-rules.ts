import type { Queryable } from '../../db/pool.ts';
import { type RowOf, statement } from '../../db/statement.ts';

const COLUMNS = {
  show_id: 'int8',
  zone: 'text',
  starts: 'text',
  length_seconds: 'int4?',
  recurrence: 'text?',
  except_starts: 'text[]',
} as const;

export type ScheduleRuleRow = RowOf<typeof COLUMNS>;

export const MAX_RULES = 2000;

/** Sets where a station's schedule comes from; the row stays locked, so that schedules are written one at a time. */
export const holdSchedule = statement(
  'schedule-hold',
  {},
  `INSERT INTO schedules (station_id, format, read_at) VALUES ($1, $2, $3)
   ON CONFLICT (station_id) DO UPDATE SET format = excluded.format, read_at = excluded.read_at`,
).command((stationId: number, { format, readAt }: { format: string; readAt: Temporal.Instant }) => [
  stationId,
  format,
  readAt.toString(),
]);

const clear = statement('schedule-rules-clear', {}, 'DELETE FROM schedule_rules WHERE station_id = $1');

const add = statement(
  'schedule-rules-add',
  {},
  `INSERT INTO schedule_rules (station_id, position, show_id, zone, starts, length_seconds, recurrence, except_starts)
   SELECT $1, u.position, u.show_id, u.zone, u.starts, u.length_seconds, u.recurrence, u.except_starts
   FROM jsonb_to_recordset($2::jsonb) AS u (position integer, show_id bigint, zone text, starts text,
     length_seconds integer, recurrence text, except_starts text[])`,
);

export async function replaceRules(
  client: Queryable,
  stationId: number,
  rules: readonly ScheduleRuleRow[],
): Promise<void> {
  await clear.run(client, [stationId]);
  const rows = rules.map((rule, index) => ({ ...rule, position: index + 1 }));
  await add.run(client, [stationId, JSON.stringify(rows)]);
}

/** Until when the rules have been expanded into broadcasts. */
export const setRulesUntil = statement(
  'schedule-set-until',
  {},
  'UPDATE schedules SET rules_until = $2 WHERE station_id = $1',
).command((stationId: number, until: Temporal.Instant) => [stationId, until.toString()]);

const end = statement(
  'schedule-rules-end',
  { station_id: 'int8' },
  `UPDATE schedules SET rules_until = NULL WHERE station_id = $1 AND rules_until IS NOT NULL RETURNING station_id`,
);

/** Removes all rules of a station; false when there were none. */
export async function endRules(client: Queryable, stationId: number): Promise<boolean> {
  const ended = await end.run(client, [stationId]);
  await clear.run(client, [stationId]);
  return ended.length > 0;
}

export const listRules = statement(
  'schedule-rules',
  COLUMNS,
  `SELECT ${Object.keys(COLUMNS).join(', ')} FROM schedule_rules WHERE station_id = $1
   ORDER BY position LIMIT ${MAX_RULES}`,
).all((stationId: number) => [stationId]);

const due = statement(
  'schedule-due',
  { station_id: 'int8', rules_until: 'timestamptz?' },
  `SELECT station_id, rules_until FROM schedules WHERE rules_until < $1 AND station_id <> ALL ($2::bigint[])
   ORDER BY rules_until LIMIT 1 FOR UPDATE SKIP LOCKED`,
);

/** A station whose rules end before an instant, the most urgent first; locked until the transaction ends. */
export async function claimDueSchedule(
  client: Queryable,
  before: Temporal.Instant,
  leftOut: readonly number[],
): Promise<{ stationId: number; until: Temporal.Instant } | undefined> {
  const [row] = await due.run(client, [before.toString(), leftOut]);
  return row?.rules_until ? { stationId: row.station_id, until: row.rules_until } : undefined;
}

/** The stations that ever had a schedule, in order, page by page. */
export const idsScheduledStations = statement(
  'schedule-stations-after',
  { station_id: 'int8' },
  'SELECT station_id FROM schedules WHERE station_id > $1 ORDER BY station_id LIMIT $2',
).values(({ after, limit }: { after: number; limit: number }) => [after, limit]);
