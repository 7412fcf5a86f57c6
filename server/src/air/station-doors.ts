import { ReadThrough } from '../cache/read-through.ts';
import { type BucketLimits, TokenBuckets } from '../cache/token-buckets.ts';
import { type StationKeyRow, findGivenKey, listStationKeys, noteKeyUse } from '../catalog/station-keys.ts';
import type { Queryable } from '../db/pool.ts';
import { networkOf } from '../http/admission.ts';
import type { Clock } from '../lib/clock.ts';
import { Fault } from '../lib/fault.ts';
import { guideId } from '../lib/guide-id.ts';
import type { Log } from '../lib/log.ts';
import { Refusal } from '../lib/refusal.ts';

/** Wrong keys from one address. A broadcaster with an old key sends one a song. */
const FAILURES: BucketLimits = { perSecond: 1 / 60, burst: 20 };
/** Songs of one station; jingles and their ends included. */
const SONGS: BucketLimits = { perSecond: 0.2, burst: 20 };
/** Shorter than the most impatient encoder waits. */
const HOLD_MS = 1000;
/** How long a key that was dropped may still open. */
const FRESH_MS = 5000;

export interface Knock {
  stationId: number;
  key: string;
  /** Whom a wrong key is counted against. */
  address: string;
}

export interface StationDoorsNeeds {
  db: Queryable;
  clock: Clock;
  log: Log;
  freshMs?: number | undefined;
}

/** Lets the broadcaster of a station in, by one of its keys. */
export class StationDoors {
  readonly #db: Queryable;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #keys: ReadThrough<StationKeyRow[]>;
  readonly #failures = new TokenBuckets();
  readonly #songs = new TokenBuckets();

  constructor({ db, clock, log, freshMs = FRESH_MS }: StationDoorsNeeds) {
    this.#db = db;
    this.#clock = clock;
    this.#log = log;
    this.#keys = new ReadThrough({
      load: (id) => listStationKeys(db, Number(id)),
      most: 10_000,
      freshMs,
      lateMs: freshMs,
      staleMs: 3_600_000,
    });
  }

  /** Every key is taken for a wrong one until it proves right, so that no more are looked at than may be wrong. */
  async open({ stationId, key, address }: Knock): Promise<void> {
    const network = networkOf(address);
    const wait = this.#failures.take(network, FAILURES, this.#clock.elapsedMs());
    if (wait > 0) throw tooMany('Too many wrong keys from this address', wait, HOLD_MS);
    const giveBack = (): void => this.#failures.giveBack(network, FAILURES);
    const given = findGivenKey(await this.#keysOf(stationId, giveBack), key);
    if (!given) throw wrongKey(stationId);
    giveBack();
    const pause = this.#songs.take(String(stationId), SONGS, this.#clock.elapsedMs());
    if (pause > 0) throw tooMany('Send a song when it begins, and no more often', pause);
    this.#noteUse(stationId, given);
  }

  /** Where the database is away, nobody was wrong. */
  async #keysOf(stationId: number, onAway: () => void): Promise<StationKeyRow[]> {
    try {
      return await this.#keys.get(String(stationId));
    } catch (error) {
      onAway();
      throw error;
    }
  }

  /** Nobody waits for it, and nothing depends on it. */
  #noteUse(stationId: number, { key_hash: hash }: StationKeyRow): void {
    noteKeyUse(this.#db, stationId, hash).catch((error: unknown) =>
      this.#log.debug({ err: error, station: guideId('s', stationId) }, 'the use of a key is not noted'),
    );
  }
}

const wrongKey = (stationId: number): Fault =>
  new Fault(
    401,
    'partner.keyInvalid',
    `This partnerKey does not open ${guideId('s', stationId)}; the operator makes one with: longwave station key ${guideId('s', stationId)}`,
  );

const tooMany = (what: string, waitSeconds: number, holdMs = 0): Refusal =>
  new Refusal(
    429,
    'request.tooMany',
    `${what}; wait as long as Retry-After says`,
    Math.max(1, Math.ceil(waitSeconds)),
    holdMs,
  );
