import type { IncomingMessage, ServerResponse } from 'node:http';
import { networkOf } from '../../../lib/network-of.ts';

/** The part of all places that one address may hold: a few slow senders leave the others to everybody else. */
const SHARE = 1 / 8;

/**
 * Bodies that are being received, which are in memory before anybody handles them: so many at once, and so many of one address.
 * None holds its place for longer than a request may take to arrive.
 */
export class ArrivingBodies {
  readonly #max: number;
  readonly #maxOfAddress: number;
  readonly #ofNetwork = new Map<string, number>();
  #inUse = 0;

  constructor(max: number) {
    this.#max = max;
    this.#maxOfAddress = Math.max(1, Math.floor(max * SHARE));
  }

  get inUse(): number {
    return this.#inUse;
  }

  /** Whether there is a place; it is free again when the body is there, or the caller has gone. */
  admit(address: string, request: IncomingMessage, response: ServerResponse): boolean {
    const network = networkOf(address);
    const held = this.#ofNetwork.get(network) ?? 0;
    if (this.#inUse >= this.#max || held >= this.#maxOfAddress) return false;
    this.#inUse += 1;
    this.#ofNetwork.set(network, held + 1);
    let isHeld = true;
    const free = (): void => {
      if (isHeld) this.#free(network);
      isHeld = false;
    };
    request.once('end', free);
    response.once('close', free);
    return true;
  }

  #free(network: string): void {
    const left = (this.#ofNetwork.get(network) ?? 1) - 1;
    this.#inUse -= 1;
    if (left > 0) this.#ofNetwork.set(network, left);
    else this.#ofNetwork.delete(network);
  }
}
