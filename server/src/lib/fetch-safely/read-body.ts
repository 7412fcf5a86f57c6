import { type Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { UnsafeAddress } from './unsafe-address.ts';

const FIRST_BYTES = 16 * 1024;
const AS_IT_IS = new Set([undefined, '', 'identity']);
const ZIPPED = new Set<string | undefined>(['gzip', 'x-gzip']);

/** The whole body, unpacked, or an error as soon as that is too large: a few kilobytes can become gigabytes. */
export async function readBody(
  body: Readable,
  encoding: string | undefined,
  maxBytes: number,
): Promise<Buffer> {
  const whole = new Gathering(maxBytes);
  if (AS_IT_IS.has(encoding)) await pipeline(body, whole);
  else if (ZIPPED.has(encoding)) await unzip(body, whole);
  else throw new UnsafeAddress('the answer is compressed in a way that was not asked for');
  return whole.bytes();
}

/** An answer without a body, such as 304, may well say how its body would be packed. */
async function unzip(body: Readable, whole: Writable): Promise<void> {
  let isEmpty = true;
  body.once('data', () => (isEmpty = false));
  try {
    await pipeline(body, createGunzip(), whole);
  } catch (error) {
    if (!isEmpty || !body.readableEnded) throw error;
  }
}

/** One piece that grows: a million pieces of one byte would take a hundred times their size. */
class Gathering extends Writable {
  readonly #most: number;
  #kept = Buffer.allocUnsafe(FIRST_BYTES);
  #length = 0;

  constructor(most: number) {
    super();
    this.#most = most;
  }

  bytes(): Buffer {
    return this.#kept.subarray(0, this.#length);
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error) => void): void {
    const length = this.#length + chunk.length;
    if (length > this.#most) return done(tooLarge(this.#most));
    while (length > this.#kept.length) this.#kept = Buffer.concat([this.#kept], 2 * this.#kept.length);
    this.#length += chunk.copy(this.#kept, this.#length);
    done();
  }
}

export const tooLarge = (most: number): UnsafeAddress =>
  new UnsafeAddress(`the answer is larger than ${most} bytes`);
