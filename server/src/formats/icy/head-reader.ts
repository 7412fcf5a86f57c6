import { isAscii } from 'node:buffer';
import { decodeText } from '../decode-text.ts';
import { cleanText, withoutHidden } from '../song-text.ts';
import { BadAnswer } from './bad-answer.ts';

/** What a server says before the sound. */
export interface Head {
  protocol: 'http' | 'icy';
  status: number;
  reason: string;
  /** By lower-case name; of several of one name, the first. */
  headers: ReadonlyMap<string, string>;
  /** What came with it and belongs to the body. */
  rest: Buffer;
}

const LONGEST_STATUS_LINE = 256;
const MOST_HEADER_BYTES = 16 * 1024;
const MOST_LINES = 100;
const MOST_INTERIM_HEADS = 5;
const LINE_FEED = 0x0a;
const EMPTY_LINE = Buffer.from('\n\r\n');
const NOTHING = Buffer.alloc(0);

const STATUS_LINE = /^(HTTP\/1\.[01]|ICY) {1,4}([1-9]\d\d)(?:\s(.*))?$/i;

/** Reads `HTTP/1.x 200` and `ICY 200` alike, in pieces of any size; holds no more than one line and the headers. */
export class HeadReader {
  #line: Buffer = NOTHING;
  #status: Omit<Head, 'headers' | 'rest'> | undefined;
  #headers = new Map<string, string>();
  #lines = 0;
  #bytes = 0;
  #interimHeads = 0;

  /** The head, once it is whole; nothing may be pushed after that. Throws `BadAnswer`. */
  push(chunk: Buffer): Head | undefined {
    const bytes = this.#line.length === 0 ? chunk : Buffer.concat([this.#line, chunk]);
    // Most heads come in one piece and are ASCII: then the lines are cut out of one text.
    const text = asciiHead(bytes);
    let at = 0;
    for (let end = lineEnd(text, bytes, 0); end !== -1; end = lineEnd(text, bytes, at)) {
      const line = end < text.length ? text.slice(at, end) : decodeText(bytes.subarray(at, end));
      const status = this.#readLine(end - at, line);
      at = end + 1;
      if (status) return this.#headOf(status, bytes.subarray(at));
    }
    this.#limit(bytes.length - at);
    // What is pushed may be written over when it has been read.
    this.#line = Buffer.from(bytes.subarray(at));
    return undefined;
  }

  /** What the head says first, when this line was the last of it. */
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
    if (!this.#status && length > LONGEST_STATUS_LINE)
      throw new BadAnswer(`its first line is longer than ${LONGEST_STATUS_LINE} bytes`);
    if (this.#bytes + length > MOST_HEADER_BYTES)
      throw new BadAnswer(`its headers are larger than ${MOST_HEADER_BYTES} bytes`);
  }

  #readHeader(line: string, bytes: number): void {
    this.#bytes += bytes;
    this.#lines += 1;
    if (this.#lines > MOST_LINES) throw new BadAnswer(`it sends more than ${MOST_LINES} headers`);
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).trim().toLowerCase();
    if (colon > 0 && !this.#headers.has(name))
      this.#headers.set(name, withoutHidden(line.slice(colon + 1).trim()).trim());
  }

  /** Hints before the answer are passed over, a few of them. */
  #finish(status: Omit<Head, 'headers' | 'rest'>): Omit<Head, 'headers' | 'rest'> | undefined {
    if (status.status >= 200) return status;
    this.#interimHeads += 1;
    if (status.status === 101 || this.#interimHeads > MOST_INTERIM_HEADS)
      throw new BadAnswer('it says again and again that it will answer, or in another protocol');
    this.#status = undefined;
    this.#headers = new Map();
    return undefined;
  }
}

/** Where the line ends that begins there; a text is all of the head. */
const lineEnd = (text: string, bytes: Buffer, at: number): number =>
  at < text.length ? text.indexOf('\n', at) : bytes.indexOf(LINE_FEED, at);

/** All up to the first empty line, where that is nothing but ASCII. */
function asciiHead(bytes: Buffer): string {
  const end = bytes.indexOf(EMPTY_LINE);
  const head = end === -1 ? undefined : bytes.subarray(0, end + 3);
  return head && isAscii(head) ? head.toString('latin1') : '';
}

function parseStatus(line: string): Omit<Head, 'headers' | 'rest'> {
  const [, protocol, status, reason = ''] = STATUS_LINE.exec(line) ?? [];
  if (protocol === undefined) throw new BadAnswer('what it says first is neither HTTP nor ICY');
  return {
    protocol: protocol.toUpperCase() === 'ICY' ? 'icy' : 'http',
    status: Number(status),
    reason: cleanText(reason),
  };
}
