import { hash } from 'node:crypto';
import type { Clock } from '../../lib/clock.ts';
import { withDeadline } from '../../lib/deadlines/deadline.ts';
import type {
  BucketClaim,
  BucketLimits,
  ExactBuckets,
  RateBuckets,
  Shortage,
} from '../../lib/token-buckets.ts';
import { type BookAnswer, type BookEntry, type BucketBook, refilled } from './bucket-book.ts';

/** A book, and what it stands for. The first of several is the one that all processes share. */
export interface SharedBook {
  book: BucketBook;
  /** The part of every limit that it counts: 1 if nobody else has a book. */
  part: () => number;
  /** Processes that share it. */
  sharers: () => number;
}

interface FleetBucketsOptions {
  clock: Pick<Clock, 'elapsedMs'>;
  books: readonly SharedBook[];
  /** Makes names of buckets unreadable for whoever sees a book. */
  salt: string;
}

/** A book that takes longer is as good as away. */
const ANSWER_MS = 500;
/** A book that was away is asked again after this long. */
const AWAY_MS = 1000;
/** What was spent is told this late at most, and this soon where little is left. */
const TELL_MS = 200;
const SOON_MS = 20;
const MAX_BATCH = 500;
const MAX_LEASES = 50_000;

/** What this process may spend of a bucket without asking, and what it knows of the whole. */
interface Lease {
  name: string;
  limits: BucketLimits;
  tokens: number;
  atMs: number;
  /** Not told to any book yet. */
  spent: number;
  /** Told to another book than the first, which was away. */
  owed: number;
}

/**
 * Token buckets of all processes. A call is decided at once by what this process holds of its bucket: the part of the level
 * that falls to each process. What it spends it tells the book within 200 ms, and learns how full the bucket is; where little
 * is left it asks sooner, so that one caller of one process gets all there is. What must be exact asks the book first.
 *
 * While a book is away the next one counts, for its part of every limit, and in the end each process alone: then no process
 * has more than its share, so the sum stays below the limit. When the book is back it is told what was spent meanwhile.
 */
export class FleetBuckets implements ExactBuckets, AsyncDisposable {
  readonly #clock: Pick<Clock, 'elapsedMs'>;
  readonly #books: readonly SharedBook[];
  readonly #salt: string;
  /** By key; a flood of invented ones drops the oldest, which count as full again. */
  readonly #leases = new Map<string, Lease>();
  /** By the name that books know it by; what was told of it, for what is not held here. */
  readonly #told = new Map<string, { level: number; atMs: number }>();
  readonly #keys = new Map<string, string>();
  readonly #toTell = new Set<string>();
  /** Told to another book while the first was away. */
  readonly #owing = new Set<string>();
  readonly #awayUntilMs = new Map<SharedBook, number>();
  #timer: NodeJS.Timeout | undefined;
  #dueMs = Infinity;
  #telling: Promise<void> | undefined;

  constructor({ clock, books, salt }: FleetBucketsOptions) {
    this.#clock = clock;
    this.#books = books;
    this.#salt = salt;
  }

