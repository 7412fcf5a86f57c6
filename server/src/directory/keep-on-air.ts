import type { Queryable } from '../db/pool.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Directory } from './directory.ts';
import { OnAirBoard } from './on-air-board.ts';
import { readAllOnAir, readChangedOnAir } from './read-on-air.ts';

export interface OnAirOptions {
  db: Queryable;
  directory: Pick<Directory, 'current' | 'onSwap'>;
  clock: Clock;
  log: Log;
}

/** How often it is looked at what has changed; a show may be told so much too long. */
const LOOK_MS = 30_000;
/** Shows begin on the minute; a clock that is a little early must not miss them. */
const AFTER_MS = 250;
/** How often all stations are looked at, though nobody said that a schedule has changed. */
const ALL_MS = 600_000;

/** Looks once, and then again and again until disposed; dispose it before the pool. */
export async function openOnAirBoard(options: OnAirOptions): Promise<OnAirKeeper> {
  const keeper = new OnAirKeeper(options);
  await keeper.look();
  keeper.start();
  return keeper;
}

/** A board that is kept new. */
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
      // A schedule that was saved moves the catalogue, as much else does.
      this.#readAllAtMs = 0;
      this.board.on(snapshot);
    });
  }

  start(): void {
    const sinceMs = this.#options.clock.now().epochMilliseconds % LOOK_MS;
    this.#timer = setTimeout(() => void (this.#looking = this.#lookAndGoOn()), LOOK_MS - sinceMs + AFTER_MS);
  }

  /** Never throws: while the database is away, the board shows what it knows until that ends. */
  async look(): Promise<void> {
    const { clock, directory } = this.#options;
    await this.#read().then(
      () => (this.#isFailing = false),
      (error: unknown) => this.#reportFailure(error),
    );
    this.board.turn(clock.now().epochMilliseconds);
    // Sorted by rank here, where nobody waits for it.
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
    // Set before, since a swap meanwhile asks for all once more.
    this.#readAllAtMs = clock.elapsedMs() + ALL_MS;
    await readAllOnAir(reading).catch((error: unknown) => {
      this.#readAllAtMs = 0;
      throw error;
    });
  }

  /** Loud once, as the directory is. */
  #reportFailure(err: unknown): void {
    if (this.#stop.signal.aborted) return;
    const level = this.#isFailing ? 'debug' : 'warn';
    this.#isFailing = true;
    this.#options.log[level]({ err }, 'what is on air could not be read; what is known stays until it ends');
  }
}
