import { BadAnswer } from './bad-answer.ts';

const LONGEST_CHUNK_HEADER = 256;
const LARGEST_CHUNK = 2 ** 31 - 1;
const LINE_FEED = 0x0a;
const NOTHING = Buffer.alloc(0);

/** Takes the chunks of HTTP/1.1 apart. What comes after the last one is nobody's. */
export class ChunkedBody {
  /** Whether the last chunk came. */
  isDone = false;
  /** Of the chunk that is being read. */
  #left = 0;
  /** The line that says how long the next one is, as far as it came. */
  #header = '';
  /** Before that line: the end of the line that closes a chunk. */
  #isBetween = false;

  /** The body that is in this piece, in one piece. Throws `BadAnswer` where a length is none. */
  push(piece: Buffer): Buffer {
    const parts: Buffer[] = [];
    for (let at = 0; at < piece.length && !this.isDone;) {
      if (this.#left === 0) at = this.#readHeader(piece, at);
      else {
        const part = piece.subarray(at, at + this.#left);
        parts.push(part);
        at += part.length;
        this.#left -= part.length;
        this.#isBetween = this.#left === 0;
      }
    }
    const [first = NOTHING] = parts;
    return parts.length < 2 ? first : Buffer.concat(parts);
  }

  /** Where to go on after as much of the line as there is. */
  #readHeader(piece: Buffer, at: number): number {
    const end = piece.indexOf(LINE_FEED, at);
    const to = end === -1 ? piece.length : end;
    if (this.#header.length + to - at > LONGEST_CHUNK_HEADER)
      throw new BadAnswer('it says too much about the length of a chunk');
    this.#header += piece.toString('latin1', at, to);
    if (end !== -1) this.#endHeader(this.#header.trim());
    return to + 1;
  }

  #endHeader(line: string): void {
    this.#header = '';
    if (this.#isBetween) {
      if (line !== '') throw new BadAnswer('a chunk is longer than it said');
      this.#isBetween = false;
      return;
    }
    this.#left = chunkLength(line);
    this.isDone = this.#left === 0;
  }
}

function chunkLength(line: string): number {
  const [, digits = ''] = /^([\da-f]{1,16})\s*(?:;|$)/i.exec(line) ?? [];
  const length = Number.parseInt(digits, 16);
  if (!(length <= LARGEST_CHUNK))
    throw new BadAnswer('the length of a chunk is no number, or none to believe');
  return length;
}
