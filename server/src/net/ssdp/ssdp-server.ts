import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Counter } from 'prom-client';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { TokenBuckets } from '../../lib/token-buckets.ts';
import type { Metrics } from '../http/metrics.ts';
import { findInterfaceOf, type LanInterface } from './lan-interfaces.ts';
import {
  parseSsdpQuestion,
  type SsdpDevice,
  SSDP_GROUP,
  writeAlive,
  writeByebye,
  writeSsdpAnswers,
} from './message.ts';

export interface SsdpServerOptions {
  device: SsdpDevice;
  /** Where an asker finds the description, by the address of ours that it reaches. */
  locationAt: (address: string) => string;
  /** Asked again and again: interfaces come and go. */
  interfaces: () => LanInterface[];
  metrics: Metrics;
  clock: Clock;
  log: Log;
}

/** Two hops: the switch of the house, and an access point that routes. */
const MULTICAST_TTL = 2;
const ANNOUNCE_EVERY_MS = 600_000;
const LOOK_AT_INTERFACES_EVERY_MS = 15_000;
/** Datagrams get lost, so everything is said twice. */
const AGAIN_AFTER_MS = 150;
/** Of one asker; control points ask three times in a row. */
const QUESTIONS = { perSecond: 5, burst: 30 };
/** Each is some 2 kB of memory for at most three seconds. */
const MAX_WAITING = 200;

type Result = 'answered' | 'not_ours' | 'stranger' | 'too_many';

/**
 * Makes a device known in the home network, and answers those who search for it. Only addresses of the networks it is in get an
 * answer, and not more than a few a second, so that nobody can have us flood a forged address.
 */
export class SsdpServer implements AsyncDisposable {
  readonly #options: SsdpServerOptions;
  readonly #listener: Socket = createSocket({ type: 'udp4', reuseAddr: true });
  /** For announcements: a socket for each address of ours, since each is sent through its own interface. */
  readonly #speakers = new Map<string, Socket>();
  readonly #buckets = new TokenBuckets(1000);
  readonly #waiting = new Set<NodeJS.Timeout>();
  readonly #questions: Counter;
  #interfaces: LanInterface[] = [];
  #timers: NodeJS.Timeout[] = [];
  #isClosed = false;

