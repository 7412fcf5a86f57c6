import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../lib/clock.ts';
import { Refusal } from '../../../lib/fault.ts';
import { type BucketLimits, type ExactBuckets, OwnBuckets } from '../../../lib/token-buckets.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

const budget = (count: number, seconds: number): BucketLimits => ({
  perSecond: count / seconds,
  burst: count,
});

/** How many wrong passwords are allowed. */
export const FAILURES = {
  /** Per name, from networks that its owner signed in from: attempts from elsewhere do not use these up. */
  known: budget(10, 15 * MINUTE),
  /** Per name, from all other networks together. */
  strangers: budget(10, HOUR),
  /** Per address, whatever names it tries. */
  address: budget(30, HOUR),
  /** Different names per address. */
  names: budget(10, HOUR),
} as const;

export type FailureLimits = Readonly<Record<keyof typeof FAILURES, BucketLimits>>;

export interface Attempt {
  /** In lower case; treated the same whether the name exists or not. */
  name: string;
  address: string;
  network: string;
}

/** A name that an address already tried within the hour does not count again. */
const MAX_TRIED = 100_000;

/** As long as a dozen hashes take on a small machine, and within a radio's timeout. */
const WAIT_MS = 2000;

/** Shorter than the shortest timeout of a radio. */
const HOLD_MS = 1000;

interface Taken {
  kind: keyof FailureLimits;
  key: string;
}

/** An attempt in progress. */
export interface Attempted {
  /** Only a wrong password counts. */
  settle: (isWrong: boolean) => void;
}

export interface LoginLimitsOptions {
  /** How long an attempt waits for other attempts in progress. */
  waitMs?: number | undefined;
  /** Those of all processes, where there are several. */
  buckets?: ExactBuckets | undefined;
}

/**
 * Counts wrong passwords. An attempt counts as wrong until it proves right, so that concurrent attempts are no more
 * guesses than sequential ones; an attempt that finds the limit used up by pending ones waits for their result.
 */
export class LoginLimits {
  readonly #limits: FailureLimits;
  readonly #waitMs: number;
  readonly #buckets: ExactBuckets;
  readonly #underWay = new UnderWay();
  readonly #tried: LRUCache<string, true>;

  constructor(
    clock: Clock,
    limits: FailureLimits = FAILURES,
    { waitMs = WAIT_MS, buckets = new OwnBuckets(clock) }: LoginLimitsOptions = {},
  ) {
    this.#limits = limits;
    this.#waitMs = waitMs;
    this.#buckets = buckets;
    this.#tried = new LRUCache({ max: MAX_TRIED, ttl: HOUR * 1000, ttlResolution: 0, perf: perfOf(clock) });
  }

  /** Admits an attempt from an address; returns the refusal when that address was wrong too often. */
  async takeOfAddress({ name, address }: Attempt): Promise<Attempted | Refusal> {
    const pair = `${address} ${name}`;
    const isNew = (): boolean => !this.#tried.has(pair);
    const taken = await this.#take(() => [
      { kind: 'address', key: address },
      ...(isNew() ? [{ kind: 'names', key: address } as const] : []),
    ]);
    if (taken instanceof Refusal) return taken;
    const wasNew = isNew();
    this.#tried.set(pair, true);
    return {
      settle: (isWrong) => {
        if (!isWrong && wasNew) this.#tried.delete(pair);
        taken.settle(isWrong);
      },
    };
  }

  /** The same for the name. */
  takeOfName({ name, network }: Attempt, isKnown: boolean): Promise<Attempted | Refusal> {
    const wanted: Taken[] = [
      isKnown ? { kind: 'known', key: `${network} ${name}` } : { kind: 'strangers', key: name },
    ];
    return this.#take(() => wanted);
  }

  async #take(wantedNow: () => readonly Taken[]): Promise<Attempted | Refusal> {
    const untilMs = performance.now() + this.#waitMs;
    for (;;) {
      const wanted = wantedNow();
      const asked = this.#buckets.takeAll(wanted.map((one) => this.#claimOf(one)));
      const shortage = asked instanceof Promise ? await asked : asked;
      const missing = shortage && wanted[shortage.index];
      if (!missing) return this.#begun(wanted);
      if (!(await this.#underWay.oneEnds(idOf(missing), untilMs))) return tooMany(shortage.waitSeconds);
    }
  }

  #begun(wanted: readonly Taken[]): Attempted {
    const ids = wanted.map(idOf);
    this.#underWay.begin(ids);
    return {
      settle: (isWrong) => {
        if (!isWrong) this.#giveBack(wanted);
        this.#underWay.end(ids);
      },
    };
  }

  #giveBack(taken: readonly Taken[]): void {
    this.#buckets.giveAllBack(taken.map((one) => this.#claimOf(one)));
  }

  #claimOf(taken: Taken): { key: string; limits: BucketLimits } {
    return { key: idOf(taken), limits: this.#limits[taken.kind] };
  }
}

const idOf = ({ kind, key }: Taken): string => `${kind} ${key}`;

/** For the LRU cache, which treats the time 0 as unset. */
export const perfOf = (clock: Clock): { now: () => number } => ({ now: () => 1 + clock.elapsedMs() });

/** The same text whichever limit was reached, so that it reveals nothing about the name. */
const tooMany = (waitSeconds: number): Refusal =>
  new Refusal(
    429,
    'request.tooMany',
    'Too many wrong passwords; wait as long as Retry-After says',
    Math.max(1, Math.ceil(waitSeconds)),
    HOLD_MS,
  );

/** Attempts waiting for one id; further ones are refused immediately. */
const MAX_WAITING = 50;

interface Ongoing {
  count: number;
  readonly waiting: Set<(hasEnded: boolean) => void>;
}

/** Operations in progress by id, and the attempts waiting for one of them to end. */
class UnderWay {
  readonly #ongoing = new Map<string, Ongoing>();

  begin(ids: readonly string[]): void {
    for (const id of ids) {
      const ongoing = this.#ongoing.get(id) ?? { count: 0, waiting: new Set() };
      ongoing.count += 1;
      this.#ongoing.set(id, ongoing);
    }
  }

  end(ids: readonly string[]): void {
    for (const id of ids) {
      const ongoing = this.#ongoing.get(id);
      if (!ongoing) continue;
      ongoing.count -= 1;
      if (ongoing.count === 0) this.#ongoing.delete(id);
      for (const wake of ongoing.waiting) wake(true);
      ongoing.waiting.clear();
    }
  }

  /** True once an operation with this id ends; false when none is in progress, none ends in time, or too many wait. */
  oneEnds(id: string, untilMs: number): Promise<boolean> {
    const ongoing = this.#ongoing.get(id);
    const leftMs = untilMs - performance.now();
    if (!ongoing || leftMs <= 0 || ongoing.waiting.size >= MAX_WAITING) return Promise.resolve(false);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const wake = (hasEnded: boolean): void => {
      clearTimeout(timer);
      resolve(hasEnded);
    };
    const timer = setTimeout(() => {
      ongoing.waiting.delete(wake);
      resolve(false);
    }, leftMs);
    ongoing.waiting.add(wake);
    return promise;
  }
}
