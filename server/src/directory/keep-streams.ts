import { inTime } from '../cache/in-time.ts';
import type { Queryable } from '../db/pool.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { pause } from '../lib/pause.ts';
import type { Directory } from './directory.ts';
import { CHANGED_BATCH, streamsChanged } from './queries.ts';
import { SharedTexts } from './shared-values.ts';
import { StreamBoard } from './stream-board.ts';
import { streamOf } from './stream-of.ts';

export interface StreamNewsOptions {
  db: Queryable;
  directory: Pick<Directory, 'onSwap'>;
  clock: Clock;
  log: Log;
  lookMs?: number;
}

/** A stream that three listeners complained of must not be first ten seconds later. */
const LOOK_MS = 2000;
/** A row is seen when its transaction has ended, which may be so much later than the time it bears. */
const OVERLAP_MS = 10_000;
/** Longer than a directory takes to be read. */
const READ_MS = 120_000;
const DEADLINE_MS = 5000;

/** A board that is kept new until disposed; dispose it before the pool. */
export class StreamNews implements AsyncDisposable {
  readonly board = new StreamBoard();
  readonly #options: StreamNewsOptions;
  readonly #stop = new AbortController();
  readonly #endSwaps: () => void;
  readonly #running: Promise<void>;
  #since: Temporal.Instant;
  #isFailing = false;

  constructor(options: StreamNewsOptions) {
    this.#options = options;
    const { clock, directory } = options;
    const nowMs = (): number => clock.now().epochMilliseconds;
    this.#since = clock.now().subtract({ milliseconds: READ_MS });
    this.#endSwaps = directory.onSwap(() => this.board.forgetBefore(nowMs() - READ_MS));
    this.#running = this.#run();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#endSwaps();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { log, lookMs = LOOK_MS } = this.#options;
    while (!this.#stop.signal.aborted) {
      try {
        await this.#look();
        this.#isFailing = false;
      } catch (err) {
        log[this.#isFailing ? 'debug' : 'warn'](
          { err },
          'news of streams could not be read; what is known stays',
        );
        this.#isFailing = true;
      }
      await pause(lookMs, this.#stop.signal);
    }
  }

  /** From a little before the newest row of the last time, until there are no more. */
  async #look(): Promise<void> {
    const { db, clock } = this.#options;
    let after: Place = { at: this.#since.subtract({ milliseconds: OVERLAP_MS }), id: 0 };
    let rows;
    do {
      rows = await inTime(streamsChanged.run(db, [after.at.toString(), after.id]), DEADLINE_MS);
      const texts = new SharedTexts();
      const nowMs = clock.now().epochMilliseconds;
      for (const row of rows) this.board.learn(streamOf(row, texts, nowMs), nowMs);
      for (const { changed_at: at, id } of rows) if (at) after = later(after, { at, id });
      if (Temporal.Instant.compare(after.at, this.#since) > 0) this.#since = after.at;
    } while (rows.length === CHANGED_BATCH && !this.#stop.signal.aborted);
  }
}

interface Place {
  at: Temporal.Instant;
  id: number;
}

function later(one: Place, other: Place): Place {
  const order = Temporal.Instant.compare(one.at, other.at) || one.id - other.id;
  return order < 0 ? other : one;
}
