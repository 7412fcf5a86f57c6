import type { Socket } from 'node:net';
import type { CheckedAddress } from './check-address.ts';
import { unlessAborted } from './deadline.ts';
import { type Take, dial } from './dial.ts';
import { FetchFailed } from './fetch-failed.ts';
import { networkOf } from './network-of.ts';
import type { Policy } from './policy.ts';
import { NoSeat, Seats } from './seats.ts';

/** How many may be connected to a host at once; where there are several workers they share it. */
export interface HostSeats {
  take(host: string, signal: AbortSignal): Promise<Disposable>;
}

export const SEATS = { host: 2, network: 10, all: 200, lookups: 200 };
const LONGEST_LINE = 1000;
const LONGEST_LINE_OF_HOST = 100;

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

  async open(to: CheckedAddress, signal: AbortSignal, take?: Take): Promise<Socket> {
    const seats: Disposable[] = [];
    const leave = (): void => {
      for (const seat of seats) seat[Symbol.dispose]();
    };
    try {
      seats.push(await inTurn(this.#hosts.take(to.host, signal), to.host, signal));
      const lookup = await seatAt(this.#lookups, 'all', 'the look-ups', signal);
      seats.push(lookup);
      const admit = async (ip: string): Promise<void> => {
        lookup[Symbol.dispose]();
        const network = networkOf(ip);
        seats.push(await seatAt(this.#networks, network, `the network ${network}`, signal));
        seats.push(await seatAt(this.#all, 'all', 'any', signal));
      };
      const socket = await dial(to, this.#policy, signal, admit, take);
      return socket.once('close', leave);
    } catch (error) {
      leave();
      throw error;
    }
  }
}

/** Most seats are free, and who does not wait needs no signal that ends the wait. */
const seatAt = (
  seats: Seats,
  key: string,
  where: string,
  signal: AbortSignal,
): Disposable | Promise<Disposable> => seats.takeFree(key) ?? inTurn(seats.take(key, signal), where, signal);

/** That no seat was free in time is no fault of the host. */
async function inTurn(taking: Promise<Disposable>, where: string, signal: AbortSignal): Promise<Disposable> {
  try {
    return await unlessAborted(taking, signal);
  } catch (error) {
    taking.then(
      (seat) => seat[Symbol.dispose](),
      () => undefined,
    );
    throw signal.reason instanceof FetchFailed ? new NoSeat(`no seat at ${where} in time`) : error;
  }
}
