import type { Pool } from 'pg';
import type { DirectoryStation } from '../../core/directory/snapshot/snapshot.ts';
import type { Clock } from '../../lib/clock.ts';
import { Fault } from '../../lib/fault.ts';
import { networkOf } from '../../lib/network-of.ts';
import { saveInTime, WRITE_MS } from '../../storage/cache/in-time.ts';
import { statement } from '../../storage/db/statement.ts';
import { transaction } from '../../storage/db/transaction.ts';

/** Imports write votes anew from what sources say, unless they are pinned: what listeners said here is not taken back. */
const addVote = statement(
  'radio-browser-vote',
  { votes: 'int4' },
  `UPDATE stations SET votes = least(votes, 2147483646) + 1,
     pinned = ARRAY (SELECT DISTINCT unnest(pinned || '{votes}') ORDER BY 1)
   WHERE id = $1 AND listed RETURNING votes`,
);

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface Counted {
  votes: number;
  clicks: number;
  /** Milliseconds since 1970; undefined where nobody clicked here within a day. */
  clickedMs: number | undefined;
}

/**
 * Votes and clicks that come by this API. Each address has one of each for a station a day. A vote is saved at once. Clicks are
 * those of one day in this API, and so are what is counted here: they are kept in memory, beside what sources say.
 */
export class Counts {
  readonly #pool: Pool;
  readonly #clock: Clock;
  readonly #voted: DayMemory;
  readonly #clicked: DayMemory;
  /** As the database said last, for what the directory in memory does not know yet; never more than there are stations. */
  readonly #votes = new Map<number, number>();

  constructor(pool: Pool, clock: Clock) {
    this.#pool = pool;
    this.#clock = clock;
    this.#voted = new DayMemory(clock);
    this.#clicked = new DayMemory(clock);
  }

  /** Whether it counts; false for an address that voted for the station within a day. Throws where it could not be saved. */
  async vote(address: string, stationId: number): Promise<boolean> {
    if (!this.#voted.add(address, stationId)) return false;
    try {
      const add = () => transaction(this.#pool, (client) => addVote.run(client, [stationId]));
      const [row] = await saveInTime(add, WRITE_MS);
      if (!row)
        throw new Fault(404, undefined, 'This station was taken out of the directory; search for another');
      this.#votes.set(stationId, row.votes);
    } catch (error) {
      // Where it is not known whether it was saved, a second try must not make it two.
      if (!(error instanceof Fault) || error.status !== 504) this.#voted.forget(address, stationId);
      throw error;
    }
    return true;
  }

  click(address: string, stationId: number): void {
    this.#clicked.add(address, stationId);
  }

  of({ id, votes, clicks }: DirectoryStation): Counted {
    const { count, lastMs } = this.#clicked.of(id);
    // Votes that were given here never fall, so the higher count is the newer one.
    return { votes: Math.max(votes, this.#votes.get(id) ?? 0), clicks: clicks + count, clickedMs: lastMs };
  }

  /** How many were made here. */
  clicksWithin(hours: number): number {
    return this.#clicked.countSince(this.#clock.elapsedMs() - hours * HOUR_MS);
  }
}

/** More than come in a day to a large directory; beyond that the oldest are forgotten and may count again. */
const MAX_REMEMBERED = 100_000;

interface Entry {
  stationId: number;
  atMs: number;
}

/** Who did something to which station within a day. */
class DayMemory {
  readonly #clock: Clock;
  /** The oldest first. */
  readonly #entries = new Map<string, Entry>();
  readonly #ofStations = new Map<number, { count: number; lastMs: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** False for what was done already. */
  add(address: string, stationId: number): boolean {
    this.#forgetOld(MAX_REMEMBERED - 1);
    const key = keyOf(address, stationId);
    if (this.#entries.has(key)) return false;
    this.#entries.set(key, { stationId, atMs: this.#clock.elapsedMs() });
    const { count } = this.of(stationId);
    this.#ofStations.set(stationId, { count: count + 1, lastMs: this.#clock.epochMs() });
    return true;
  }

  forget(address: string, stationId: number): void {
    this.#drop(keyOf(address, stationId));
  }

  of(stationId: number): { count: number; lastMs: number | undefined } {
    this.#forgetOld(MAX_REMEMBERED);
    return this.#ofStations.get(stationId) ?? { count: 0, lastMs: undefined };
  }

  countSince(timeMs: number): number {
    let count = 0;
    for (const { atMs } of this.#entries.values()) if (atMs > timeMs) count += 1;
    return count;
  }

  #forgetOld(most: number): void {
    const oldestMs = this.#clock.elapsedMs() - DAY_MS;
    for (const [key, { atMs }] of this.#entries) {
      if (atMs > oldestMs && this.#entries.size <= most) return;
      this.#drop(key);
    }
  }

  #drop(key: string): void {
    const entry = this.#entries.get(key);
    const counted = entry && this.#ofStations.get(entry.stationId);
    if (!entry || !counted) return;
    this.#entries.delete(key);
    if (counted.count > 1) this.#ofStations.set(entry.stationId, { ...counted, count: counted.count - 1 });
    else this.#ofStations.delete(entry.stationId);
  }
}

const keyOf = (address: string, stationId: number): string => `${networkOf(address)} ${stationId}`;
