import { LRUCache } from 'lru-cache';
import { type BucketLimits, TokenBuckets } from '../cache/token-buckets.ts';
import type { Clock } from '../lib/clock.ts';
import { Refusal } from '../lib/refusal.ts';
import { UnderWay } from './under-way.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

const budget = (count: number, seconds: number): BucketLimits => ({
  perSecond: count / seconds,
  burst: count,
});

/** How many wrong passwords there may be. */
export const FAILURES = {
  /** Of one name from a network that its owner signed in from: nobody elsewhere uses them up. */
  known: budget(10, 15 * MINUTE),
  /** Of one name, from all other networks together. */
  strangers: budget(10, HOUR),
  /** From one address, whatever names it tries. */
  address: budget(30, HOUR),
  /** Different names from one address. */
  names: budget(10, HOUR),
} as const;

export type FailureLimits = Readonly<Record<keyof typeof FAILURES, BucketLimits>>;

export interface Attempt {
  /** In lower case, and the same whether there is such a name or not. */
  name: string;
  address: string;
  network: string;
}

/** A name that an address tried within the hour is not a different one again. */
const MOST_TRIED = 100_000;

/** As long as a dozen hashes take on a small machine, and within what a radio waits. */
const WAIT_MS = 2000;

/** Shorter than the most impatient radio waits. */
const HOLD_MS = 1000;

interface Taken {
  kind: keyof FailureLimits;
  key: string;
}

/** An attempt that is being looked at. */
export interface Attempted {
  /** Only a wrong one counts. */
  settle: (isWrong: boolean) => void;
}

/**
 * Counts wrong passwords. An attempt is taken for a wrong one until it proves right, so that many at once are not more
 * guesses than one after the other; who finds nothing left but what others hold waits to hear of those.
 */
export class LoginLimits {
  readonly #clock: Clock;
  readonly #limits: FailureLimits;
  readonly #waitMs: number;
  readonly #buckets = {
    known: new TokenBuckets(),
    strangers: new TokenBuckets(),
    address: new TokenBuckets(),
    names: new TokenBuckets(),
  };
  readonly #underWay = new UnderWay();
  readonly #tried: LRUCache<string, true>;

  constructor(clock: Clock, limits: FailureLimits = FAILURES, waitMs = WAIT_MS) {
    this.#clock = clock;
    this.#limits = limits;
    this.#waitMs = waitMs;
    this.#tried = new LRUCache({ max: MOST_TRIED, ttl: HOUR * 1000, ttlResolution: 0, perf: perfOf(clock) });
  }

  /** Lets an attempt of an address on; gives the refusal where that address was wrong too often. */
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

  /** The same for the name that is tried. */
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
      const missing = this.#takeAll(wanted);
      if (!missing) return this.#begun(wanted);
      if (!(await this.#underWay.oneEnds(idOf(missing), untilMs))) return tooMany(missing.waitSeconds);
    }
  }

  /** All of them, or none and the one that there was nothing of. */
  #takeAll(wanted: readonly Taken[]): (Taken & { waitSeconds: number }) | undefined {
    const nowMs = this.#clock.elapsedMs();
    for (const [index, taken] of wanted.entries()) {
      const waitSeconds = this.#buckets[taken.kind].take(taken.key, this.#limits[taken.kind], nowMs);
      if (waitSeconds === 0) continue;
      this.#giveBack(wanted.slice(0, index));
      return { ...taken, waitSeconds };
    }
    return undefined;
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
    for (const { kind, key } of taken) this.#buckets[kind].giveBack(key, this.#limits[kind]);
  }
}

const idOf = ({ kind, key }: Taken): string => `${kind} ${key}`;

/** For a cache, which takes a moment 0 for none. */
export const perfOf = (clock: Clock): { now: () => number } => ({ now: () => 1 + clock.elapsedMs() });

/** The same words whatever was used up: they tell nothing about the name. */
const tooMany = (waitSeconds: number): Refusal =>
  new Refusal(
    429,
    'request.tooMany',
    'Too many wrong passwords; wait as long as Retry-After says',
    Math.max(1, Math.ceil(waitSeconds)),
    HOLD_MS,
  );
