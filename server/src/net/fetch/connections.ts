import type { Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import { type AllowedIp, allowedIps, dial, type Take } from './dial.ts';
import { FetchFailed, UnsafeAddress } from './fetch-failed.ts';
import type { Deadline, Waiting } from './deadline.ts';
import type { CheckedAddress, Policy } from './policy.ts';
import { HostBusy, HostLimiter } from './host-limiter.ts';

/** Limits concurrent connections per host; several workers share one limit. */
export interface HostLimits {
  take(host: string, waiting: Waiting): Disposable | Promise<Disposable>;
}

/** Connections at a time: to a host, to a network, in all; and names looked up. */
export interface ConnectionLimits {
  host: number;
  network: number;
  all: number;
  lookups: number;
}

/** For visits of seconds. */
export const HOST_LIMITER: ConnectionLimits = { host: 2, network: 10, all: 200, lookups: 200 };
const MAX_QUEUE = 1000;
const MAX_HOST_QUEUE = 100;
const ALL = 'all';

/**
 * Opens connections within limits. A slot belongs to its connection and is freed when that closes, whoever closes it.
 * The most contended slots are taken last, so that waiting for a slow host blocks nobody else.
 */
export class Connections {
  readonly #policy: Policy;
  readonly #hosts: HostLimits;
  readonly #lookups: HostLimiter;
  readonly #networks: HostLimiter;
  readonly #all: HostLimiter;

  constructor(policy: Policy, hosts?: HostLimits, limits: ConnectionLimits = HOST_LIMITER) {
    this.#policy = policy;
    this.#hosts = hosts ?? new HostLimiter(limits.host, MAX_HOST_QUEUE);
    this.#lookups = new HostLimiter(limits.lookups, MAX_QUEUE);
    this.#networks = new HostLimiter(limits.network, MAX_QUEUE);
    this.#all = new HostLimiter(limits.all, MAX_QUEUE);
  }

  /** Like players, tries the next address of a name when one does not answer; `known` are the remaining ones. */
  async open(
    to: CheckedAddress,
    deadline: Deadline,
    take?: Take,
    known?: readonly AllowedIp[],
  ): Promise<Socket> {
    const slots: Disposable[] = [];
    let ips = known;
    try {
      slots.push(await inTurn(this.#hosts.take(to.host, deadline), to.host, deadline));
      const lookup = await inTurn(this.#lookups.take(ALL, deadline), 'name look-ups', deadline);
      slots.push(lookup);
      ips ??= await allowedIps(to.host, this.#policy, deadline);
      const ip = firstOf(ips);
      lookup[Symbol.dispose]();
      const network = networkOf(ip);
      slots.push(await inTurn(this.#networks.take(network, deadline), `the network ${network}`, deadline));
      slots.push(await inTurn(this.#all.take(ALL, deadline), 'any host', deadline));
      const socket = await dial(ip, to, this.#policy, deadline, take);
      return socket.once('close', () => {
        leave(slots);
        releaseListeners(socket);
      });
    } catch (error) {
      leave(slots);
      const others = ips?.slice(1) ?? [];
      if (!isUnanswered(error) || deadline.isOver || others.length === 0) throw error;
      return await this.open(to, deadline, take, others);
    }
  }
}

function firstOf([first]: readonly AllowedIp[]): AllowedIp {
  if (first === undefined) throw new UnsafeAddress('the name has no address');
  return first;
}

const isUnanswered = (error: unknown): boolean => error instanceof FetchFailed && error.step === 'connect';

function leave(slots: readonly Disposable[]): void {
  for (const slot of slots) slot[Symbol.dispose]();
}

/**
 * Node keeps a closed socket and all its listeners until the next full garbage collection; at thousands of connections
 * a second that is most of what the collector has to trace.
 */
function releaseListeners(socket: Socket): void {
  socket.removeAllListeners().on('error', ignore);
}

const ignore = (): void => undefined;

/** Skips the promise when a slot is free, as most are. */
const inTurn = (
  taken: Disposable | Promise<Disposable>,
  where: string,
  deadline: Deadline,
): Disposable | Promise<Disposable> => (taken instanceof Promise ? waitedFor(taken, where, deadline) : taken);

/** Waiting too long for a slot is reported as HostBusy, not as the host's failure. */
async function waitedFor(
  taking: Promise<Disposable>,
  where: string,
  deadline: Deadline,
): Promise<Disposable> {
  try {
    return await deadline.waitFor(taking);
  } catch (error) {
    taking.then(
      (slot) => slot[Symbol.dispose](),
      () => undefined,
    );
    throw error instanceof FetchFailed ? new HostBusy(`no free connection slot for ${where} in time`) : error;
  }
}

const NETWORK_BYTES = { ipv4: 3, ipv6: 6 };

/** The network that usually belongs to one owner: the /24 of an IPv4 address, the /48 of an IPv6 one. */
function networkOf(ip: string): string {
  if (!ip.includes(':')) return ip.slice(0, ip.lastIndexOf('.'));
  const address = ipaddr.process(ip);
  return address.toByteArray().slice(0, NETWORK_BYTES[address.kind()]).join('.');
}
