import type { Socket } from 'node:net';
import { type Answer, type AnswerLimits, ask } from './ask.ts';
import { type CheckedAddress, checkAddress } from './check-address.ts';
import { Connections, type HostSeats } from './connections.ts';
import { Deadline } from './deadline.ts';
import type { Take } from './dial.ts';
import { Patience } from './patience.ts';
import { type Policy, publicInternet } from './policy.ts';
import { type Question, redirected } from './question.ts';
import { UnsafeAddress } from './unsafe-address.ts';

export interface FetchOptions extends Partial<AnswerLimits> {
  method?: 'GET' | 'POST';
  body?: string | Buffer;
  /** For the first server alone: a redirect drops them. */
  headers?: Readonly<Record<string, string>>;
  /** For everything: seats, names, connections, redirects and the last byte. */
  deadlineMs?: number;
  mostRedirects?: number;
  signal?: AbortSignal | undefined;
}

export interface Fetched extends Omit<Answer, 'location'> {
  /** Where the answer came from, after all redirects. */
  address: string;
  /** Where it has moved for good, when every redirect on the way said so. */
  movedTo: string | undefined;
}

/** A connection for a protocol of its own; disposing of it closes it. */
export class Opened implements Disposable {
  readonly socket: Socket;
  readonly to: CheckedAddress;

  constructor(socket: Socket, to: CheckedAddress) {
    this.socket = socket;
    this.to = to;
  }

  [Symbol.dispose](): void {
    this.socket.destroy();
  }
}

export const LIMITS = {
  deadlineMs: 15_000,
  firstByteMs: 5000,
  mostRedirects: 3,
  maxWireBytes: 2 * 2 ** 20,
  maxBytes: 8 * 2 ** 20,
};
const USER_AGENT = 'longwave/0.1 (radio directory)';
const FOR_GOOD = new Set([301, 308]);

/**
 * Fetches what somebody else gave the address of. One for a process: it knows how many ask the same host. Throws
 * `UnsafeAddress` for what is not worth another try, `NoSeat` when too many ask already, `FetchFailed` for the rest.
 */
export class SafeFetcher {
  readonly #policy: Policy;
  readonly #connections: Connections;
  /** Who we say we are. */
  readonly userAgent: string;

  constructor(options: { policy?: Policy; hostSeats?: HostSeats; userAgent?: string } = {}) {
    this.#policy = options.policy ?? publicInternet;
    this.#connections = new Connections(this.#policy, options.hostSeats);
    this.userAgent = options.userAgent ?? USER_AGENT;
  }

  async fetch(address: string, options: FetchOptions = {}): Promise<Fetched> {
    const limits = { ...LIMITS, ...options };
    using whole = new Deadline('whole', limits.deadlineMs, options.signal);
    const { method = 'GET', headers = {}, body } = options;
    let asked: Question = { address, method, headers, body };
    let isForGood = true;
    for (let hop = 0; hop <= limits.mostRedirects; hop += 1) {
      const { location, ...answer } = await this.#ask(asked, limits, whole.signal);
      const next = location === undefined ? undefined : redirected(asked, answer.status, location);
      const movedTo = hop > 0 && isForGood ? asked.address : undefined;
      if (next === undefined) return { ...answer, address: asked.address, movedTo };
      isForGood &&= FOR_GOOD.has(answer.status);
      asked = next;
    }
    throw new UnsafeAddress(`more than ${limits.mostRedirects} redirects`);
  }

  /** A bare connection, under the same rules. What comes goes to `take` where there is one, and is read from the socket else. */
  async open(address: string, patience: Patience, take?: Take): Promise<Opened> {
    const to = this.#check(address);
    const socket = await this.#connections.open(to, patience, take);
    return new Opened(socket, to);
  }

  async #ask(
    asked: Question,
    limits: AnswerLimits & { deadlineMs: number },
    signal: AbortSignal,
  ): Promise<Answer> {
    using patience = new Patience(limits.deadlineMs, signal);
    const socket = await this.#connections.open(this.#check(asked.address), patience);
    const headers = { 'user-agent': this.userAgent, 'accept-encoding': 'gzip', ...asked.headers };
    return await ask(socket, { ...asked, headers }, limits, signal);
  }

  #check(address: string): CheckedAddress {
    return checkAddress(address, this.#policy.anyHost);
  }
}