  constructor(options: SsdpServerOptions) {
    this.#options = options;
    this.#questions = new Counter({
      name: 'ssdp_questions_total',
      help: 'Searches for devices in the home network, by what became of them',
      labelNames: ['result'],
      registers: [options.metrics.registry],
    });
  }

  /** Opens the port, which programs share, and announces the device. */
  async listen(): Promise<void> {
    const { log } = this.#options;
    this.#listener.bind({ port: SSDP_GROUP.port, address: '0.0.0.0' });
    await once(this.#listener, 'listening');
    this.#listener.on('error', (error) => log.debug({ err: error }, 'an answer could not be sent'));
    this.#listener.on('message', (datagram, from) => this.#hear(datagram, from));
    await this.#followInterfaces();
    this.#timers = [
      setInterval(() => void this.#attempt(() => this.#followInterfaces()), LOOK_AT_INTERFACES_EVERY_MS),
      setInterval(() => void this.#attempt(() => this.#announce(this.#interfaces)), ANNOUNCE_EVERY_MS),
    ];
  }

  /** What fails now, such as for want of a file descriptor, is done the next time. */
  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#options.log.warn({ err: error }, 'the home network could not be followed; trying again');
    }
  }

  /** Where it is heard just now. */
  get interfaces(): readonly LanInterface[] {
    return this.#interfaces;
  }

  #hear(datagram: Buffer, { address, port }: RemoteInfo): void {
    // Nobody can be answered at port 0: sending to it throws. Nor can anybody by a socket that is about to close.
    if (port === 0 || this.#isClosed) return;
    // Before it is read: others announce themselves all the time, and that is no question.
    if (!datagram.subarray(0, 8).equals(M_SEARCH)) return;
    const result = this.#answer(datagram, address, port);
    this.#questions.inc({ result });
  }

  #answer(datagram: Buffer, address: string, port: number): Result {
    const { device, locationAt, clock } = this.#options;
    const own = findInterfaceOf(this.#interfaces, address);
    if (!own) return 'stranger';
    const question = parseSsdpQuestion(datagram);
    const answers = question ? writeSsdpAnswers(question, device, locationAt(own.address)) : [];
    if (!question || answers.length === 0) return 'not_ours';
    if (this.#waiting.size >= MAX_WAITING || this.#buckets.take(address, QUESTIONS, clock.elapsedMs()) > 0)
      return 'too_many';
    const timer = setTimeout(
      () => {
        this.#waiting.delete(timer);
        for (const answer of answers) this.#listener.send(answer, port, address);
      },
      Math.random() * question.withinSeconds * 1000,
    );
    this.#waiting.add(timer);
    return 'answered';
  }

  /** Joins the group on interfaces that came, and forgets those that went. */
  async #followInterfaces(): Promise<void> {
    const now = this.#options.interfaces();
    const came = now.filter(({ address }) => !this.#speakers.has(address));
    for (const [address, socket] of this.#speakers) {
      if (now.some((each) => each.address === address)) continue;
      socket.close();
      this.#speakers.delete(address);
    }
    const joined: LanInterface[] = [];
    for (const each of came) if (await this.#join(each)) joined.push(each);
    this.#interfaces = now.filter(({ address }) => this.#speakers.has(address));
    if (joined.length === 0) return;
    this.#options.log.info({ interfaces: joined }, 'announced in the home network');
    // What somebody still remembers of an earlier run is taken back first.
    await this.#say(joined, () => writeByebye(this.#options.device));
    await this.#announce(joined);
  }

  async #join({ name, address }: LanInterface): Promise<boolean> {
    const { log } = this.#options;
    const speaker = createSocket({ type: 'udp4' });
    try {
      speaker.bind({ address, port: 0 });
      await once(speaker, 'listening');
      speaker.on('error', (error) => log.debug({ err: error, name }, 'an announcement could not be sent'));
      speaker.setMulticastInterface(address);
      speaker.setMulticastTTL(MULTICAST_TTL);
      this.#listener.addMembership(SSDP_GROUP.address, address);
    } catch (error) {
      // An address that comes back is joined already; anything else is tried again.
      if (!isJoinedAlready(error)) {
        log.warn({ err: error, name, address }, 'the home network cannot be announced to here; trying again');
        speaker.close();
        return false;
      }
    }
    if (this.#isClosed) speaker.close();
    else this.#speakers.set(address, speaker);
    return !this.#isClosed;
  }

  async #announce(interfaces: readonly LanInterface[]): Promise<void> {
    const { device, locationAt } = this.#options;
    const alive = ({ address }: LanInterface): Buffer[] => writeAlive(device, locationAt(address));
    await this.#say(interfaces, alive);
    await sleep(AGAIN_AFTER_MS);
    if (!this.#isClosed) await this.#say(interfaces, alive);
  }

  async #say(
    interfaces: readonly LanInterface[],
    write: (each: LanInterface) => readonly Buffer[],
  ): Promise<void> {
    for (const each of interfaces)
      for (const message of write(each)) await this.#send(this.#speakers.get(each.address), message);
  }

  /** Whether it was sent or not: a network that is down hears nothing. */
  async #send(speaker: Socket | undefined, message: Buffer): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (!speaker) return;
    speaker.send(message, SSDP_GROUP.port, SSDP_GROUP.address, () => resolve());
    await promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const timer of [...this.#timers, ...this.#waiting]) clearTimeout(timer);
    await this.#say(this.#interfaces, () => writeByebye(this.#options.device));
    for (const socket of [this.#listener, ...this.#speakers.values()])
      await new Promise<void>((resolve) => socket.close(resolve));
  }
}

const M_SEARCH = Buffer.from('M-SEARCH');
const isJoinedAlready = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