  /** For who must decide at once. */
  named(kind: string): RateBuckets {
    return { take: (key, limits, nowMs, kept) => this.#take(`${kind} ${key}`, limits, nowMs, kept) };
  }

  async takeAll(claims: readonly BucketClaim[]): Promise<Shortage | undefined> {
    const nowMs = this.#clock.elapsedMs();
    const leases = claims.map(({ key, limits }) => this.#lease(key, limits, nowMs));
    for (const shared of this.#booksThere()) {
      const answer = await this.#exchange(
        shared,
        leases,
        leases.map(() => 1),
        true,
      );
      if (answer) return answer.isTaken ? undefined : shortageIn(leases, answer.levels, shared.part());
    }
    return this.#takeHere(leases);
  }

  giveAllBack(claims: readonly BucketClaim[]): void {
    const nowMs = this.#clock.elapsedMs();
    for (const { key, limits } of claims) {
      const lease = this.#lease(key, limits, nowMs);
      lease.spent -= 1;
      lease.tokens += 1;
      this.#toTell.add(key);
    }
    this.#tellWithin(SOON_MS);
  }

  /** Told by whoever keeps a book: little is left in these, whether or not anybody asked here. */
  hear(low: readonly (readonly [name: string, level: number])[]): void {
    const atMs = this.#clock.elapsedMs();
    for (const [name, level] of low) {
      this.#told.delete(name);
      this.#told.set(name, { level, atMs });
      const lease = this.#leases.get(this.#keys.get(name) ?? '');
      if (lease) lease.tokens = Math.min(lease.tokens, this.#shareOf(level - lease.spent));
    }
    forgetOldest(this.#told, MAX_LEASES);
  }

  /** What is left to tell is told. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#telling;
    await this.#tell();
    clearTimeout(this.#timer);
  }

  #take(key: string, limits: BucketLimits, nowMs: number, kept = 0): number {
    const lease = this.#lease(key, limits, nowMs);
    const part = this.#part();
    const least = 1 + kept * part;
    const isLow = lease.tokens < Math.max(least, (limits.burst * part) / 2);
    this.#toTell.add(key);
    this.#tellWithin(isLow ? SOON_MS : TELL_MS, nowMs);
    if (lease.tokens < least) return (least - lease.tokens) / limits.perSecond;
    lease.tokens -= 1;
    lease.spent += 1;
    return 0;
  }

  /** Refilled up to now, by this process's part of the rate. */
  #lease(key: string, limits: BucketLimits, nowMs: number): Lease {
    const part = this.#part();
    const lease = this.#leases.get(key) ?? this.#begin(key, limits, nowMs);
    // A share of less than a token would never admit anybody.
    const own = { perSecond: limits.perSecond * part, burst: Math.max(1, limits.burst * part) };
    lease.tokens = refilled(lease.tokens, own, nowMs - lease.atMs);
    lease.atMs = nowMs;
    lease.limits = limits;
    return lease;
  }

  #begin(key: string, limits: BucketLimits, nowMs: number): Lease {
    const name = hash('sha256', `${this.#salt} ${key}`, 'base64url').slice(0, 24);
    const told = this.#told.get(name);
    const level = told ? refilled(told.level, limits, nowMs - told.atMs) : limits.burst;
    const lease = { name, limits, tokens: this.#shareOf(level), atMs: nowMs, spent: 0, owed: 0 };
    this.#leases.set(key, lease);
    this.#keys.set(name, key);
    if (this.#leases.size > MAX_LEASES) this.#dropOldest();
    return lease;
  }

  #dropOldest(): void {
    for (const [key, { name }] of this.#leases) {
      this.#leases.delete(key);
      this.#keys.delete(name);
      this.#toTell.delete(key);
      this.#owing.delete(key);
      return;
    }
  }

  /** Of every limit, for each process. */
  #part(): number {
    const first = this.#books[0];
    return first ? first.part() / first.sharers() : 1;
  }

  /** What this process may spend of a level; at least a token where there is one. */
  #shareOf(level: number): number {
    const share = level * this.#part();
    return level >= 1 ? Math.max(1, share) : Math.min(share, level);
  }

