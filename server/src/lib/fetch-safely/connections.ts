import type { Socket } from 'node:net';
import type { CheckedAddress } from './check-address.ts';
import { type AllowedIp, type Take, allowedIps, dial } from './dial.ts';
import { FetchFailed } from './fetch-failed.ts';
import type { Waiting } from './late-signal.ts';
import { networkOf } from './network-of.ts';
import type { Patience } from './patience.ts';
import type { Policy } from './policy.ts';
import { NoSeat, Seats } from './seats.ts';
import { UnsafeAddress } from './unsafe-address.ts';

/** How many may be connected to a host at once; where there are several workers they share it. */
export interface HostSeats {
  take(host: string, waiting: Waiting): Disposable | Promise<Disposable>;
}

export const SEATS = { host: 2, network: 10, all: 200, lookups: 200 };
const LONGEST_LINE = 1000;
const LONGEST_LINE_OF_HOST = 100;
const ALL = 'all';

/**
 * Opens connections, so many at once. A seat belongs to its connection: it is free when that closes, whoever closes it.
 * The seats that many wait for are taken last, so that who waits for a slow host keeps none from the others.
 */
export class Connections {
  readonly #policy: Policy;
  readonly #hosts: HostSeats;
  readonly #lookups = new Seats(SEATS.lookups, LONGEST_LINE);
  readonly #networks = new Seats(SEATS.network, LONGEST_LINE);
  readonly #all = new Seats(SEATS.all, LONGEST_LINE);

  constructor(policy: Policy, hosts: HostSeats = new Seats(SEATS.host, LONGEST_LINE_OF_HOST)) {
    this.#policy = policy;
    this.#hosts = hosts;
  }

  /** Where nobody answers at one of a name's addresses players go on to the next, and so do we; `known` are those left. */
  async open(
    to: CheckedAddress,
    patience: Patience,
    take?: Take,
    known?: readonly AllowedIp[],
  ): Promise<Socket> {
    const seats: Disposable[] = [];
    let ips = known;
    try {
      seats.push(await inTurn(this.#hosts.take(to.host, patience), to.host, patience));
      const lookup = await inTurn(this.#lookups.take(ALL, patience), 'the look-ups', patience);
      seats.push(lookup);
      ips ??= await allowedIps(to.host, this.#policy, patience);
      const ip = firstOf(ips);
      lookup[Symbol.dispose]();
      const network = networkOf(ip);
      seats.push(await inTurn(this.#networks.take(network, patience), `the network ${network}`, patience));
      seats.push(await inTurn(this.#all.take(ALL, patience), 'any', patience));
      const socket = await dial(ip, to, this.#policy, patience, take);
      return socket.once('close', () => {
        leave(seats);
        forgetAll(socket);
      });
    } catch (error) {
      leave(seats);
      const others = ips?.slice(1) ?? [];
      if (!isUnanswered(error) || patience.isOver || others.length === 0) throw error;
      return await this.open(to, patience, take, others);
    }
  }
}

function firstOf([first]: readonly AllowedIp[]): AllowedIp {
  if (first === undefined) throw new UnsafeAddress('the name has no address');
  return first;
}

const isUnanswered = (error: unknown): boolean => error instanceof FetchFailed && error.step === 'connect';

function leave(seats: readonly Disposable[]): void {
  for (const seat of seats) seat[Symbol.dispose]();
}

/**
 * Node keeps a socket that is closed until the next full garbage collection, and with it all that listens to it; of thousands
 * of connections a second that is most of what the garbage collector carries about.
 */
function forgetAll(socket: Socket): void {
  socket.removeAllListeners().on('error', ignore);
}

const ignore = (): void => undefined;

/** Most seats are free, and need none of this. */
const inTurn = (
  taken: Disposable | Promise<Disposable>,
  where: string,
  patience: Patience,
): Disposable | Promise<Disposable> => (taken instanceof Promise ? waitedFor(taken, where, patience) : taken);

/** That no seat was free in time is no fault of the host. */
async function waitedFor(
  taking: Promise<Disposable>,
  where: string,
  patience: Patience,
): Promise<Disposable> {
  try {
    return await patience.waitFor(taking);
  } catch (error) {
    taking.then(
      (seat) => seat[Symbol.dispose](),
      () => undefined,
    );
    throw error instanceof FetchFailed ? new NoSeat(`no seat at ${where} in time`) : error;
  }
}
