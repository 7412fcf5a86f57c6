import type { Clock } from '../../../lib/clock.ts';
import type { Log } from '../../../lib/log.ts';
import { inTime } from '../../../storage/cache/in-time.ts';
import {
  type AirTimeRow,
  idsOfScheduledStations,
  listAirTimes,
} from '../../../storage/catalog/schedules/on-air.ts';
import type { Queryable } from '../../../storage/db/pool.ts';
import type { Directory } from '../directory.ts';
import { type AirTime, MAX_SCHEDULED, OnAirBoard } from './on-air-board.ts';

interface OnAirOptions {
  db: Queryable;
  directory: Pick<Directory, 'current' | 'onSwap'>;
  clock: Clock;
  log: Log;
}

/** How often changes are read; a show may be displayed this much too long. */
const LOOK_MS = 30_000;
/** Shows begin on the minute; a clock that runs slightly early must not miss them. */
const AFTER_MS = 250;
/** How often all stations are read again, even without a notification that a schedule changed. */
const ALL_MS = 600_000;

/** Reads the board once, then keeps it up to date until disposed; dispose it before the pool. */
export async function openOnAirBoard(options: OnAirOptions): Promise<OnAirKeeper> {
  const keeper = new OnAirKeeper(options);
  await keeper.look();
  keeper.start();
  return keeper;
}

/** Keeps an on-air board up to date. */
export class OnAirKeeper implements AsyncDisposable {
  readonly board = new OnAirBoard();
  readonly #options: OnAirOptions;
  readonly #stop = new AbortController();
  readonly #endSwaps: () => void;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #readAllAtMs = 0;
  #isFailing = false;

  constructor(options: OnAirOptions) {
    this.#options = options;
    this.#endSwaps = options.directory.onSwap((snapshot) => {
      // Saving a schedule bumps the catalogue version, but so do many other changes.
      this.#readAllAtMs = 0;
      this.board.on(snapshot);
    });
  }

  start(): void {
    const sinceMs = this.#options.clock.now().epochMilliseconds % LOOK_MS;
    this.#timer = setTimeout(() => void (this.#looking = this.#lookAndGoOn()), LOOK_MS - sinceMs + AFTER_MS);
  }

  /** Never throws: while the database is unreachable, the board shows each known show until it ends. */
  async look(): Promise<void> {
    const { clock, directory } = this.#options;
    await this.#read().then(
      () => (this.#isFailing = false),
      (error: unknown) => this.#reportFailure(error),
    );
    this.board.turn(clock.now().epochMilliseconds);
    // Sorts by rank here, in the background, so that no request has to.
    this.board.on(directory.current());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#endSwaps();
    clearTimeout(this.#timer);
    await this.#looking;
  }

  async #lookAndGoOn(): Promise<void> {
    await this.look();
    if (!this.#stop.signal.aborted) this.start();
  }

  async #read(): Promise<void> {
    const { db, clock } = this.#options;
    const reading = { db, clock, board: this.board, signal: this.#stop.signal };
    if (clock.elapsedMs() < this.#readAllAtMs) return readChangedOnAir(reading);
    // Set before reading, since a swap during the read requests a full read again.
    this.#readAllAtMs = clock.elapsedMs() + ALL_MS;
    await readAllOnAir(reading).catch((error: unknown) => {
      this.#readAllAtMs = 0;
      throw error;
    });
  }

  /** Warns once per outage, as the directory does. */
  #reportFailure(err: unknown): void {
    if (this.#stop.signal.aborted) return;
    const level = this.#isFailing ? 'debug' : 'warn';
    this.#isFailing = true;
    this.#options.log[level]({ err }, 'shows on air could not be read; known shows stay until they end');
  }
}

interface OnAirReading {
  db: Queryable;
  clock: Clock;
  board: OnAirBoard;
  signal: AbortSignal;
}

/** Stations per query, which then takes a few milliseconds. */
const BATCH = 500;
/** No caller waits for this; longer than the database's own statement timeout, so that no query is sent twice. */
const DEADLINE_MS = 5000;

/** Reads what every station with a schedule has on air. Batches read before a failure are kept. */
async function readAllOnAir(reading: OnAirReading): Promise<void> {
  const found = new Set<number>();
  let after = 0;
  let ids: number[];
  do {
    ids = await inTime(() => idsOfScheduledStations(reading.db, { after, limit: BATCH }), DEADLINE_MS);
    await readOnAir(reading, ids);
    for (const id of ids) found.add(id);
    after = ids.at(-1) ?? after;
  } while (ids.length === BATCH && found.size < MAX_SCHEDULED);
  reading.board.keepOnly(found);
}

/** Reads only the stations whose current entry has run out. */
async function readChangedOnAir(reading: OnAirReading): Promise<void> {
  const ids = reading.board.idsOfChanged(reading.clock.now().epochMilliseconds);
  for (let at = 0; at < ids.length; at += BATCH) await readOnAir(reading, ids.slice(at, at + BATCH));
}

async function readOnAir({ db, clock, board, signal }: OnAirReading, ids: readonly number[]): Promise<void> {
  signal.throwIfAborted();
  if (ids.length === 0) return;
  const rows = await inTime(() => listAirTimes(db, ids, clock.now()), DEADLINE_MS);
  board.learn(rows.map(toAirTime));
}

const NEVER = Number.POSITIVE_INFINITY;

function toAirTime(row: AirTimeRow): AirTime {
  const { station_id: stationId, show_id: showId, title, ends_at: ends, next_at: next } = row;
  const endsMs = ends?.epochMilliseconds ?? NEVER;
  const show = showId === null || title === null ? undefined : { showId, showTitle: title };
  return { stationId, show, endsMs, changesMs: Math.min(endsMs, next?.epochMilliseconds ?? NEVER) };
}
