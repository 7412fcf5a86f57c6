import { hash, randomBytes } from 'node:crypto';
import { ownText } from '../../lib/memoize.ts';
import type { DeviceProfile } from './profile.ts';
import type { Siblings } from '../../net/processes/supervisor-link.ts';
import { type ChosenProfile, findProfile, type ProfileSource } from './profiles.ts';

const MAX_SERIALS = 20_000;
/** Serials with a cached hash, and for how long: a radio in use calls again within seconds. */
const MAX_CACHED = 2000;
const CACHED_MS = 10_000;
/** A partner's profile or an explicit `device` says nothing about the next call. */
const INFORMATIVE: ReadonlySet<ProfileSource> = new Set(['userAgent', 'formats', 'nothing']);

/** The other processes of the machine, which answer calls of the same devices. */
export interface SharedSerials {
  /** The same in all of them, and in no others. */
  salt: string;
  siblings: Siblings;
}

const LEARNT = 'device of serial';

/**
 * The profile a device last identified with. Many send their name with menus but not with the call that plays, which another
 * process of the machine may answer: what one learns it tells the others. A serial is stored as a hash that nobody else can
 * compute, and the least recently used entry is removed first.
 */
export class SerialMemory {
  readonly #salt: string;
  readonly #siblings: Siblings | undefined;
  readonly #known = new Map<string, DeviceProfile>();
  /** Callers of the last seconds: contains serials in plain form, and is therefore cleared as a whole soon after. */
  readonly #hashes = new Map<string, string>();
  readonly #most: number;

  constructor(most = MAX_SERIALS, shared?: SharedSerials) {
    this.#most = most;
    this.#salt = shared?.salt ?? randomBytes(16).toString('base64');
    this.#siblings = shared?.siblings;
    shared?.siblings.onTold(LEARNT, (what) => {
      // oxlint-disable-next-line no-unsafe-type-assertion -- from a process of this program
      const [key, id] = what as [string, string];
      const profile = findProfile(id);
      if (profile) this.#keep(key, profile);
    });
  }

  /** The stored form of a serial. */
  keyOf(serial: string): string {
    return this.#hashes.get(serial) ?? this.#hash(serial);
  }

  /** If the device names itself, stores and returns that choice; else returns the profile the device had before. */
  settle(key: string | undefined, chosen: ChosenProfile): ChosenProfile {
    if (key === undefined || !INFORMATIVE.has(chosen.source)) return chosen;
    if (chosen.source === 'userAgent') {
      if (this.#siblings && this.#known.get(key) !== chosen.profile)
        this.#siblings.tell(LEARNT, [key, chosen.profile.id]);
      this.#keep(key, chosen.profile);
      return chosen;
    }
    const before = this.#known.get(key);
    if (before === undefined) return chosen;
    this.#keep(key, before);
    return { profile: before, source: 'serial' };
  }

  #hash(serial: string): string {
    const made = hash('sha1', this.#salt + serial, 'base64');
    if (this.#hashes.size >= MAX_CACHED) this.#hashes.clear();
    this.#hashes.set(ownText(serial), made);
    if (this.#hashes.size === 1) setTimeout(() => this.#hashes.clear(), CACHED_MS).unref();
    return made;
  }

  #keep(key: string, profile: DeviceProfile): void {
    this.#known.delete(key);
    this.#known.set(key, profile);
    if (this.#known.size <= this.#most) return;
    const [oldest] = this.#known.keys();
    if (oldest !== undefined) this.#known.delete(oldest);
  }
}
