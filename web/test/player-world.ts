import { REACH_DEADLINE_MS } from '../src/player/engine/reachable.ts';
import { Engine } from '../src/player/engine/engine.ts';
import type { EngineDeps, Failure, Positions, Tuned } from '../src/player/engine/deps.ts';
import type { PlayerItem, PlayerStream } from '../src/player/engine/state.ts';
import { FakeSound } from './fake-sound.ts';

export const STATION: PlayerItem = { kind: 'station', guideId: 's1', name: 'Harbour Folk' };
export const TOPIC: PlayerItem = { kind: 'topic', guideId: 't7', name: 'First Light' };

export const stream = (address: string, mediaType = 'mp3'): PlayerStream => ({
  address,
  guideId: 'e1',
  mediaType,
  bitrate: 128,
});

interface Timer {
  at: number;
  ring: () => void;
}

/** An engine with its own time, whose streams and directory do what a test says. */
export class PlayerWorld {
  readonly sound = new FakeSound();
  readonly reports: string[] = [];
  readonly positions = new Map<string, number>();
  readonly hls: string[] = [];
  readonly engine: Engine;
  tuned: Tuned | Error = { streams: [], isIncompatible: false };
  isOnline = true;
  /** Whether our own server answers. */
  isReachable = true;
  /** By how much the wall clock is ahead of the other. */
  asleepMs = 0;
  readonly #returns = new Set<() => void>();
  now = 0;
  #timers: Timer[] = [];

  constructor(more: Partial<EngineDeps> = {}) {
    this.engine = new Engine({ ...this.#deps(), ...more });
  }

  streams(...addresses: readonly string[]): void {
    this.tuned = { streams: addresses.map((address) => stream(address)), isIncompatible: false };
  }

  /** Lets time pass in steps of a tenth of a second, with all that happens in it. */
  async pass(seconds: number): Promise<void> {
    for (let step = 0; step < seconds * 10; step++) {
      this.now += 100;
      this.sound.elapse(100);
      const due = this.#timers.filter(({ at }) => at <= this.now);
      this.#timers = this.#timers.filter(({ at }) => at > this.now);
      for (const { ring } of due) ring();
      await settle();
    }
    await settle();
  }

  /** There is a network again. */
  comeBack(): void {
    for (const then of this.#returns) then();
  }

  #deps(): EngineDeps {
    return {
      sound: this.sound,
      tune: async () => {
        if (this.tuned instanceof Error) throw this.tuned;
        return this.tuned;
      },
      report: (item, { address }, { message, code }: Failure) =>
        this.reports.push(`${item.guideId} ${address} ${code} ${message}`),
      openHls: async (address) => {
        this.hls.push(address);
        this.sound.src = address;
        return () => this.hls.push('closed');
      },
      positions: this.#positions(),
      isSecurePage: false,
      isOnline: () => this.isOnline,
      isReachable: async () => this.isReachable || this.#waitLong(),
      wallNow: () => this.now + this.asleepMs,
      onReturn: (then) => {
        this.#returns.add(then);
        return () => this.#returns.delete(then);
      },
      now: () => this.now,
      after: (ms, ring) => {
        const timer = { at: this.now + ms, ring };
        this.#timers.push(timer);
        return () => {
          this.#timers = this.#timers.filter((other) => other !== timer);
        };
      },
    };
  }

  /** As where every packet is lost: the first one is sent again ever more rarely, and answered when the network is back. */
  #waitLong(): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    for (const seconds of [1, 2, 3, 4, 5, 7, 11, 19])
      this.#timers.push({ at: this.now + seconds * 1000, ring: () => this.isReachable && resolve(true) });
    this.#timers.push({ at: this.now + REACH_DEADLINE_MS, ring: () => resolve(false) });
    return promise;
  }

  #positions(): Positions {
    return {
      find: (id) => this.positions.get(id),
      set: (id, seconds) => void this.positions.set(id, seconds),
      forget: (id) => void this.positions.delete(id),
    };
  }
}

/** Promises that are settled already have all been heard after this. */
const settle = (): Promise<void> => new Promise((done) => setImmediate(done));
