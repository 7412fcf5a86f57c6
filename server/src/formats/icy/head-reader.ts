import { isAscii } from 'node:buffer';
import { decodeText } from '../decode-text.ts';
import { cleanSongText, withoutHidden } from '../song-text.ts';

/** What a server sends before the audio. */
export interface Head {
  protocol: 'http' | 'icy';
  status: number;
  reason: string;
  /** By lower-case name; of duplicates, the first, and of cookies all, a line each. */
  headers: ReadonlyMap<string, string>;
  /** What arrived with it and belongs to the body. */
  rest: Buffer;
}

const MAX_STATUS_LINE_LENGTH = 256;
const MAX_HEADER_BYTES = 16 * 1024;
const MAX_LINES = 100;
const MAX_INTERIM_HEADS = 5;
const LINE_FEED = 0x0a;
const EMPTY_LINE = Buffer.from('\n\r\n');
const NOTHING = Buffer.alloc(0);

const STATUS_LINE = /^(HTTP\/1\.[01]|ICY) {1,4}([1-9]\d\d)(?:\s(.*))?$/i;

/** Reads `HTTP/1.x 200` and `ICY 200` alike, in pieces of any size; buffers no more than one line and the headers. */
export class HeadReader {
  #line: Buffer = NOTHING;
  #status: Omit<Head, 'headers' | 'rest'> | undefined;
  #headers = new Map<string, string>();
  #lines = 0;
  #bytes = 0;
  #interimHeads = 0;

  /** The head, once it is complete; push nothing after that. Throws `BadAnswer`. */
  push(chunk: Buffer): Head | undefined {
    const bytes = this.#line.length === 0 ? chunk : Buffer.concat([this.#line, chunk]);
    // Most heads come in one piece and are ASCII: then lines are cut from one string.
    const text = asciiHead(bytes);
    let at = 0;
    for (let end = lineEnd(text, bytes, 0); end !== -1; end = lineEnd(text, bytes, at)) {
      const line = end < text.length ? text.slice(at, end) : decodeText(bytes.subarray(at, end));
      const status = this.#readLine(end - at, line);
      at = end + 1;
      if (status) return this.#headOf(status, bytes.subarray(at));
    }
    this.#limit(bytes.length - at);
    // The caller may overwrite the chunk after this returns.
    this.#line = Buffer.from(bytes.subarray(at));
    return undefined;
  }

  /** The status line's values, if this line ended the head. */
  #readLine(bytes: number, ended: string): Omit<Head, 'headers' | 'rest'> | undefined {
    this.#limit(bytes);
    const line = ended.endsWith('\r') ? ended.slice(0, -1) : ended;
    if (!this.#status) this.#status = parseStatus(line);
    else if (line === '') return this.#finish(this.#status);
    else this.#readHeader(line, bytes);
    return undefined;
  }

  #headOf({ protocol, status, reason }: Omit<Head, 'headers' | 'rest'>, rest: Buffer): Head {
    return { protocol, status, reason, headers: this.#headers, rest };
  }

  #limit(length: number): void {
    if (!this.#status && length > MAX_STATUS_LINE_LENGTH)
      throw new BadAnswer(`its first line is longer than ${MAX_STATUS_LINE_LENGTH} bytes`);
    if (this.#bytes + length > MAX_HEADER_BYTES)
      throw new BadAnswer(`its headers are larger than ${MAX_HEADER_BYTES} bytes`);
  }

  #readHeader(line: string, bytes: number): void {
    this.#bytes += bytes;
    this.#lines += 1;
    if (this.#lines > MAX_LINES) throw new BadAnswer(`it sends more than ${MAX_LINES} headers`);
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).trim().toLowerCase();
    if (colon <= 0) return;
    const value = withoutHidden(line.slice(colon + 1).trim()).trim();
    const before = this.#headers.get(name);
    if (before === undefined) this.#headers.set(name, value);
    else if (name === 'set-cookie') this.#headers.set(name, `${before}\n${value}`);
  }

  /** Informational responses (1xx) are skipped, a few of them. */
  #finish(status: Omit<Head, 'headers' | 'rest'>): Omit<Head, 'headers' | 'rest'> | undefined {
    if (status.status >= 200) return status;
    this.#interimHeads += 1;
    if (status.status === 101 || this.#interimHeads > MAX_INTERIM_HEADS)
      throw new BadAnswer('it sent too many interim answers, or switched protocols');
    this.#status = undefined;
    this.#headers = new Map();
    return undefined;
  }
}

/** The end of the line that begins there; `text` is empty unless it is the whole head. */
const lineEnd = (text: string, bytes: Buffer, at: number): number =>
  at < text.length ? text.indexOf('\n', at) : bytes.indexOf(LINE_FEED, at);

/** Everything up to the first empty line, if that is pure ASCII. */
function asciiHead(bytes: Buffer): string {
  const end = bytes.indexOf(EMPTY_LINE);
  const head = end === -1 ? undefined : bytes.subarray(0, end + 3);
  return head && isAscii(head) ? head.toString('latin1') : '';
}

function parseStatus(line: string): Omit<Head, 'headers' | 'rest'> {
  const [, protocol, status, reason = ''] = STATUS_LINE.exec(line) ?? [];
  if (protocol === undefined) throw new BadAnswer('its answer is neither HTTP nor ICY');
  return {
    protocol: protocol.toUpperCase() === 'ICY' ? 'icy' : 'http',
    status: Number(status),
    reason: cleanSongText(reason),
  };
}

const MAX_CHUNK_HEADER_LENGTH = 256;
const MAX_CHUNK = 2 ** 31 - 1;

/** Decodes HTTP/1.1 chunks. Bytes after the last one are ignored. */
export class ChunkedBody {
  /** Whether the last chunk arrived. */
  isDone = false;
  /** Bytes left in the current chunk. */
  #left = 0;
  /** The chunk header, as far as it arrived. */
  #header = '';
  /** Before the chunk header: at the line end that closes a chunk. */
  #isBetween = false;

  /** The body bytes in this piece, contiguous. Throws `BadAnswer` for an invalid length. */
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

  /** Returns where to continue after as much of the line as there is. */
  #readHeader(piece: Buffer, at: number): number {
    const end = piece.indexOf(LINE_FEED, at);
    const to = end === -1 ? piece.length : end;
    if (this.#header.length + to - at > MAX_CHUNK_HEADER_LENGTH)
      throw new BadAnswer('a chunk header is too long');
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
  if (!(length <= MAX_CHUNK)) throw new BadAnswer('a chunk length is not a number, or too large');
  return length;
}

/** The answer is neither HTTP nor ICY, or too long; the message says which. */
export class BadAnswer extends Error {
  override name = 'BadAnswer';
}
