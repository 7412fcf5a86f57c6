import { ChunkedBody } from '../formats/icy/chunked-body.ts';
import type { Head } from '../formats/icy/head-reader.ts';
import { IcySplitter, parseMetaint } from '../formats/icy/icy-splitter.ts';

const MOST_TITLES = 20;

/** What of all that follows a head is its body, until it ends by its own account; titles are taken out. */
export class Framing {
  /** Each that differs from the one before; empty where the station says nothing. */
  readonly titles: string[] = [];
  readonly #chunked: ChunkedBody | undefined;
  readonly #splitter: IcySplitter | undefined;
  #left: number;

  constructor({ headers }: Pick<Head, 'headers'>) {
    const isChunked = headers.get('transfer-encoding')?.toLowerCase().endsWith('chunked') ?? false;
    this.#chunked = isChunked ? new ChunkedBody() : undefined;
    this.#left = isChunked ? Infinity : lengthOf(headers.get('content-length'));
    const metaint = parseMetaint(headers.get('icy-metaint'));
    this.#splitter = metaint === undefined ? undefined : new IcySplitter(metaint);
  }

  get isDone(): boolean {
    return this.#left <= 0 || this.#chunked?.isDone === true;
  }

  /** What of this is sound, or whatever else the body is. Throws `BadAnswer`. */
  push(raw: Buffer): readonly Buffer[] {
    const piece = this.#bodyOf(raw);
    this.#left -= piece.length;
    if (!this.#splitter) return [piece];
    const { audio, titles } = this.#splitter.push(piece);
    for (const title of titles)
      if (title !== this.titles.at(-1) && this.titles.length < MOST_TITLES) this.titles.push(title);
    return audio;
  }

  #bodyOf(raw: Buffer): Buffer {
    if (this.#chunked) return this.#chunked.push(raw);
    return raw.length <= this.#left ? raw : raw.subarray(0, this.#left);
  }
}

/** A live stream gives none, or one that is not to be believed; it only ever ends a body early. */
function lengthOf(text: string | undefined): number {
  return /^\d{1,15}$/.test(text ?? '') ? Number(text) : Infinity;
}
