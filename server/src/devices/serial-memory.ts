import { hash, randomBytes } from 'node:crypto';
import { ownText } from '../lib/own-text.ts';
import type { ChosenProfile, ToldBy } from './choose-profile.ts';
import type { DeviceProfile } from './profile.ts';

const MOST_SERIALS = 20_000;
/** Serials whose hash is at hand, and for how long: a radio that is used asks again within seconds. */
const MOST_AT_HAND = 2000;
const AT_HAND_MS = 10_000;
/** What a partner's devices all are, or a call is told to be for once, says nothing of the next call. */
const TELLING: ReadonlySet<ToldBy> = new Set(['userAgent', 'formats', 'nothing']);

/**
 * What a device was when it last said so. Many send their name with menus and nothing with the call that plays. A serial
 * is kept as a hash that no other process can make, and the one that called longest ago goes first.
 */
export class SerialMemory {
  readonly #salt = randomBytes(16).toString('base64');
  readonly #known = new Map<string, DeviceProfile>();
  /** Of who called in the last seconds: serials as they came, and therefore emptied as a whole soon after. */
  readonly #hashes = new Map<string, string>();
  readonly #most: number;

  constructor(most = MOST_SERIALS) {
    this.#most = most;
  }

  /** What a serial is kept as. */
  keyOf(serial: string): string {
    return this.#hashes.get(serial) ?? this.#hash(serial);
  }

  /** The choice as it is when it names itself, which is learnt; else what the same device was known as before. */
  settle(key: string | undefined, chosen: ChosenProfile): ChosenProfile {
    if (key === undefined || !TELLING.has(chosen.toldBy)) return chosen;
    if (chosen.toldBy === 'userAgent') {
      this.#remember(key, chosen.profile);
      return chosen;
    }
    const before = this.#known.get(key);
    if (before === undefined) return chosen;
    this.#remember(key, before);
    return { profile: before, toldBy: 'serial' };
  }

  #hash(serial: string): string {
    const made = hash('sha1', this.#salt + serial, 'base64');
    if (this.#hashes.size >= MOST_AT_HAND) this.#hashes.clear();
    this.#hashes.set(ownText(serial), made);
    if (this.#hashes.size === 1) setTimeout(() => this.#hashes.clear(), AT_HAND_MS).unref();
    return made;
  }

  #remember(key: string, profile: DeviceProfile): void {
    this.#known.delete(key);
    this.#known.set(key, profile);
    if (this.#known.size <= this.#most) return;
    const [oldest] = this.#known.keys();
    if (oldest !== undefined) this.#known.delete(oldest);
  }
}
