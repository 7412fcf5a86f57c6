import type { Pool } from 'pg';
import { systemClock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { isSameState } from '../../storage/catalog/stations/version.ts';
import { adviceOn, whereOf } from '../../storage/db/pool.ts';
import { buildSnapshot, readState } from './snapshot/build-snapshot.ts';
import type { Snapshot } from './snapshot/snapshot.ts';
import { CoalescedTask, watchCatalogue } from './snapshot/watch-catalogue.ts';

export interface DirectoryOptions {
  pool: Pool;
  /** For the LISTEN connection, which needs a connection of its own outside the pool. */
  databaseUrl: string;
  log: Log;
  /** How often the version is polled even when no notification arrived. */
  pollSeconds?: number;
  /** Minimum time between two rebuilds: an import bumps the version with every batch. */
  pauseSeconds?: number;
  /** Where several processes of a machine have a directory each: builds one while none of the others builds its own. */
  inTurn?: ((build: () => Promise<Snapshot>) => Promise<Snapshot>) | undefined;
}

const atOnce = (build: () => Promise<Snapshot>): Promise<Snapshot> => build();

/** The stations, streams, genres and places in memory. */
export interface Directory extends AsyncDisposable {
  /** Use the result for one request only; the next request may get a newer snapshot. */
  current(): Snapshot;
  /** Whether the last version check reached the database. */
  isUpToDate(): boolean;
  /** When the last version check reached the database, in milliseconds since 1970. */
  checkedAtMs(): number;
  /** Calls the listener after each swap; returns a function that unsubscribes it. */
  onSwap(listener: (snapshot: Snapshot) => void): () => void;
}

/** Loads the directory and keeps it up to date until disposed; dispose it before the pool. */
export async function openDirectory(options: DirectoryOptions): Promise<Directory> {
  const { inTurn = atOnce } = options;
  const first = await inTurn(() => buildSnapshot(options.pool)).catch((error: unknown) => {
    throw explainLoadFailure(error, options.databaseUrl);
  });
  return new LiveDirectory(first, options);
}

class LiveDirectory implements Directory {
  readonly #pool: Pool;
  readonly #log: Log;
  readonly #inTurn: typeof atOnce;
  readonly #listeners = new Set<(snapshot: Snapshot) => void>();
  readonly #stop = new AbortController();
  readonly #refresh: CoalescedTask;
  readonly #poll: NodeJS.Timeout;
  readonly #watch: AsyncDisposable;
  #current: Snapshot;
  #isFailing = false;
  #checkedAtMs = Date.now();

  constructor(
    first: Snapshot,
    { pool, databaseUrl, log, pollSeconds = 5, pauseSeconds = 5, inTurn = atOnce }: DirectoryOptions,
  ) {
    this.#pool = pool;
    this.#inTurn = inTurn;
    this.#log = log;
    this.#current = first;
    this.#refresh = new CoalescedTask(() => this.#refreshIfChanged(), pauseSeconds * 1000, systemClock);
    this.#poll = setInterval(() => this.#refresh.ask(), pollSeconds * 1000);
    this.#watch = watchCatalogue({ databaseUrl, log, onChange: () => this.#refresh.ask() });
  }

  current(): Snapshot {
    return this.#current;
  }

  isUpToDate(): boolean {
    return !this.#isFailing;
  }

  checkedAtMs(): number {
    return this.#checkedAtMs;
  }

  onSwap(listener: (snapshot: Snapshot) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#poll);
    this.#stop.abort();
    await this.#watch[Symbol.asyncDispose]();
    await this.#refresh[Symbol.asyncDispose]();
  }

  /** Never throws: a stale directory is better than none. Resolves to true when it rebuilt or failed. */
  async #refreshIfChanged(): Promise<boolean> {
    try {
      // Not "newer than": a restored database can have a lower version, or the same version from another time.
      const isNew = !isSameState(await readState(this.#pool, this.#stop.signal), this.#current);
      if (isNew)
        this.#swap(await this.#inTurn(() => buildSnapshot(this.#pool, { signal: this.#stop.signal })));
      this.#isFailing = false;
      this.#checkedAtMs = Date.now();
      return isNew;
    } catch (error) {
      if (!this.#stop.signal.aborted) this.#reportFailure(error);
      return true;
    }
  }

  #swap(next: Snapshot): void {
    this.#current = next;
    const { version, streamCount, stations } = next;
    this.#log.info(
      { version, stations: stations.length, streams: streamCount },
      'the directory was reloaded',
    );
    for (const listener of this.#listeners) {
      try {
        listener(next);
      } catch (err) {
        this.#log.error({ err }, 'a directory listener failed');
      }
    }
  }

  /** Warns once per outage: an hour without the database is one log line, not seven hundred. */
  #reportFailure(err: unknown): void {
    const level = this.#isFailing ? 'debug' : 'error';
    this.#isFailing = true;
    const { version } = this.#current;
    this.#log[level]({ err, version }, 'the directory could not be reloaded; the previous one stays in use');
  }
}

/** An error that says where the first load failed and what to do about it; the details are in `cause`. */
export function explainLoadFailure(cause: unknown, databaseUrl: string): Error {
  const details = cause instanceof Error ? cause.message : String(cause);
  const advice =
    adviceOn(cause, databaseUrl) ??
    `PostgreSQL at ${whereOf(databaseUrl)}: ${details}: check that it is running, and DATABASE_URL`;
  return new Error(`The directory cannot be loaded from ${advice}. The service needs it once to start.`, {
    cause,
  });
}
