import type { Clock } from '../../lib/clock.ts';
import { Fault, Refusal } from '../../lib/fault.ts';
import { guideId } from '../../lib/guide-id.ts';
import type { Log } from '../../lib/log.ts';
import { networkOf } from '../../lib/network-of.ts';
import { type BucketLimits, type ExactBuckets, OwnBuckets } from '../../lib/token-buckets.ts';
import { ReadThrough } from '../../storage/cache/read-through.ts';
import {
  findGivenKey,
  listStationKeys,
  noteKeyUse,
  type StationKeyRow,
} from '../../storage/catalog/stations/station-keys.ts';
import type { Queryable } from '../../storage/db/pool.ts';
import type { AnnounceDeps } from './announce.ts';
import type { StationSources } from './find-station.ts';

/** Wrong keys per address. A broadcaster with an old key sends one per song. */
const FAILURES: BucketLimits = { perSecond: 1 / 60, burst: 20 };
/** Songs per station, including jingles and song ends. */
const SONGS: BucketLimits = { perSecond: 0.2, burst: 20 };
/** Shorter than the shortest timeout of an encoder. */
const HOLD_MS = 1000;
/** How long a revoked key may still work. */
const FRESH_MS = 5000;

export interface KeyAttempt {
  stationId: number;
  key: string;
  /** A wrong key counts against this address. */
  address: string;
}

export interface StationKeyGuardDeps {
  db: Queryable;
  clock: Clock;
  log: Log;
  freshMs?: number | undefined;
  /** Counts over all processes. */
  buckets?: ExactBuckets | undefined;
}

/** What handling a pushed song needs. */
export interface PushDeps extends AnnounceDeps, StationSources {
  keyGuard: StationKeyGuard;
}

/** Authenticates the broadcaster of a station by one of its keys. */
export class StationKeyGuard {
  readonly #db: Queryable;
  readonly #log: Log;
  readonly #keys: ReadThrough<StationKeyRow[]>;
  readonly #buckets: ExactBuckets;

  constructor({ db, clock, log, freshMs = FRESH_MS, buckets }: StationKeyGuardDeps) {
    this.#db = db;
    this.#buckets = buckets ?? new OwnBuckets(clock);
    this.#log = log;
    this.#keys = new ReadThrough({
      load: (id) => listStationKeys(db, Number(id)),
      most: 10_000,
      freshMs,
      lateMs: freshMs,
      staleMs: 3_600_000,
    });
  }

  /** Every key counts as wrong until it proves right, so that concurrent attempts cannot exceed the limit. */
  async open({ stationId, key, address }: KeyAttempt): Promise<Pick<StationKeyRow, 'name'>> {
    if (key === '')
      throw new Fault(
        401,
        undefined,
        "Give the station's key as the Basic Auth password; any user name will do",
      );
    const network = networkOf(address);
    const attempts = [{ key: `wrong keys ${network}`, limits: FAILURES }];
    const shortage = await this.#buckets.takeAll(attempts);
    if (shortage) throw tooMany('Too many wrong keys from this address', shortage.waitSeconds, HOLD_MS);
    const giveBack = (): void => this.#buckets.giveAllBack(attempts);
    const given = findGivenKey(await this.#keysOf(stationId, giveBack), key);
    if (!given) throw wrongKey(stationId);
    giveBack();
    const pause = await this.#buckets.takeAll([{ key: `songs of station ${stationId}`, limits: SONGS }]);
    if (pause)
      throw tooMany(
        'Too many calls for this station: send each song once, when it begins',
        pause.waitSeconds,
      );
    this.#noteUse(stationId, given);
    return given;
  }

  /** While the database is unreachable, attempts do not count as wrong. */
  async #keysOf(stationId: number, onAway: () => void): Promise<StationKeyRow[]> {
    try {
      return await this.#keys.get(String(stationId));
    } catch (error) {
      onAway();
      throw error;
    }
  }

  /** In the background; nothing depends on it. */
  #noteUse(stationId: number, { key_hash: hash }: StationKeyRow): void {
    noteKeyUse(this.#db, stationId, hash).catch((error: unknown) =>
      this.#log.debug(
        { err: error, station: guideId('s', stationId) },
        'the use of a station key could not be recorded',
      ),
    );
  }
}

const wrongKey = (stationId: number): Fault =>
  new Fault(
    401,
    'partner.keyInvalid',
    `This partnerKey is not valid for ${guideId('s', stationId)}; the operator can create one with: longwave station key ${guideId('s', stationId)}`,
  );

const tooMany = (what: string, waitSeconds: number, holdMs = 0): Refusal =>
  new Refusal(
    429,
    'request.tooMany',
    `${what}; wait as long as Retry-After says`,
    Math.max(1, Math.ceil(waitSeconds)),
    holdMs,
  );
