import type { Socket } from 'node:net';
import { PRODUCT } from '../../lib/version.ts';
import { type FetchedAnswer, type AnswerLimits, ask, type FetchRequest, redirected } from './ask.ts';
import { type ConnectionLimits, Connections, type HostLimits } from './connections.ts';
import type { Cookies } from './cookies.ts';
import { StepDeadline } from './step-deadline.ts';
import type { Take } from './dial.ts';
import { UnsafeAddress } from './fetch-failed.ts';
import { Deadline } from './deadline.ts';
import { checkAddress, type CheckedAddress, type Policy, publicInternet } from './policy.ts';

export interface FetchOptions extends Partial<AnswerLimits> {
  method?: 'GET' | 'POST';
  body?: string | Buffer;
  /** Sent to the first server only: a redirect drops them. */
  headers?: Readonly<Record<string, string>>;
  /** Sent to every server on the way: who asks, and for which bytes. Nothing in them is a secret. */
  headersToAll?: Readonly<Record<string, string>>;
  /** For everything: slots, look-ups, connections, redirects and the last byte. */
  deadlineMs?: number;
  mostRedirects?: number;
  signal?: AbortSignal | undefined;
  /** Sent to whoever set them, also after a redirect; further ones that are set on the way are kept in it. */
  cookies?: Cookies | undefined;
}

export interface Fetched extends Omit<FetchedAnswer, 'location'> {
  /** The final address, after all redirects. */
  address: string;
  /** The new permanent address, when every redirect on the way was permanent. */
  movedTo: string | undefined;
}

/** A raw connection for another protocol; disposing of it closes it. */
class Opened implements Disposable {
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

export const FETCH_LIMITS = {
  deadlineMs: 15_000,
  firstByteMs: 5000,
  mostRedirects: 3,
  maxWireBytes: 2 * 2 ** 20,
  maxBytes: 8 * 2 ** 20,
};
const USER_AGENT = `${PRODUCT} (radio directory)`;
const FOR_GOOD = new Set([301, 308]);

interface FetcherOptions {
  policy?: Policy | undefined;
  /** Shared with other processes. */
  hostLimiter?: HostLimits | undefined;
  /** For a process that stays connected for hours. */
  limits?: ConnectionLimits | undefined;
  userAgent?: string | undefined;
}

/**
 * Fetches untrusted addresses. One per process, because it counts connections per host. Throws `UnsafeAddress` when
 * retrying does not help, `HostBusy` when the host's queue is full, `FetchFailed` for the rest.
 */
export class SafeFetcher {
  readonly #policy: Policy;
  readonly #connections: Connections;
  /** The User-Agent we send. */
  readonly userAgent: string;

  constructor(options: FetcherOptions = {}) {
    this.#policy = options.policy ?? publicInternet;
    this.#connections = new Connections(this.#policy, options.hostLimiter, options.limits);
    this.userAgent = options.userAgent ?? USER_AGENT;
  }

  async fetch(address: string, options: FetchOptions = {}): Promise<Fetched> {
    const limits = { ...FETCH_LIMITS, ...options };
    using whole = new StepDeadline('whole', limits.deadlineMs, options.signal);
    const { method = 'GET', headers = {}, body } = options;
    let asked: FetchRequest = { address, method, headers, body };
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

  /**
   * A raw connection under the same rules. Incoming data goes to `take` if given, otherwise it is read from the socket.
   */
  async open(address: string, deadline: Deadline, take?: Take): Promise<Opened> {
    const to = this.#check(address);
    const socket = await this.#connections.open(to, deadline, take);
    return new Opened(socket, to);
  }

  async #ask(
    asked: FetchRequest,
    limits: FetchOptions & AnswerLimits & { deadlineMs: number },
    signal: AbortSignal,
  ): Promise<FetchedAnswer> {
    const { cookies, headersToAll } = limits;
    using deadline = new Deadline(limits.deadlineMs, signal);
    const to = this.#check(asked.address);
    const socket = await this.#connections.open(to, deadline);
    const cookie = cookies?.valueFor(to.host);
    const headers = {
      'user-agent': this.userAgent,
      'accept-encoding': 'gzip',
      ...(cookie !== undefined && { cookie }),
      ...headersToAll,
      ...asked.headers,
    };
    const answer = await ask(socket, { ...asked, headers }, limits, signal);
    cookies?.keep(to.host, [answer.headers['set-cookie'] ?? []].flat());
    return answer;
  }

  #check(address: string): CheckedAddress {
    return checkAddress(address, this.#policy.anyHost);
  }
}
