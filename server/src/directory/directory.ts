import type { Pool } from 'pg';
import { isSameState } from '../catalog/version.ts';
import { systemClock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { buildSnapshot, readState } from './build-snapshot.ts';
import { explainLoadFailure } from './load-failure.ts';
import { Paced } from './paced.ts';
import type { Snapshot } from './snapshot.ts';
import { watchCatalogue } from './watch-catalogue.ts';

export interface DirectoryOptions {
  pool: Pool;
  /** For the connection that listens, which no pool can lend. */
  databaseUrl: string;
  log: Log;
  /** How often the version is looked at although nothing was heard. */
  pollSeconds?: number;
  /** The least time between two rebuilds: an import moves the version with every batch. */
  pauseSeconds?: number;
}

/** The stations, streams, genres and places in memory. */
export interface Directory extends AsyncDisposable {
  /** Hold on to the answer for one request, no longer: the next one may be newer. */
  current(): Snapshot;
  /** Whether the database could be asked for news the last time it was. */
  isKeptNew(): boolean;
  /** Calls back after each swap; the answer ends that. */
  onSwap(listener: (snapshot: Snapshot) => void): () => void;
}

/** Loads the directory and keeps it new until disposed; dispose it before the pool. */
export async function openDirectory(options: DirectoryOptions): Promise<Directory> {
  const first = await buildSnapshot(options.pool).catch((error: unknown) => {
    throw explainLoadFailure(error, options.databaseUrl);
  });
  return new LiveDirectory(first, options);
}

class LiveDirectory implements Directory {
  readonly #pool: Pool;
  readonly #log: Log;
  readonly #listeners = new Set<(snapshot: Snapshot) => void>();
  readonly #stop = new AbortController();
  readonly #refresh: Paced;
  readonly #poll: NodeJS.Timeout;
  readonly #watch: AsyncDisposable;
  #current: Snapshot;
  #isFailing = false;

  constructor(
    first: Snapshot,
    { pool, databaseUrl, log, pollSeconds = 5, pauseSeconds = 5 }: DirectoryOptions,
  ) {
    this.#pool = pool;
    this.#log = log;
    this.#current = first;
    this.#refresh = new Paced(() => this.#lookAgain(), pauseSeconds * 1000, systemClock);
    this.#poll = setInterval(() => this.#refresh.ask(), pollSeconds * 1000);
    this.#watch = watchCatalogue({ databaseUrl, log, onChange: () => this.#refresh.ask() });
  }

  current(): Snapshot {
    return this.#current;
  }

  isKeptNew(): boolean {
    return !this.#isFailing;
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

  /** Never throws: a directory that is old is better than none. Tells whether it built or failed. */
  async #lookAgain(): Promise<boolean> {
    try {
      // Not "newer than": a restored database has a lower version, or the same of another time.
      const isNew = !isSameState(await readState(this.#pool, this.#stop.signal), this.#current);
      if (isNew) this.#swap(await buildSnapshot(this.#pool, { signal: this.#stop.signal }));
      this.#isFailing = false;
      return isNew;
    } catch (error) {
      if (!this.#stop.signal.aborted) this.#reportFailure(error);
      return true;
    }
  }

  #swap(next: Snapshot): void {
    this.#current = next;
    const { version, streamCount, stations } = next;
    this.#log.info({ version, stations: stations.length, streams: streamCount }, 'the directory was swapped');
    for (const listener of this.#listeners) {
      try {
        listener(next);
      } catch (err) {
        this.#log.error({ err }, 'a listener to the directory failed');
      }
    }
  }

  /** Loud once; an hour without the database is one line in the log, not seven hundred. */
  #reportFailure(err: unknown): void {
    const level = this.#isFailing ? 'debug' : 'error';
    this.#isFailing = true;
    const { version } = this.#current;
    this.#log[level]({ err, version }, 'the directory could not be renewed; the last one stays in use');
  }
}
