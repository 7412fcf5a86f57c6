import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { waitUntil } from '../../../../scripts/services/service.ts';

export const PARTNER = 'drill';
/** Below the limit of an account. */
const SAVED_PER_DEVICE = 400;
const PAUSE_MS = 50;
const PATIENCE = { headersTimeout: 15_000, bodyTimeout: 15_000 };
/** How long after its return a database must be written to again, by a service that nobody restarted. */
const HEALED_MS = 10_000;

/** Something to save or to remove: a station by its guide ID, or an address. */
export interface Write {
  c: 'add' | 'remove';
  serial: string;
  item: string;
  /** The button to put it on; behind the others unless told. */
  presetNumber?: number;
}

/** Where an item has to be after all that its writer was told of it. */
export interface Told {
  serial: string;
  item: string;
  isThere: boolean;
  /** The last word was that nothing was changed. */
  isRefused: boolean;
}

/** What came of a write: done, not done, perhaps done, or an answer that it must never get. */
type Outcome = 'acknowledged' | 'refused' | 'unknown' | { complaint: string };

export interface WritersOptions {
  /** Sixteen unless told. */
  count?: number;
  /** Whose presets are saved at a time; four unless told, so that writers meet in the same folders. */
  devices?: number;
  /** Calls of all of them together, however they are answered; as many as the service takes unless told. */
  perSecond?: number;
}

/** What is saved is one of a kind, and some of it is removed again. */
export class Writers {
  /** By serial and item; what was perhaps done, and not answered since, is left out. */
  readonly told = new Map<string, Told>();
  readonly complaints = new Set<string>();
  acknowledged = 0;
  refused = 0;
  unknown = 0;
  readonly #inDoubt = new Set<string>();
  readonly #origin: () => string;
  readonly #stations: readonly string[];
  readonly #count: number;
  readonly #devices: number;
  readonly #turns: Turns;
  #made = 0;

  constructor(
    origin: () => string,
    stations: readonly string[],
    { count = 16, devices = 4, perSecond = Infinity }: WritersOptions = {},
  ) {
    this.#origin = origin;
    this.#stations = stations;
    this.#count = count;
    this.#devices = devices;
    this.#turns = new Turns(perSecond);
  }

  get sent(): number {
    return this.#turns.taken;
  }

  /** Writes for as long as the work takes; nobody may be answered what they must never be. */
  async during(work: () => Promise<void>): Promise<void> {
    await this.beside(work);
    assert.deepEqual([...this.complaints], []);
  }

  /** The same for a service with a fault, which answers what it likes. */
  async beside(work: () => Promise<void>): Promise<void> {
    const done = new AbortController();
    const writing = this.#writeUntil(done.signal);
    try {
      await work();
    } finally {
      done.abort();
      await writing;
    }
  }

  /** Of what was told earlier, all that nobody has touched since. */
  untouched(earlier: readonly Told[]): Told[] {
    return earlier.filter(
      ({ serial, item, isThere }) => this.told.get(`${serial} ${item}`)?.isThere === isThere,
    );
  }

  /** Writes go through again, so many of them. */
  async healed(withinMs = HEALED_MS, count = 1): Promise<void> {
    const enough = this.acknowledged + count;
    await waitUntil('the next acknowledged writes', async () => this.acknowledged >= enough, withinMs);
  }

  async #writeUntil(signal: AbortSignal): Promise<void> {
    const writing = async (): Promise<void> => {
      while (!signal.aborted) await this.#live(this.#made++, signal);
    };
    await Promise.all(Array.from({ length: this.#count }, writing));
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

  /** A patient device sends again until it is answered; with another it stays as the first answer left it. */
  async #send(write: Write, isPatient: boolean, signal: AbortSignal): Promise<boolean> {
    await this.#turns.next();
    const { serial, item, c } = write;
    const key = `${serial} ${item}`;
    const before = this.told.get(key);
    const isFirst = c === 'add' && !this.#inDoubt.has(key);
    this.told.delete(key);
    const outcome = await send(this.#origin(), write);
    if (typeof outcome === 'object') this.complaints.add(outcome.complaint);
    if (outcome === 'refused' || outcome === 'unknown') {
      this[outcome] += 1;
      if (outcome === 'unknown') this.#inDoubt.add(key);
      else if (before || isFirst)
        this.told.set(key, { serial, item, isThere: before?.isThere ?? false, isRefused: true });
      await sleep(PAUSE_MS);
      return isPatient && !signal.aborted && this.#send(write, isPatient, signal);
    }
    this.acknowledged += 1;
    this.#inDoubt.delete(key);
    this.told.set(key, { serial, item, isThere: c === 'add', isRefused: false });
    return true;
  }

  /** Some behind the others, which is one statement, and some on a button, which is several in a transaction. */
  #writeOf(number: number): Write {
    const place = Math.floor(number / this.#devices) % SAVED_PER_DEVICE;
    const round = Math.floor(number / this.#devices / SAVED_PER_DEVICE);
    return {
      c: 'add',
      serial: `drill${round}x${number % this.#devices}`,
      item: this.#stations[place] ?? `http://stream.example.net/${place}.mp3`,
      ...(place % 3 === 0 && { presetNumber: place + 1 }),
    };
  }
}

/** Evenly in time. Those that nobody was free to take are made up for, but not for longer than a second. */
class Turns {
  taken = 0;
  readonly #everyMs: number;
  #nextMs = 0;

  constructor(perSecond: number) {
    this.#everyMs = 1000 / perSecond;
  }

  async next(): Promise<void> {
    const now = performance.now();
    this.#nextMs = Math.max(this.#nextMs + this.#everyMs, now - 1000);
    this.taken += 1;
    if (this.#nextMs > now) await sleep(this.#nextMs - now);
  }
}

async function send(origin: string, { c, serial, item, presetNumber }: Write): Promise<Outcome> {
  const what = item.startsWith('http') ? { url: item } : { id: item };
  const where = c === 'add' && presetNumber !== undefined ? { presetNumber: String(presetNumber) } : {};
  const query = new URLSearchParams({ c, partnerId: PARTNER, serial, ...what, ...where }).toString();
  try {
    // At hundreds a second `fetch` takes as much of a processor as the service does.
    const response = await request(`${origin}/Preset.ashx?${query}`, PATIENCE);
    const text = await response.body.text();
    if (response.statusCode === 200 && text.includes('<status>200</status>')) return 'acknowledged';
    // Its headers did not come in within their time, on a machine that was held up: the call was never read.
    if (response.statusCode === 408) return 'refused';
    if (text.includes('<status>503</status>')) return 'refused';
    if (text.includes('<status>504</status>')) return 'unknown';
    return { complaint: `${c} ${item}: HTTP ${response.statusCode}, ${text}` };
  } catch {
    return 'unknown';
  }
}
