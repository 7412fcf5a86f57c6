import type { Log } from '../../lib/log.ts';
import { askResolver, questionKey, type Resolver } from './ask-resolver.ts';
import type { DnsQuery } from './message.ts';

export interface ForwarderOptions {
  /** Asked in this order. */
  resolvers: readonly Resolver[];
  log: Log;
  /** For all resolvers together; programs give up on a name server after five seconds. */
  deadlineMs?: number | undefined;
}

/** Each has a socket of its own; a home asks a few at a time. */
export const MAX_WAITING_QUESTIONS = 200;
/** The same question at one time; more of it goes in a circle. */
const MAX_SAME = 20;
const DEADLINE_MS = 4000;
/** A resolver that is silent as long is not the one to wait for; the next has the rest of the time. */
const FIRST_SHARE = 0.4;
const WARN_EVERY_MS = 60_000;

/** Questions about names that are not ours, for the resolvers of the house. Keeps no answers: they do. */
export class Forwarder {
  readonly #resolvers: readonly Resolver[];
  readonly #log: Log;
  readonly #deadlineMs: number;
  readonly #stop = new AbortController();
  /** What is being asked, to notice a resolver that asks us in turn. */
  readonly #waiting = new Map<string, number>();
  #size = 0;
  #warnedAtMs = -Infinity;

  constructor({ resolvers, log, deadlineMs = DEADLINE_MS }: ForwarderOptions) {
    this.#resolvers = resolvers;
    this.#log = log;
    this.#deadlineMs = deadlineMs;
  }

  get size(): number {
    return this.#size;
  }

  /** The answer, or undefined when no resolver gave one in time, when too many wait, or when the question goes in a circle. */
  async forward(query: DnsQuery, asker: string): Promise<Buffer | undefined> {
    const key = questionKey(query.bytes, query.questionEnd);
    const waiting = this.#waiting.get(key) ?? 0;
    const isResolver = this.#resolvers.some(({ address }) => address === asker);
    if (waiting >= (isResolver ? 1 : MAX_SAME)) {
      this.#warn(
        { asker },
        'the same question comes again and again: if a resolver in DNS_UPSTREAM asks longwave dns in turn, give it another upstream',
      );
      return undefined;
    }
    if (this.#size >= MAX_WAITING_QUESTIONS) {
      this.#warn({ waiting: this.#size }, 'too many questions wait for the resolvers: new ones are refused');
      return undefined;
    }
    this.#size += 1;
    this.#waiting.set(key, waiting + 1);
    try {
      return await this.#askInTurn(query);
    } finally {
      this.#size -= 1;
      const left = (this.#waiting.get(key) ?? 1) - 1;
      if (left === 0) this.#waiting.delete(key);
      else this.#waiting.set(key, left);
    }
  }

  async #askInTurn({ bytes }: DnsQuery): Promise<Buffer | undefined> {
    let leftMs = this.#deadlineMs;
    for (const [index, resolver] of this.#resolvers.entries()) {
      const isLast = index === this.#resolvers.length - 1;
      const shareMs = isLast ? leftMs : leftMs * FIRST_SHARE;
      leftMs -= shareMs;
      try {
        return await askResolver(bytes, resolver, this.#within(shareMs));
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        this.#warn({ resolver: resolver.address, reason }, 'a resolver gave no answer');
      }
    }
    return undefined;
  }

  #within(ms: number): AbortSignal {
    return AbortSignal.any([this.#stop.signal, AbortSignal.timeout(Math.ceil(ms))]);
  }

  /** Once a minute: a house without a line would fill the disk. */
  #warn(fields: object, text: string): void {
    const nowMs = performance.now();
    if (this.#stop.signal.aborted || nowMs - this.#warnedAtMs < WARN_EVERY_MS) return;
    this.#warnedAtMs = nowMs;
    this.#log.warn(fields, text);
  }

  [Symbol.dispose](): void {
    this.#stop.abort();
  }
}
