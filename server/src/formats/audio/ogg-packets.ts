const PAGE_HEADER = 27;
const CAPTURE = 'OggS';
const BEGINS_STREAM = 2;
const CONTINUES = 1;
/** Identification, comments, and one more: what follows them is sound. */
const HEADERS = 3;
const LONGEST_PACKET = 128 * 1024;

/** The packets that begin each stream of a chain, as far as they came; a song of Ogg radio is such a stream. */
export function oggHeaders(bytes: Buffer): Buffer[] {
  const reader = new HeaderReader();
  for (let at = bytes.indexOf(CAPTURE); at !== -1; at = bytes.indexOf(CAPTURE, at)) {
    const segments = bytes.subarray(at + PAGE_HEADER, at + PAGE_HEADER + (bytes[at + 26] ?? 0));
    reader.readPage(bytes[at + 5] ?? 0, segments, bytes.subarray(at + PAGE_HEADER + segments.length));
    at += PAGE_HEADER + segments.length;
  }
  return reader.finish();
}

class HeaderReader {
  readonly #packets: Buffer[] = [];
  #pieces: Buffer[] = [];
  #length = 0;
  /** Nothing is known before a stream begins. */
  #left = 0;

  readPage(flags: number, segments: Buffer, body: Buffer): void {
    if ((flags & BEGINS_STREAM) !== 0) this.#left = HEADERS;
    if ((flags & CONTINUES) === 0) this.#drop();
    let at = 0;
    for (const length of segments) {
      if (this.#left === 0) return;
      this.#add(body.subarray(at, at + length));
      at += length;
      if (length < 255) this.#end();
    }
  }

  /** What of the last one did not come is missed, and what did come counts. */
  finish(): Buffer[] {
    if (this.#left > 0 && this.#length > 0) this.#end();
    return this.#packets;
  }

  #add(piece: Buffer): void {
    if (this.#length > LONGEST_PACKET) return;
    this.#pieces.push(piece);
    this.#length += piece.length;
  }

  #end(): void {
    this.#packets.push(Buffer.concat(this.#pieces));
    this.#left -= 1;
    this.#drop();
  }

  #drop(): void {
    this.#pieces = [];
    this.#length = 0;
  }
}
