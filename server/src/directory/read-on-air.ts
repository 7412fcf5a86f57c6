import { inTime } from '../cache/in-time.ts';
import { type AirTimeRow, idsOfScheduledStations, listAirTimes } from '../catalog/air-times.ts';
import type { Queryable } from '../db/pool.ts';
import type { Clock } from '../lib/clock.ts';
import { type AirTime, MOST_SCHEDULED, type OnAirBoard } from './on-air-board.ts';

export interface OnAirReading {
  db: Queryable;
  clock: Clock;
  board: OnAirBoard;
  signal: AbortSignal;
}

/** Stations in one question, which then takes some milliseconds. */
const BATCH = 500;
/** No caller waits for it; longer than the database may take for a question, so that it is asked for nothing twice. */
const DEADLINE_MS = 5000;

/** Reads what all stations with a schedule have on air. What was learned before a failure stays learned. */
export async function readAllOnAir(reading: OnAirReading): Promise<void> {
  const found = new Set<number>();
  let after = 0;
  let ids: number[];
  do {
    ids = await inTime(idsOfScheduledStations(reading.db, { after, limit: BATCH }), DEADLINE_MS);
    await readOnAir(reading, ids);
    for (const id of ids) found.add(id);
    after = ids.at(-1) ?? after;
  } while (ids.length === BATCH && found.size < MOST_SCHEDULED);
  reading.board.keepOnly(found);
}

/** Reads it of those of which it is known that something else is on by now. */
export async function readChangedOnAir(reading: OnAirReading): Promise<void> {
  const ids = reading.board.idsOfChanged(reading.clock.now().epochMilliseconds);
  for (let at = 0; at < ids.length; at += BATCH) await readOnAir(reading, ids.slice(at, at + BATCH));
}

async function readOnAir({ db, clock, board, signal }: OnAirReading, ids: readonly number[]): Promise<void> {
  signal.throwIfAborted();
  if (ids.length === 0) return;
  const rows = await inTime(listAirTimes(db, ids, clock.now()), DEADLINE_MS);
  board.learn(rows.map(toAirTime));
}

const NEVER = Number.POSITIVE_INFINITY;

function toAirTime(row: AirTimeRow): AirTime {
  const { station_id: stationId, show_id: showId, title, ends_at: ends, next_at: next } = row;
  const endsMs = ends?.epochMilliseconds ?? NEVER;
  const show = showId === null || title === null ? undefined : { showId, showTitle: title };
  return { stationId, show, endsMs, changesMs: Math.min(endsMs, next?.epochMilliseconds ?? NEVER) };
}
