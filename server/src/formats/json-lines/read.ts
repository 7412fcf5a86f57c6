import { type Bytes, plainBytes } from '../plain-bytes.ts';
import { readJsonArray } from './array.ts';
import { type JsonItem, isSpace } from './item.ts';
import { readJsonLines } from './lines.ts';

/** A file that is blank for longer is not worth searching for its first character. */
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

/** The first bytes, up to something that is not blank, without their byte order mark. */
async function readHead(source: AsyncGenerator<Uint8Array>): Promise<Buffer> {
  let head = Buffer.alloc(0);
  while (head.length < MAX_BLANK_BYTES && firstCharacter(head) === undefined) {
    const next = await source.next();
    if (next.done) break;
    head = withoutMark(Buffer.concat([head, next.value]));
  }
  return head;
}

/** Undefined too while there may still be half a byte order mark. */
const firstCharacter = (bytes: Buffer): number | undefined =>
  bytes[0] === 0xef && bytes.length < 3 ? undefined : bytes.find((byte) => !isSpace(byte));

async function* headThenRest(head: Buffer, source: Bytes): AsyncGenerator<Uint8Array> {
  yield head;
  yield* source;
}

const withoutMark = (bytes: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
