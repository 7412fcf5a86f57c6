import { setTimeout as sleep } from 'node:timers/promises';

export const PARTNER = 'drill';
const WRITERS = 16;
const DEVICES = 4;
/** Below the limit of an account. */
const SAVED_PER_DEVICE = 400;
const PAUSE_MS = 50;

/** Something to save or to remove: a station by its guide ID, or an address. */
export interface Write {
  c: 'add' | 'remove';
  serial: string;
  item: string;
}

/**
 * Sixteen writers on four devices at a time, so that they meet in the same folders. What is saved is one of a kind, and
 * some of it is removed again.
 */
export class Writers {
  /** The last word on each item: what was acknowledged, and nothing sent after it. */
  readonly settled = new Map<string, Write>();
  readonly complaints = new Set<string>();
  acknowledged = 0;
  /** Sent, and no answer, or the answer that it could not be done now. */
  inDoubt = 0;
  readonly #origin: () => string;
  readonly #stations: readonly string[];
  #made = 0;

  constructor(origin: () => string, stations: readonly string[]) {
    this.#origin = origin;
    this.#stations = stations;
  }

  async writeUntil(signal: AbortSignal): Promise<void> {
    const writing = async (): Promise<void> => {
      while (!signal.aborted) await this.#live(this.#made++, signal);
    };
    await Promise.all(Array.from({ length: WRITERS }, writing));
  }

  /** Every second device is patient; every fifth listener thinks better of it. */
  async #live(number: number, signal: AbortSignal): Promise<void> {
    const isPatient = number % 2 === 0;
    const write = this.#writeOf(number);
    const isSaved = await this.#send(write, isPatient, signal);
    // An address goes by the guide ID it was given, which is another call; stations will do.
    if (isSaved && number % 5 === 0 && !write.item.startsWith('http'))
      await this.#send({ ...write, c: 'remove' }, isPatient, signal);
  }

  /** A patient device sends again until it is answered; what another sent stays in doubt. */
  async #send(write: Write, isPatient: boolean, signal: AbortSignal): Promise<boolean> {
    const key = `${write.serial} ${write.item}`;
    this.settled.delete(key);
    const outcome = await send(this.#origin(), write);
    if (outcome === 'in doubt') {
      this.inDoubt += 1;
      await sleep(PAUSE_MS);
      return isPatient && !signal.aborted && this.#send(write, isPatient, signal);
    }
    if (outcome !== 'acknowledged') this.complaints.add(outcome);
    this.acknowledged += 1;
    this.settled.set(key, write);
    return true;
  }

  #writeOf(number: number): Write {
    const place = Math.floor(number / DEVICES) % SAVED_PER_DEVICE;
    const round = Math.floor(number / DEVICES / SAVED_PER_DEVICE);
    return {
      c: 'add',
      serial: `drill${round}x${number % DEVICES}`,
      item: this.#stations[place] ?? `http://stream.example.net/${place}.mp3`,
    };
  }
}

/** What is neither an acknowledgement nor the word that it cannot be done now is a complaint. */
async function send(origin: string, { c, serial, item }: Write): Promise<string> {
  const what = item.startsWith('http') ? { url: item } : { id: item };
  const query = new URLSearchParams({ c, partnerId: PARTNER, serial, ...what }).toString();
  try {
    const response = await fetch(`${origin}/Preset.ashx?${query}`, { signal: AbortSignal.timeout(15_000) });
    const text = await response.text();
    if (response.status === 200 && text.includes('<status>200</status>')) return 'acknowledged';
    return text.includes('<status>503</status>')
      ? 'in doubt'
      : `${c} ${item}: HTTP ${response.status}, ${text}`;
  } catch {
    return 'in doubt';
  }
}
