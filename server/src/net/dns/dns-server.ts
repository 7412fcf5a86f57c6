import { createSocket, type RemoteInfo, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, isIPv6, type Server, type Socket } from 'node:net';
import { Counter } from 'prom-client';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { networkOf } from '../../lib/network-of.ts';
import { TokenBuckets } from '../../lib/token-buckets.ts';
import { type AddressRange, isInside, truncateAddress } from '../http/caller/addresses.ts';
import type { Metrics } from '../http/metrics.ts';
import { takeMessage, withLength } from './ask-resolver.ts';
import type { Forwarder } from './forwarder.ts';
import {
  type DnsQuery,
  fitToDatagram,
  parseDnsQuery,
  RCODE,
  writeAddresses,
  writeBadVersion,
  writeRefusal,
} from './message.ts';
import { type AddressesForAskers, bareAddress, isHomeAddress } from './own-addresses.ts';

export interface DnsServerOptions {
  /** One or more; with more than one the port is not 0. */
  hosts: readonly string[];
  port: number;
  /** Names that lead here, in lower case; `*.` in front means every name below. */
  names: readonly string[];
  /** Names below one of these that are passed on all the same, in the same form. */
  leftAlone?: readonly string[];
  addresses: AddressesForAskers;
  forwarder: Forwarder;
  /** Networks that may ask beside those at home. */
  networks: readonly AddressRange[];
  /** Sustained, with bursts of five times as many. 0 is no limit. */
  questionsPerSecond: number;
  metrics: Metrics;
  clock: Clock;
  log: Log;
}

/** Longer questions exist only in tests. */
const MAX_QUESTION_BYTES = 4096;
const TCP_LIMITS = { connections: 100, ofAnAsker: 10, idleMs: 10_000 };
const BURST = 5;
const TELL_EVERY_MS = 60_000;

type Result = 'ours' | 'forwarded' | 'failed' | 'refused' | 'stranger' | 'rate_limit';

/**
 * Answers the names of radios with our address, and passes all other questions on. Strangers get no answer at all, so that
 * nobody can have us send anything to a forged address.
 */
export class DnsServer implements AsyncDisposable {
  readonly #options: DnsServerOptions;
  readonly #exact: ReadonlySet<string>;
  readonly #below: readonly string[];
  readonly #buckets = new TokenBuckets(10_000);
  readonly #questions: Counter;
  readonly #connections = new Map<Socket, string>();
  readonly #udps: UdpSocket[] = [];
  readonly #tcps: Server[] = [];
  #isClosed = false;
  #toldAtMs = -Infinity;

