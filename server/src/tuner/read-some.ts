import { IcySplitter } from '../formats/icy/icy-splitter.ts';
import type { TunedIn } from './tuned-in.ts';

export interface Heard {
  /** Without the titles that were between it. */
  audio: Buffer;
  /** Each that differs from the one before; empty where the station says nothing. */
  titles: string[];
  /** All that came, titles too. */
  bytes: number;
  /** Why there is no more: that was enough, the stream ended, the time is over, the connection broke. */
  ended: 'enough' | 'end' | 'late' | 'broken';
}

const MOST_TITLES = 20;
/** Titles are small beside the sound; who sends more of them than sound is left. */
const MOST_OVERHEAD = 64 * 1024;

/**
 * Listens until there is so much sound, or so long; a stream that was listened to for too long is closed. With
 * `untilTitle` the first block of titles is enough.
 */
export async function readSome(
  tuned: TunedIn,
  maxBytes: number,
  deadlineMs: number,
  untilTitle = false,
): Promise<Heard> {
  const gathering = new Gathering(tuned.metaint, maxBytes, untilTitle);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    tuned[Symbol.dispose]();
  }, deadlineMs);
  try {
    for await (const piece of tuned.body) if (gathering.add(piece)) return gathering.heard('enough');
    return gathering.heard(isLate ? 'late' : 'end');
  } catch {
    return gathering.heard('broken');
  } finally {
    clearTimeout(timer);
  }
}

class Gathering {
  readonly #splitter: IcySplitter;
  readonly #enough: number;
  readonly #audio: Buffer[] = [];
  readonly #untilTitle: boolean;
  readonly #titles: string[] = [];
  #filled = 0;
  #bytes = 0;

  constructor(metaint: number | undefined, maxBytes: number, untilTitle: boolean) {
    this.#splitter = new IcySplitter(metaint);
    this.#enough = maxBytes;
    this.#untilTitle = untilTitle;
  }

  /** Whether that is enough. */
  add(piece: Buffer): boolean {
    this.#bytes += piece.length;
    const { audio, titles } = this.#splitter.push(piece);
    for (const part of audio) this.#keep(part);
    for (const title of titles)
      if (title !== this.#titles.at(-1) && this.#titles.length < MOST_TITLES) this.#titles.push(title);
    if (this.#untilTitle && this.#titles.length > 0) return true;
    return this.#filled >= this.#enough || this.#bytes > 2 * this.#enough + MOST_OVERHEAD;
  }

  #keep(part: Buffer): void {
    const kept = part.subarray(0, this.#enough - this.#filled);
    if (kept.length > 0) this.#audio.push(kept);
    this.#filled += kept.length;
  }

  heard(ended: Heard['ended']): Heard {
    const [only] = this.#audio;
    // Most stations send at once what is wanted, in one piece, which is not copied then.
    const audio = only && this.#audio.length === 1 ? only : Buffer.concat(this.#audio);
    return { audio, titles: this.#titles, bytes: this.#bytes, ended };
  }
}
