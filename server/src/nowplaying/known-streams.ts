import { LRUCache } from 'lru-cache';
import { type Way, firstWay } from './way.ts';

/** What this poller has learnt of a stream; another learns for itself. */
export interface KnownStream {
  way: Way;
  /** Its server tells nothing of use: nobody looks there again. */
  hasNoStatus: boolean;
  /** It never says what it plays. */
  isMute: boolean;
  /** How often it named no song, unless it ever did. */
  silences: number;
  /** How often in a row it did not answer. */
  failures: number;
}

const MOST = 100_000;
/** Stations change their servers; what was learnt is looked at anew. */
const FORGET_MS = 30 * 60_000;

export class KnownStreams {
  readonly #known = new LRUCache<number, KnownStream>({ max: MOST, ttl: FORGET_MS });

  of({ id, address }: { id: number; address: string }): KnownStream {
    const known = this.#known.get(id);
    if (known) return known;
    const fresh = { way: firstWay(address), hasNoStatus: false, isMute: false, silences: 0, failures: 0 };
    this.#known.set(id, fresh);
    return fresh;
  }

  /** Whoever said nothing so far may have begun to. */
  askAgain(streams: readonly { id: number; address: string }[]): void {
    for (const stream of streams) this.of(stream).isMute = false;
  }

  /** The first that names its songs and answers; else the one that failed least. Nothing when all are mute. */
  choose<S extends { id: number; address: string }>(streams: readonly S[]): S | undefined {
    const speaking = streams.filter((stream) => !this.of(stream).isMute);
    return speaking.toSorted((one, other) => this.of(one).failures - this.of(other).failures)[0];
  }
}
