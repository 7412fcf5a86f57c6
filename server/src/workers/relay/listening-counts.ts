import type { Log } from '../../lib/log.ts';
import {
  addListening,
  forgetListening,
  type Listening,
} from '../../storage/catalog/streams/relay-listening.ts';
import type { Queryable } from '../../storage/db/pool.ts';

const WRITE_EVERY_MS = 60_000;
/** Every count is caught up with each time they are written; where more than this has passed, the clock was set, or the machine slept. */
const MAX_SINCE_MS = 2 * WRITE_EVERY_MS;
const FORGET_EVERY_MS = 86_400_000;
/** Stations and countries that are counted between two writes; what is heard beyond is not. */
const MAX_COUNTED = 20_000;
/** Rows of one statement. */
const BATCH = 1000;

export interface ListeningCountsOptions {
  db: Queryable;
  log: Log;
  countryOf: (address: string) => string | undefined;
  /** In milliseconds since 1970. */
  now?: () => number;
}

/** Of a station in one country. */
interface Count {
  stationId: number;
  country: string;
  sessions: number;
  listenedMs: number;
  /** Who listens now, and up to when that was counted. */
  listeners: number;
  untilMs: number;
}

/**
 * How often and how long stations are heard, for the stations themselves. Counted in memory, written once a minute and never
 * on a listener's way; while the database is away it goes on counting.
 */
export class ListeningCounts implements AsyncDisposable {
  readonly #options: ListeningCountsOptions;
  readonly #counts = new Map<string, Count>();
  readonly #timers = new DisposableStack();

  constructor(options: ListeningCountsOptions) {
    this.#options = options;
    this.#timers.use(setInterval(() => void this.write(), WRITE_EVERY_MS).unref());
    this.#timers.use(setInterval(() => void this.#forget(), FORGET_EVERY_MS).unref());
    void this.#forget();
  }

  /** A listener until it is disposed of; one that another process has begun with is no other session. */
  begin(stationId: number, address: string, isNew = true): Disposable {
    const country = this.#options.countryOf(address) ?? '';
    const key = `${stationId} ${country}`;
    const known = this.#counts.get(key);
    if (!known && this.#counts.size >= MAX_COUNTED) return { [Symbol.dispose]: () => undefined };
    const fresh = { stationId, country, sessions: 0, listenedMs: 0, listeners: 0, untilMs: 0 };
    const count = known ?? fresh;
    this.#counts.set(key, count);
    this.#catchUp(count);
    count.sessions += Number(isNew);
    count.listeners += 1;
    return {
      [Symbol.dispose]: () => {
        this.#catchUp(count);
        count.listeners -= 1;
      },
    };
  }

  async write(): Promise<void> {
    const { db, log } = this.#options;
    const day = new Date(this.#now()).toISOString().slice(0, 10);
    for (const count of this.#counts.values()) this.#catchUp(count);
    const counts = [...this.#counts.values()];
    for (let at = 0; at < counts.length; at += BATCH) {
      const batch = counts.slice(at, at + BATCH).map((count) => ({ count, heard: takeFrom(count, day) }));
      try {
        await addListening(
          db,
          batch.map(({ heard }) => heard).filter(({ sessions, seconds }) => sessions + seconds > 0),
        );
      } catch (error) {
        for (const { count, heard } of batch) giveBack(count, heard);
        log.warn({ err: String(error) }, 'what was heard could not be written down; it is kept until it can');
      }
    }
    for (const [key, { listeners, sessions, listenedMs }] of this.#counts)
      if (listeners + sessions === 0 && listenedMs < 1000) this.#counts.delete(key);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#timers[Symbol.dispose]();
    await this.write();
  }

  async #forget(): Promise<void> {
    const { db, log } = this.#options;
    await forgetListening(db).catch((error: unknown) =>
      log.warn(
        { err: String(error) },
        'old numbers of listeners could not be deleted; trying again tomorrow',
      ),
    );
  }

  #catchUp(count: Count): void {
    const nowMs = this.#now();
    // A clock that is set back takes nothing away, and one that is set forward adds next to nothing.
    count.listenedMs += count.listeners * Math.min(Math.max(0, nowMs - count.untilMs), MAX_SINCE_MS);
    count.untilMs = nowMs;
  }

  #now(): number {
    return this.#options.now?.() ?? Date.now();
  }
}

/** What is to be written; parts of a second stay. */
function takeFrom(count: Count, day: string): Listening {
  const { stationId, country, sessions } = count;
  const seconds = Math.floor(count.listenedMs / 1000);
  count.sessions = 0;
  count.listenedMs -= seconds * 1000;
  return { stationId, country, day, sessions, seconds };
}

function giveBack(count: Count, { sessions, seconds }: Listening): void {
  count.sessions += sessions;
  count.listenedMs += seconds * 1000;
}
