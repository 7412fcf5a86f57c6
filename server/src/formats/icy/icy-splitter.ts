import { decodeText } from '../decode-text.ts';
import { cleanSongText } from '../song-text.ts';

interface Split {
  audio: Buffer[];
  /** The title in each block with a `StreamTitle`; empty where the station sends an empty one. */
  titles: string[];
}

const MAX_METAINT = 2 ** 20;
const UNIT = 16;

/** How many bytes of audio lie between two metadata blocks; an absurd value counts as missing. */
export function parseMetaint(text: string | undefined): number | undefined {
  const metaint = /^\d{1,7}$/.test(text ?? '') ? Number(text) : 0;
  return metaint >= 1 && metaint <= MAX_METAINT ? metaint : undefined;
}

/** Extracts the titles from a stream, in pieces of any size. A block is at most 4,080 bytes: its length is one byte. */
export class IcySplitter {
  readonly #metaint: number;
  #untilBlock: number;
  #block: Buffer | undefined;
  #filled = 0;

  /** Without a plausible `metaint`, everything is audio. */
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

const MAX_BLOCK_LENGTH = 4080;
const MAX_ADDRESS_LENGTH = 2048;

/**
 * `StreamTitle='It's a 'quoted' title';StreamUrl='…';`. Nothing in it is escaped, so a value ends at `';` and not at
 * the first quotation mark; the last one may be cut off by a server that has no more room.
 */
export function parseStreamTitle(block: Buffer): { title?: string; url?: string } {
  const end = block.indexOf(0);
  const text = decodeText(block.subarray(0, Math.min(end === -1 ? block.length : end, MAX_BLOCK_LENGTH)));
  const [title, url] = [
    valueOf(text, 'StreamTitle'),
    valueOf(text, 'StreamUrl')?.slice(0, MAX_ADDRESS_LENGTH),
  ];
  const address = url === undefined ? null : URL.parse(url);
  return {
    ...(title === undefined ? {} : { title: cleanSongText(title) }),
    ...(address?.protocol.startsWith('http') ? { url: address.href } : {}),
  };
}

function valueOf(text: string, name: string): string | undefined {
  const start = text.indexOf(`${name}='`);
  if (start === -1) return undefined;
  const from = start + name.length + 2;
  const end = text.indexOf("';", from);
  return end === -1 ? text.slice(from).replace(/'$/, '') : text.slice(from, end);
}
