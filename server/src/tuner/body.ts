import { ChunkedBody } from '../formats/icy/chunked-body.ts';
import type { Head } from '../formats/icy/head-reader.ts';
import type { Wire } from './wire.ts';

/** What follows a head, until it ends by its own account or the connection does. */
export class Body implements AsyncIterable<Buffer> {
  readonly #wire: Wire;
  readonly #chunked: ChunkedBody | undefined;
  readonly #unread: Buffer[] = [];
  #raw: Buffer | undefined;
  #left: number;

  constructor(wire: Wire, { headers, rest }: Head) {
    this.#wire = wire;
    this.#raw = rest.length > 0 ? rest : undefined;
    const isChunked = headers.get('transfer-encoding')?.toLowerCase().endsWith('chunked') ?? false;
    this.#chunked = isChunked ? new ChunkedBody() : undefined;
    this.#left = isChunked ? Infinity : lengthOf(headers.get('content-length'));
  }

  /** Without `return`: a loop that is left can be gone on with. */
  [Symbol.asyncIterator](): AsyncIterator<Buffer> {
    return {
      next: async () => {
        const value = await this.next();
        return value === undefined ? { done: true, value: undefined } : { done: false, value };
      },
    };
  }

  async next(): Promise<Buffer | undefined> {
    const again = this.#unread.pop();
    if (again) return again;
    while (this.#left > 0 && !this.#chunked?.isDone) {
      const raw = this.#raw ?? (await this.#wire.next());
      this.#raw = undefined;
      if (raw === undefined) return undefined;
      const piece = this.#chunked ? this.#chunked.push(raw) : raw.subarray(0, this.#left);
      this.#left -= piece.length;
      if (piece.length > 0) return piece;
    }
    return undefined;
  }

  /** Puts something in front of what comes next. */
  unread(piece: Buffer): void {
    if (piece.length > 0) this.#unread.push(piece);
  }

  /** At least as much as this in one piece, or all there is. */
  async take(enough: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    let length = 0;
    while (length < enough) {
      const piece = await this.next();
      if (piece === undefined) break;
      pieces.push(piece);
      length += piece.length;
    }
    return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
  }
}

/** A live stream gives none, or one that is not to be believed; it only ever ends a body early. */
function lengthOf(text: string | undefined): number {
  return /^\d{1,15}$/.test(text ?? '') ? Number(text) : Infinity;
}
