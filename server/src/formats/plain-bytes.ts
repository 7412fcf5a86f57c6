import { Readable, pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';

export type Bytes = AsyncIterable<Uint8Array>;

/** 16 GiB: far above every public dump, far below what a compressed bomb unpacks to. */
const MAX_PLAIN_BYTES = 16 * 2 ** 30;

/** The bytes unpacked: gzip is detected by its first two bytes, so that no file name or header has to be trusted. */
export async function* plainBytes(bytes: Bytes, maxBytes = MAX_PLAIN_BYTES): AsyncGenerator<Uint8Array> {
  const source = bytes[Symbol.asyncIterator]();
  const head = await firstBytes(source);
  const whole = rest(head, source);
  let total = 0;
  for await (const chunk of isGzip(head) ? unzipped(whole) : whole) {
    total += chunk.length;
    if (total > maxBytes) throw new RangeError(`the input unpacks to more than ${maxBytes} bytes: split it`);
    yield chunk;
  }
}

const isGzip = (head: Uint8Array): boolean => head[0] === 0x1f && head[1] === 0x8b;

/** Chunks may be of any size: reads until there are two bytes, or the end. */
async function firstBytes(source: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  let head: Uint8Array = new Uint8Array();
  while (head.length < 2) {
    const next = await source.next();
    if (next.done) break;
    head = Buffer.concat([head, next.value]);
  }
  return head;
}

async function* rest(head: Uint8Array, source: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    if (head.length > 0) yield head;
    for (let next = await source.next(); !next.done; next = await source.next()) yield next.value;
  } finally {
    await source.return?.();
  }
}

function unzipped(packed: Bytes): Bytes {
  // Failures of either side reach the reader through the gunzip stream itself, which pipeline destroys.
  return pipeline(Readable.from(packed, { objectMode: false }), createGunzip(), () => {});
}
