import { hash, randomBytes } from 'node:crypto';
import type { ChosenProfile, ToldBy } from './choose-profile.ts';
import type { DeviceProfile } from './profile.ts';

const MOST_SERIALS = 20_000;
/** What a partner's devices all are, or a call is told to be for once, says nothing of the next call. */
const TELLING: ReadonlySet<ToldBy> = new Set(['userAgent', 'formats', 'nothing']);

/**
 * What a device was when it last said so. Many send their name with menus and nothing with the call that plays. A serial
 * is kept as a hash that no other process can make, and the one that called longest ago goes first.
 */
export class SerialMemory {
  readonly #salt = randomBytes(16).toString('base64');
  readonly #known = new Map<string, DeviceProfile>();
  readonly #most: number;

  constructor(most = MOST_SERIALS) {
    this.#most = most;
  }

  /** The choice as it is when it names itself, which is learnt; else what the same serial was known as before. */
  settle(serial: string | undefined, chosen: ChosenProfile): ChosenProfile {
    if (serial === undefined || !TELLING.has(chosen.toldBy)) return chosen;
    const key = hash('sha1', this.#salt + serial, 'base64');
    if (chosen.toldBy === 'userAgent') {
      this.#remember(key, chosen.profile);
      return chosen;
    }
    const before = this.#known.get(key);
    if (before === undefined) return chosen;
    this.#remember(key, before);
    return { profile: before, toldBy: 'serial' };
  }

  #remember(key: string, profile: DeviceProfile): void {
    this.#known.delete(key);
    this.#known.set(key, profile);
    if (this.#known.size <= this.#most) return;
    const [oldest] = this.#known.keys();
    if (oldest !== undefined) this.#known.delete(oldest);
  }
}
