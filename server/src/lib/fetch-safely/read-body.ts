import { type Gunzip, createGunzip } from 'node:zlib';
import { UnsafeAddress } from './unsafe-address.ts';

export interface BodyLimits {
  /** As it comes over the wire. */
  maxWireBytes: number;
  /** After decompression: a few kilobytes can become gigabytes. */
  maxBytes: number;
}

/** The whole body, decompressed, or an error as soon as it is too large. */
export async function readBody(
  body: AsyncIterable<Buffer>,
  encoding: string | undefined,
  { maxWireBytes, maxBytes }: BodyLimits,
): Promise<Buffer> {
  const wire = counted(body, maxWireBytes);
  if (encoding === undefined || encoding === '' || encoding === 'identity') return collect(wire, maxBytes);
  if (encoding !== 'gzip' && encoding !== 'x-gzip')
    throw new UnsafeAddress('the answer is compressed in a way that was not asked for');
  return gunzipped(wire, maxBytes);
}

async function* counted(chunks: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer> {
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > most) throw tooLarge(most);
    yield chunk;
  }
}

async function collect(chunks: AsyncIterable<Buffer>, most: number): Promise<Buffer> {
  const kept: Buffer[] = [];
  for await (const chunk of counted(chunks, most)) kept.push(chunk);
  return Buffer.concat(kept);
}

async function gunzipped(wire: AsyncIterable<Buffer>, most: number): Promise<Buffer> {
  const gunzip = createGunzip();
  const fed = feed(wire, gunzip);
  // What goes wrong with the wire comes out of the gunzip too; it must not go unheard before that is read.
  fed.catch((error: unknown) => gunzip.destroy(error instanceof Error ? error : new Error(String(error))));
  try {
    return await collect(gunzip, most);
  } finally {
    gunzip.destroy();
    await fed.catch(() => undefined);
  }
}

async function feed(wire: AsyncIterable<Buffer>, gunzip: Gunzip): Promise<void> {
  for await (const chunk of wire) {
    if (gunzip.destroyed) return;
    if (!gunzip.write(chunk)) await drained(gunzip);
  }
  gunzip.end();
}

function drained(gunzip: Gunzip): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  gunzip.once('drain', resolve).once('close', resolve);
  return promise;
}

const tooLarge = (most: number): UnsafeAddress =>
  new UnsafeAddress(`the answer is larger than ${most} bytes`);
