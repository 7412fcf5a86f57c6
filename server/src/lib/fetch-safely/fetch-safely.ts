import type { Socket } from 'node:net';
import { Client } from 'undici';
import { type CheckedAddress, checkAddress } from './check-address.ts';
import { dial } from './dial.ts';
import { type Policy, publicInternet } from './policy.ts';
import { type BodyLimits, readBody } from './read-body.ts';
import { Seats } from './seats.ts';
import { UnsafeAddress } from './unsafe-address.ts';

export interface FetchOptions extends Partial<BodyLimits> {
  headers?: Readonly<Record<string, string>>;
  /** For everything: names, connections, redirects and the last byte. */
  deadlineMs?: number;
  mostRedirects?: number;
  signal?: AbortSignal | undefined;
}

export interface Fetched {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
  /** Where the answer came from, after all redirects. */
  address: string;
  /** Where it has moved for good, when every redirect on the way said so. */
  movedTo: string | undefined;
}

const DEFAULTS = { deadlineMs: 15_000, mostRedirects: 3, maxWireBytes: 2 * 2 ** 20, maxBytes: 8 * 2 ** 20 };
const MOST_HEADER_BYTES = 16 * 1024;
const USER_AGENT = 'longwave/0.1 (radio directory)';
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const FOR_GOOD = new Set([301, 308]);

/** Fetches what somebody else gave the address of. One for a process: it knows how many ask the same host. */
export class SafeFetcher {
  readonly #policy: Policy;
  readonly #hosts = new Seats(2, 100);
  readonly #all = new Seats(200, 1000);

  constructor(policy: Policy = publicInternet) {
    this.#policy = policy;
  }

  async fetch(address: string, options: FetchOptions = {}): Promise<Fetched> {
    const all = { ...DEFAULTS, ...options };
    const signal = AbortSignal.any([
      AbortSignal.timeout(all.deadlineMs),
      ...(options.signal ? [options.signal] : []),
    ]);
    let next = address;
    let isForGood = true;
    for (let hop = 0; hop <= all.mostRedirects; hop += 1) {
      const answer = await this.#once(checkAddress(next, this.#policy.anyHost), all, signal);
      const movedTo = hop > 0 && isForGood ? next : undefined;
      if (answer.location === undefined) return { ...answer.fetched, address: next, movedTo };
      isForGood &&= FOR_GOOD.has(answer.fetched.status);
      next = answer.location;
    }
    throw new UnsafeAddress(`more than ${all.mostRedirects} redirects`);
  }

  /** Two at once of a host, and an end to all together. */
  #once(to: CheckedAddress, options: FetchOptions & BodyLimits, signal: AbortSignal): Promise<Answered> {
    return this.#all.seated('all', signal, () =>
      this.#hosts.seated(to.host, signal, () => this.#ask(to, options, signal)),
    );
  }

  async #ask(to: CheckedAddress, options: FetchOptions & BodyLimits, signal: AbortSignal): Promise<Answered> {
    const client = new Client(to.url.origin, {
      connect: (_given, done) => void this.#connect(to, signal, done),
      maxHeaderSize: MOST_HEADER_BYTES,
      pipelining: 1,
    });
    try {
      return await ask(client, to.url, options, signal);
    } finally {
      client.destroy().catch(() => undefined);
    }
  }

  async #connect(to: CheckedAddress, signal: AbortSignal, done: Connected): Promise<void> {
    let socket: Socket;
    try {
      socket = await dial(to, this.#policy, signal);
    } catch (error) {
      return done(error instanceof Error ? error : new Error(String(error)), null);
    }
    done(null, socket);
  }
}

type Connected = (...answer: [error: null, socket: Socket] | [error: Error, socket: null]) => void;

interface Answered {
  fetched: Pick<Fetched, 'status' | 'headers' | 'body'>;
  location: string | undefined;
}

/** A redirect's body is nobody's business. */
async function ask(
  client: Client,
  url: URL,
  { headers, ...limits }: FetchOptions & BodyLimits,
  signal: AbortSignal,
): Promise<Answered> {
  const sent = { 'user-agent': USER_AGENT, 'accept-encoding': 'gzip', ...headers };
  const answer = await client.request({
    method: 'GET',
    path: url.pathname + url.search,
    headers: sent,
    signal,
  });
  const { statusCode: status, headers: got, body } = answer;
  const location = REDIRECTS.has(status) ? textOf(got['location']) : undefined;
  if (location !== undefined) {
    body.on('error', () => undefined).destroy();
    return { fetched: { status, headers: got, body: NOTHING }, location: nextAddress(location, url) };
  }
  const encoding = textOf(got['content-encoding'])?.trim().toLowerCase();
  return { fetched: { status, headers: got, body: await readBody(body, encoding, limits) }, location };
}

const NOTHING = Buffer.alloc(0);
const textOf = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : value?.join(',');

function nextAddress(location: string, from: URL): string {
  const next = URL.parse(location, from);
  if (!next) throw new UnsafeAddress('the redirect leads nowhere');
  return next.href;
}