  #booksThere(): readonly SharedBook[] {
    const nowMs = this.#clock.elapsedMs();
    return this.#books.filter((shared) => (this.#awayUntilMs.get(shared) ?? 0) <= nowMs);
  }

  #tellWithin(ms: number, nowMs = this.#clock.elapsedMs()): void {
    const dueMs = nowMs + ms;
    if (dueMs >= this.#dueMs) return;
    clearTimeout(this.#timer);
    this.#dueMs = dueMs;
    this.#timer = setTimeout(() => void this.#tell(), ms).unref();
  }

  /** One at a time; what is not told now is told next. */
  async #tell(): Promise<void> {
    this.#dueMs = Infinity;
    // Whoever is telling looks at its end for what came meanwhile.
    if (this.#telling) return;
    this.#telling = this.#tellSome().finally(() => (this.#telling = undefined));
    await this.#telling;
    if (this.#toTell.size > 0) this.#tellWithin(this.#booksThere().length > 0 ? SOON_MS : AWAY_MS);
    else if (this.#owing.size > 0) this.#tellWithin(AWAY_MS);
  }

  async #tellSome(): Promise<void> {
    if (this.#booksThere()[0] === this.#books[0]) {
      for (const key of this.#owing) this.#toTell.add(key);
      this.#owing.clear();
    }
    const keys = [...this.#toTell].slice(0, MAX_BATCH);
    const leases = keys.flatMap((key) => this.#leases.get(key) ?? []);
    // Also those that are no longer held: whatever stays here is in the way of all behind it.
    for (const key of keys) this.#toTell.delete(key);
    if (leases.length === 0) return;
    for (const shared of this.#booksThere()) {
      const isFirst = shared === this.#books[0];
      const own = leases.map(({ spent }) => spent);
      const owed = leases.map((lease) => (isFirst ? lease.owed : 0));
      for (const lease of leases) {
        if (isFirst) lease.owed = 0;
        lease.spent = 0;
      }
      const spends = own.map((spent, index) => spent + (owed[index] ?? 0));
      if (await this.#exchange(shared, leases, spends, false)) return;
      // What is owed was told to the next book before, and is not told to it again.
      for (const [index, lease] of leases.entries()) {
        lease.spent += own[index] ?? 0;
        lease.owed += owed[index] ?? 0;
        if (lease.owed !== 0) this.#remember(this.#owing, lease);
      }
    }
    // Nobody could be told: each has its share until somebody can.
    for (const lease of leases) this.#remember(this.#toTell, lease);
  }

  /** Undefined where the book is away. */
  async #exchange(
    shared: SharedBook,
    leases: readonly Lease[],
    spends: readonly number[],
    exactly: boolean,
  ): Promise<BookAnswer | undefined> {
    const part = shared.part();
    const entries = leases.map((lease, index): BookEntry => {
      const { name, limits } = lease;
      const spend = spends[index] ?? 0;
      return { name, spend, known: this.#believed(lease, part), ...scaled(limits, part) };
    });
    try {
      const asked = shared.book.exchange(entries, exactly);
      const answer = await withDeadline(asked, ANSWER_MS, () => new Error('the book is away'));
      this.#learn(shared, leases, answer.isTaken ? spends : [], answer.levels);
      return answer;
    } catch {
      this.#awayUntilMs.set(shared, this.#clock.elapsedMs() + AWAY_MS);
      return undefined;
    }
  }

  #learn(
    shared: SharedBook,
    leases: readonly Lease[],
    spends: readonly number[],
    levels: readonly number[],
  ): void {
    const atMs = this.#clock.elapsedMs();
    const isFirst = shared === this.#books[0];
    for (const [index, lease] of leases.entries()) {
      const level = (levels[index] ?? 0) / shared.part();
      if (!isFirst) this.#owe(lease, spends[index] ?? 0);
      lease.tokens = this.#shareOf(level - lease.spent);
      lease.atMs = atMs;
      this.#told.delete(lease.name);
      this.#told.set(lease.name, { level, atMs });
    }
    forgetOldest(this.#told, MAX_LEASES);
  }

  #owe(lease: Lease, spent: number): void {
    lease.owed += spent;
    this.#remember(this.#owing, lease);
    this.#tellWithin(AWAY_MS);
  }

  /** Unless it was dropped meanwhile: nobody would ever take it out again. */
  #remember(keys: Set<string>, { name }: Lease): void {
    const key = this.#keys.get(name);
    if (key !== undefined) keys.add(key);
  }

  /** How full a bucket is as far as this process knows, before what it is about to tell. */
  #believed({ name, limits, spent }: Lease, part: number): number {
    const told = this.#told.get(name);
    const { burst } = limits;
    const level = told ? refilled(told.level, limits, this.#clock.elapsedMs() - told.atMs) : burst;
    return Math.min(burst, level + Math.max(0, spent)) * part;
  }

  /** Without any book: all of them, or none. */
  #takeHere(leases: readonly Lease[]): Shortage | undefined {
    const index = leases.findIndex(({ tokens }) => tokens < 1);
    const short = leases[index];
    if (short) return { index, waitSeconds: (1 - short.tokens) / short.limits.perSecond };
    for (const lease of leases) {
      lease.tokens -= 1;
      lease.spent += 1;
      this.#remember(this.#toTell, lease);
    }
    this.#tellWithin(AWAY_MS);
    return undefined;
  }
}

const scaled = ({ perSecond, burst }: BucketLimits, part: number): BucketLimits => ({
  perSecond: perSecond * part,
  burst: Math.max(1, burst * part),
});

function shortageIn(leases: readonly Lease[], levels: readonly number[], part: number): Shortage {
  const index = Math.max(
    0,
    levels.findIndex((level) => level < 1),
  );
  const perSecond = (leases[index]?.limits.perSecond ?? 1) * part;
  return { index, waitSeconds: Math.max(0, 1 - (levels[index] ?? 0)) / perSecond };
}

function forgetOldest(map: Map<string, unknown>, most: number): void {
  for (const key of map.keys()) {
    if (map.size <= most) return;
    map.delete(key);
  }
}

/** Others of the same kinds, which count apart from those. */
export const withPrefix = (buckets: ExactBuckets, prefix: string): ExactBuckets => {
  const named = (claims: readonly BucketClaim[]): BucketClaim[] =>
    claims.map(({ key, limits }) => ({ key: prefix + key, limits }));
  return {
    takeAll: (claims) => buckets.takeAll(named(claims)),
    giveAllBack: (claims) => buckets.giveAllBack(named(claims)),
  };
};
