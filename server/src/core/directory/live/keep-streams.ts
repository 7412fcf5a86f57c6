import { type Clock, pause } from '../../../lib/clock.ts';
import type { Log } from '../../../lib/log.ts';
import { inTime } from '../../../storage/cache/in-time.ts';
import type { Queryable } from '../../../storage/db/pool.ts';
import type { Directory } from '../directory.ts';
import { CHANGED_BATCH, streamsChanged } from '../snapshot/queries.ts';
import { streamOf } from '../snapshot/read-stations.ts';
import type { DirectoryStream } from '../snapshot/snapshot.ts';
import { SharedTexts } from '../snapshot/station-draft.ts';

interface StreamNewsOptions {
  db: Queryable;
  directory: Pick<Directory, 'onSwap'>;
  clock: Clock;
  log: Log;
  lookMs?: number;
}

/** A stream that three listeners complained about must not be listed first ten seconds later. */
const LOOK_MS = 2000;
/** A row becomes visible when its transaction commits, which may be this much later than its timestamp. */
const OVERLAP_MS = 10_000;
/** Longer than loading a directory takes. */
const READ_MS = 120_000;
const DEADLINE_MS = 5000;

/** Keeps a stream board up to date until disposed; dispose it before the pool. */
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
          'stream changes could not be read; the last known state stays in use',
        );
        this.#isFailing = true;
      }
      await pause(lookMs, this.#stop.signal);
    }
  }

  /** Reads from a little before the newest row of the last read, until there are no more rows. */
  async #look(): Promise<void> {
    const { db, clock } = this.#options;
    let after: Place = { at: this.#since.subtract({ milliseconds: OVERLAP_MS }), id: 0 };
    let rows;
    do {
      rows = await inTime(() => streamsChanged.run(db, [after.at.toString(), after.id]), DEADLINE_MS);
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

/** More streams than change between two swaps; changes beyond this wait for the next swap. */
const MAX_CHANGES = 200_000;

/**
 * Check results newer than the directory: it is reloaded only now and then, but a stream that fell silent should not be
 * listed first until then.
 */
export class StreamBoard {
  readonly #changes = new Map<number, { stream: DirectoryStream; learntMs: number }>();

  /** The stream with the latest check result. */
  latest(stream: DirectoryStream): DirectoryStream {
    return this.#changes.get(stream.id)?.stream ?? stream;
  }

  learn(stream: DirectoryStream, nowMs: number): void {
    if (this.#changes.size < MAX_CHANGES || this.#changes.has(stream.id))
      this.#changes.set(stream.id, { stream, learntMs: nowMs });
  }

  /** Drops entries that a directory loaded since then already contains. */
  forgetBefore(timeMs: number): void {
    for (const [id, { learntMs }] of this.#changes) if (learntMs < timeMs) this.#changes.delete(id);
  }

  get size(): number {
    return this.#changes.size;
  }
}
