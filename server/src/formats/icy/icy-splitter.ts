import { parseStreamTitle } from './stream-title.ts';

export interface Split {
  audio: Buffer[];
  /** What each block with a `StreamTitle` says; empty where the station says nothing. */
  titles: string[];
}

const LARGEST_METAINT = 2 ** 20;
const UNIT = 16;

/** How many bytes of sound stand between two blocks of titles; what is out of bounds is as good as unsaid. */
export function parseMetaint(text: string | undefined): number | undefined {
  const metaint = /^\d{1,7}$/.test(text ?? '') ? Number(text) : 0;
  return metaint >= 1 && metaint <= LARGEST_METAINT ? metaint : undefined;
}

/** Takes the titles out of a stream, in pieces of any size. A block is 4,080 bytes at most: its length is one byte. */
export class IcySplitter {
  readonly #metaint: number;
  #untilBlock: number;
  #block: Buffer | undefined;
  #filled = 0;

  /** Without a `metaint` that can be believed, all is sound. */
  constructor(metaint: number | undefined) {
    this.#metaint = parseMetaint(String(metaint)) ?? Infinity;
    this.#untilBlock = this.#metaint;
  }

  push(chunk: Buffer): Split {
    const split: Split = { audio: [], titles: [] };
    for (let at = 0; at < chunk.length;) {
      if (this.#untilBlock > 0) at += this.#takeAudio(chunk, at, split);
      else if (this.#block) at += this.#fillBlock(this.#block, chunk, at, split);
      else at += this.#beginBlock(chunk.readUInt8(at));
    }
    return split;
  }

  #takeAudio(chunk: Buffer, at: number, split: Split): number {
    const audio = chunk.subarray(at, Math.min(chunk.length, at + this.#untilBlock));
    split.audio.push(audio);
    this.#untilBlock -= audio.length;
    return audio.length;
  }

  #beginBlock(length: number): 1 {
    if (length === 0) this.#untilBlock = this.#metaint;
    else this.#block = Buffer.allocUnsafe(length * UNIT);
    this.#filled = 0;
    return 1;
  }

  #fillBlock(block: Buffer, chunk: Buffer, at: number, split: Split): number {
    const copied = chunk.copy(block, this.#filled, at);
    this.#filled += copied;
    if (this.#filled < block.length) return copied;
    const { title } = parseStreamTitle(block);
    if (title !== undefined) split.titles.push(title);
    this.#block = undefined;
    this.#untilBlock = this.#metaint;
    return copied;
  }
}
