import { parseJson } from '../../lib/parse-json.ts';
import { type Bytes, plainBytes } from '../plain-bytes.ts';

/** How much leading whitespace is skipped before a file is given up. */
const MAX_BLANK_BYTES = 2 ** 16;

/**
 * Records from a file, a pipe or a page, gzipped or plain: an array when the first character is `[`, lines otherwise.
 */
export async function* readJsonItems(bytes: Bytes): AsyncGenerator<JsonItem> {
  const source = plainBytes(bytes);
  const head = await readHead(source);
  const whole = headThenRest(head, source);
  yield* firstCharacter(head) === 0x5b ? readJsonArray(whole) : readJsonLines(whole);
}

/** The first bytes, up to the first that is not whitespace, without their byte order mark. */
async function readHead(source: AsyncGenerator<Uint8Array>): Promise<Buffer> {
  let head = Buffer.alloc(0);
  while (head.length < MAX_BLANK_BYTES && firstCharacter(head) === undefined) {
    const next = await source.next();
    if (next.done) break;
    head = withoutMark(Buffer.concat([head, next.value]));
  }
  return head;
}

/** Also undefined while there may be half a byte order mark. */
const firstCharacter = (bytes: Buffer): number | undefined =>
  bytes[0] === 0xef && bytes.length < 3 ? undefined : bytes.find((byte) => !isSpace(byte));

async function* headThenRest(head: Buffer, source: Bytes): AsyncGenerator<Uint8Array> {
  yield head;
  yield* source;
}

const withoutMark = (bytes: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * The elements of one big JSON array, split at its top level and parsed one by one, so that a dump of any size needs
 * the memory of its longest element. A broken or too long element is reported as an item; an array that does not start
 * or end as one throws, because then records are missing.
 */
async function* readJsonArray(bytes: Bytes): AsyncGenerator<JsonItem> {
  const cutter = new ElementCutter();
  for await (const chunk of bytes) yield* cutter.cut(toBuffer(chunk));
  if (!cutter.closed) throw new Error('the JSON array has no end: the file is cut short');
}

class ElementCutter {
  closed = false;
  #opened = false;
  #number = 0;
  #depth = 0;
  #inText = false;
  #escaped = false;
  #parts: Buffer[] = [];
  #size = 0;

  *cut(chunk: Buffer): Generator<JsonItem> {
    let from = this.#opened ? 0 : this.#open(chunk);
    while (from < chunk.length && !this.closed) {
      const end = this.#boundary(chunk, from);
      if (end === chunk.length) break;
      const item = this.#finish(chunk.subarray(from, end));
      if (item) yield item;
      from = end + 1;
    }
    if (!this.closed) this.#keep(chunk.subarray(from));
    else if (!chunk.subarray(from).every(isSpace))
      throw new Error('there is more text after the end of the JSON array');
  }

  /** Where the first element may start: after the opening bracket. */
  #open(chunk: Buffer): number {
    const at = chunk.findIndex((byte) => !isSpace(byte));
    if (at === -1) return chunk.length;
    if (chunk[at] !== OPEN_ARRAY) throw new Error('the JSON does not start with "["');
    this.#opened = true;
    this.#depth = 1;
    return at + 1;
  }

  /** Where the element ends: at a comma or bracket of the array itself; the chunk's length if it continues. */
  #boundary(chunk: Buffer, from: number): number {
    let at = from;
    // Every byte of a dump passes here: locals take 0.6 of the time that fields take.
    let [depth, inText, escaped] = [this.#depth, this.#inText, this.#escaped];
    for (; at < chunk.length; at++) {
      const byte = chunk[at];
      if (inText) {
        if (escaped) escaped = false;
        else if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) inText = false;
      } else if (byte === QUOTE) inText = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth += 1;
      else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth -= 1;
      if (depth === 0 || (byte === COMMA && depth === 1 && !inText)) break;
    }
    [this.#depth, this.#inText, this.#escaped] = [depth, inText, escaped];
    this.closed = depth === 0;
    return at;
  }

  #keep(part: Buffer): void {
    this.#size += part.length;
    if (this.#size > MAX_ITEM_BYTES) this.#parts = [];
    else if (part.length > 0) this.#parts.push(Buffer.from(part));
  }

  #finish(part: Buffer): JsonItem | undefined {
    const size = this.#size + part.length;
    const whole = this.#parts.length === 0 ? part : Buffer.concat([...this.#parts, part]);
    this.#parts = [];
    this.#size = 0;
    const empty = size <= MAX_ITEM_BYTES && whole.every(isSpace);
    // `[]` and a comma before `]` contain no element.
    if (empty && this.closed) return undefined;
    this.#number += 1;
    return size > MAX_ITEM_BYTES ? tooLong(this.#number) : parseItem(this.#number, whole);
  }
}

const LINE_FEED = 0x0a;

/** One JSON value per line. A broken or too long line is reported as an item, and reading goes on after it. */
async function* readJsonLines(bytes: Bytes): AsyncGenerator<JsonItem> {
  const line = new LineStart();
  let number = 0;
  for await (const chunk of bytes) {
    const buffer = toBuffer(chunk);
    let from = 0;
    for (let end = buffer.indexOf(LINE_FEED); end !== -1; end = buffer.indexOf(LINE_FEED, from)) {
      number += 1;
      const item = line.endWith(number, buffer.subarray(from, end));
      if (item) yield item;
      from = end + 1;
    }
    line.push(buffer.subarray(from));
  }
  const last = line.endWith(number + 1, Buffer.alloc(0));
  if (last) yield last;
}

/** The beginning of the current line, from earlier chunks; beyond the limit, only the fact that it is too long. */
class LineStart {
  #parts: Buffer[] = [];
  #size = 0;

  push(part: Buffer): void {
    this.#size += part.length;
    if (this.#size > MAX_ITEM_BYTES) this.#parts = [];
    // A copy, because the chunk it is cut from may be far larger and would be kept alive by it.
    else if (part.length > 0) this.#parts.push(Buffer.from(part));
  }

  endWith(number: number, part: Buffer): JsonItem | undefined {
    const size = this.#size + part.length;
    const whole = this.#parts.length === 0 ? part : Buffer.concat([...this.#parts, part]);
    this.#parts = [];
    this.#size = 0;
    if (size > MAX_ITEM_BYTES) return tooLong(number);
    return whole.every(isSpace) ? undefined : parseItem(number, whole);
  }
}

/** One value of a JSON stream: `number` is its line, or its index in an array; both count from 1. */
type JsonItem = { number: number; value: unknown } | { number: number; error: string };

/** No station record comes near: the longest of 86,888 real ones is under 4 KiB. */
export const MAX_ITEM_BYTES = 2 ** 20;

const tooLong = (number: number): JsonItem => ({
  number,
  error: `longer than ${MAX_ITEM_BYTES} bytes`,
});

export function parseItem(number: number, bytes: Buffer): JsonItem {
  try {
    return { number, value: parseJson(bytes.toString('utf8')) };
  } catch (error) {
    return { number, error: `not JSON: ${String(error).slice(0, 200)}` };
  }
}

/** Whitespace between JSON values. */
const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** The same memory with a Buffer's methods. */
const toBuffer = (chunk: Uint8Array): Buffer =>
  Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