  constructor(options: DnsServerOptions) {
    this.#options = options;
    const { names, metrics, forwarder } = options;
    this.#exact = new Set(names.filter((name) => !name.startsWith('*.')));
    this.#below = names.filter((name) => name.startsWith('*.')).map((name) => name.slice(1));
    this.#questions = new Counter({
      name: 'dns_questions_total',
      help: 'Questions to the name server, by what became of them',
      labelNames: ['result'],
      registers: [metrics.registry],
    });
    metrics.gauge('dns_waiting', 'Questions that wait for another resolver', () => forwarder.size);
  }

  /** Opens UDP and TCP on one port of every host, and returns it. */
  async listen(): Promise<number> {
    let { port } = this.#options;
    for (const host of this.#options.hosts) port = await this.#listenOn(host, port);
    return port;
  }

  async #listenOn(host: string, wanted: number): Promise<number> {
    const tcp = createServer((socket) => void this.#converse(socket));
    tcp.maxConnections = TCP_LIMITS.connections;
    tcp.listen({ host, port: wanted });
    this.#tcps.push(tcp);
    await once(tcp, 'listening');
    const bound = tcp.address();
    const port = typeof bound === 'object' ? (bound?.port ?? 0) : 0;
    const udp = createSocket({ type: isIPv6(host) ? 'udp6' : 'udp4' });
    this.#udps.push(udp);
    udp.bind(port, host);
    await once(udp, 'listening');
    // Such as an answer to an asker whose network has gone.
    udp.on('error', (error) => this.#options.log.debug({ err: error }, 'an answer could not be sent'));
    udp.on('message', (message, from) => void this.#answerDatagram(udp, message, from));
    return port;
  }

  async #answerDatagram(udp: UdpSocket, message: Buffer, { address, port }: RemoteInfo): Promise<void> {
    // Nobody can be answered there: sending to it throws.
    if (port === 0) return;
    try {
      const answer = await this.respondTo(message, address);
      if (answer && !this.#isClosed) udp.send(answer, port, address);
    } catch (error) {
      this.#options.log.error({ err: error }, 'a datagram could not be answered');
    }
  }

  /** The answer to a datagram from this address of a socket, or undefined for none. */
  async respondTo(message: Buffer, from: string): Promise<Buffer | undefined> {
    if (!this.#mayAsk(bareAddress(from))) return undefined;
    const query = parseDnsQuery(message);
    const answer = await this.#answer(message, query, from);
    return answer && typeof query === 'object' ? fitToDatagram(answer, query) : answer;
  }

  /** One question after the other, so that a connection costs no more than a datagram. */
  async #converse(socket: Socket): Promise<void> {
    const from = socket.remoteAddress ?? '';
    const asker = bareAddress(from);
    const ofAsker = [...this.#connections.values()].filter((other) => other === asker).length;
    socket.on('error', () => socket.destroy());
    if (!this.#isWelcome(asker) || ofAsker >= TCP_LIMITS.ofAnAsker) {
      this.#count(ofAsker >= TCP_LIMITS.ofAnAsker ? 'rate_limit' : 'stranger', asker);
      socket.destroy();
      return;
    }
    this.#connections.set(socket, asker);
    socket.setTimeout(TCP_LIMITS.idleMs, () => socket.destroy());
    try {
      await this.#readQuestions(socket, from);
    } catch {
      // The asker has gone.
    } finally {
      this.#connections.delete(socket);
      socket.destroy();
    }
  }

  async #readQuestions(socket: Socket, from: string): Promise<void> {
    const asker = bareAddress(from);
    let received: Buffer = Buffer.alloc(0);
    for await (const chunk of socket) {
      received = Buffer.concat([received, chunk]);
      for (let taken = takeMessage(received); taken; taken = takeMessage(received)) {
        received = taken.rest;
        if (!this.#mayAsk(asker)) return;
        const answer = await this.#answer(taken.message, parseDnsQuery(taken.message), from);
        if (answer === undefined) return;
        if (!socket.write(withLength(answer))) await once(socket, 'drain');
      }
      if (received.length > MAX_QUESTION_BYTES) return;
    }
  }

  async #answer(
    message: Buffer,
    query: ReturnType<typeof parseDnsQuery>,
    from: string,
  ): Promise<Buffer | undefined> {
    const asker = bareAddress(from);
    if (typeof query !== 'object') {
      this.#count('refused', asker);
      return query === undefined ? undefined : writeRefusal(message, query);
    }
    if (query.ednsVersion !== undefined && query.ednsVersion > 0) return writeBadVersion(query);
    try {
      return this.#isOurs(query.name) ? await this.#leadHere(query, from) : await this.#passOn(query, asker);
    } catch (error) {
      this.#options.log.error({ err: error }, 'a question could not be answered');
      return writeRefusal(message, RCODE.serverFailure, query.questionEnd);
    }
  }

  #isOurs(name: string): boolean {
    const lower = name.toLowerCase();
    if (this.#exact.has(lower)) return true;
    return this.#below.some((ending) => lower.endsWith(ending)) && !this.#isLeftAlone(lower);
  }

  #isLeftAlone(lower: string): boolean {
    const { leftAlone = [] } = this.#options;
    return leftAlone.some((name) => (name.startsWith('*.') ? lower.endsWith(name.slice(1)) : lower === name));
  }

  async #leadHere(query: DnsQuery, from: string): Promise<Buffer> {
    this.#count('ours', bareAddress(from));
    return writeAddresses(query, await this.#options.addresses.for(from));
  }

  async #passOn(query: DnsQuery, asker: string): Promise<Buffer> {
    const answer = await this.#options.forwarder.forward(query, asker);
    this.#count(answer ? 'forwarded' : 'failed', asker);
    return answer ?? writeRefusal(query.bytes, RCODE.serverFailure, query.questionEnd);
  }

  #isWelcome(asker: string): boolean {
    return isHomeAddress(asker) || isInside(asker, this.#options.networks);
  }

  /** Whether this question is answered: the asker is at home, and has not asked too much. */
  #mayAsk(asker: string): boolean {
    if (!this.#isWelcome(asker)) {
      this.#count('stranger', asker);
      return false;
    }
    const { questionsPerSecond: perSecond, clock } = this.#options;
    const limits = { perSecond, burst: BURST * perSecond };
    if (perSecond === 0 || this.#buckets.take(networkOf(asker), limits, clock.elapsedMs()) === 0) return true;
    this.#count('rate_limit', asker);
    return false;
  }

  #count(result: Result, asker: string): void {
    this.#questions.inc({ result });
    const advice = ADVICE[result];
    const nowMs = this.#options.clock.elapsedMs();
    if (advice === undefined || nowMs - this.#toldAtMs < TELL_EVERY_MS) return;
    this.#toldAtMs = nowMs;
    this.#options.log.warn({ asker: truncateAddress(asker) }, advice);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    for (const socket of this.#connections.keys()) socket.destroy();
    for (const tcp of this.#tcps) if (tcp.listening) await new Promise((resolve) => tcp.close(resolve));
    for (const udp of this.#udps) await new Promise<void>((resolve) => udp.close(resolve));
  }
}

/** What the log says, once a minute at most. */
const ADVICE: Partial<Record<Result, string>> = {
  stranger:
    'questions from outside the home network are not answered; if these are your own machines, add their network to DNS_NETWORKS',
  rate_limit: 'an address asks too much and is not answered for now (DNS_QUESTIONS_PER_ADDRESS)',
};
