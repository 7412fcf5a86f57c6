/** What Icecast sends, and nearly every player has met. */
export const METAINT = 16_000;
const BLOCK = 16;
const MAX_BLOCKS = 255;
const UNCHANGED = Buffer.of(0);

/** Puts titles between the bytes of a stream, as a player expects them that sent `Icy-MetaData: 1`. */
export class TitleJoiner {
  readonly #metaint: number;
  #untilBlock: number;
  #next: Buffer = UNCHANGED;

  constructor(metaint = METAINT) {
    this.#metaint = metaint;
    this.#untilBlock = metaint;
  }

  /** For everything after the next full unit. */
  set title(title: string) {
    this.#next = titleBlock(title);
  }

  /** The same bytes with a block after each unit. */
  push(audio: Buffer): Buffer[] {
    const parts: Buffer[] = [];
    let at = 0;
    while (audio.length - at >= this.#untilBlock) {
      parts.push(audio.subarray(at, at + this.#untilBlock), this.#next);
      at += this.#untilBlock;
      this.#untilBlock = this.#metaint;
      // Whoever joined has read it; sent again, old displays would scroll from the start.
      this.#next = UNCHANGED;
    }
    if (at < audio.length) parts.push(audio.subarray(at));
    this.#untilBlock -= audio.length - at;
    return parts;
  }
}

/** `StreamTitle='…';`, padded to a multiple of 16, after a byte that says how many. */
export function titleBlock(title: string): Buffer {
  // A value ends at the first `';`, and nothing can be escaped.
  const text = `StreamTitle='${cutTo(title.replaceAll("';", '’;'), BLOCK * MAX_BLOCKS - 20)}';`;
  const bytes = Buffer.from(text);
  const blocks = Math.ceil(bytes.length / BLOCK);
  const block = Buffer.alloc(1 + blocks * BLOCK);
  block[0] = blocks;
  bytes.copy(block, 1);
  return block;
}

/** At most so many bytes of UTF-8, without half a character at the end. */
function cutTo(text: string, most: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= most) return text;
  return bytes.subarray(0, most).toString().replace(/�+$/, '');
}
