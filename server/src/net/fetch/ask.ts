import type { FileHandle } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { type Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { Client, type Dispatcher } from 'undici';
import { failingAs, withinStep } from './step-deadline.ts';
import { FetchFailed, UnsafeAddress } from './fetch-failed.ts';

export interface FetchedAnswer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
  /** The redirect's target, as written. */
  location: string | undefined;
}

export interface AnswerLimits {
  /** Limit on the wire, without the head. */
  maxWireBytes: number;
  /** Limit after decompression. */
  maxBytes: number;
  /** From sending the request to the end of the response headers. */
  firstByteMs: number;
  /** Where the body of a 200 goes, for what is too large for memory; any other body is not read then. */
  saveTo?: FileHandle | undefined;
  /** How long nothing may arrive; unlimited, within the deadline, unless given. */
  silenceMs?: number | undefined;
}

export const MAX_HEADER_BYTES = 16 * 1024;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const NOTHING = Buffer.alloc(0);

/** Sends one request over one connection and closes it. The body of a redirect is not read. */
export async function ask(
  socket: Socket,
  question: FetchRequest,
  limits: AnswerLimits,
  signal: AbortSignal,
): Promise<FetchedAnswer> {
  limitWire(socket, limits.maxWireBytes);
  if (limits.silenceMs !== undefined) limitSilence(socket, limits.silenceMs);
  const client = clientOn(socket, question.address);
  try {
    const { statusCode, headers, body } = await withinStep('answer', limits.firstByteMs, signal, (ending) =>
      client.request({ ...requestOf(question), signal: ending }),
    );
    const location = REDIRECTS.has(statusCode) ? textOf(headers['location']) : undefined;
    body.on('error', () => undefined);
    const answer = { status: statusCode, headers, location };
    if (location !== undefined) return { ...answer, body: NOTHING };
    const encoding = textOf(headers['content-encoding'])?.trim().toLowerCase();
    if (limits.saveTo !== undefined && statusCode !== 200) return { ...answer, body: NOTHING };
    const whole = await failingAs('body', signal, () => readBody(body, encoding, limits));
    return { ...answer, body: whole };
  } finally {
    client.destroy().catch(() => undefined);
    socket.destroy();
  }
}

/** Counts everything on the wire: interim responses and chunk extensions appear in neither head nor body. */
function limitWire(socket: Socket, most: number): void {
  socket.on('readable', () => {
    if (socket.bytesRead > most + MAX_HEADER_BYTES) socket.destroy(tooLarge(most));
  });
}

function limitSilence(socket: Socket, ms: number): void {
  socket.setTimeout(ms, () => socket.destroy(FetchFailed.late('body', ms)));
}

/** Uses the open connection, and never opens another. */
function clientOn(socket: Socket, address: string): Client {
  let isGiven = false;
  return new Client(new URL(address).origin, {
    connect: (_options, done) => {
      const isLost = isGiven;
      isGiven = true;
      // undici ignores a callback that comes before its call of `connect` has returned.
      queueMicrotask(() => (isLost ? done(new Error('the connection is lost'), null) : done(null, socket)));
    },
    maxHeaderSize: MAX_HEADER_BYTES,
    pipelining: 1,
  });
}

function requestOf({ address, method, headers, body }: FetchRequest): Dispatcher.RequestOptions {
  const { pathname, search } = new URL(address);
  return { method, path: pathname + search, headers, body: body ?? null };
}

const textOf = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : value?.join(',');

const FIRST_BYTES = 16 * 1024;
const AS_IT_IS = new Set([undefined, '', 'identity']);
const ZIPPED = new Set<string | undefined>(['gzip', 'x-gzip']);

/**
 * Reads and decompresses the whole body, and fails as soon as it is too large: a few kilobytes can become gigabytes.
 */
async function readBody(
  body: Readable,
  encoding: string | undefined,
  { maxBytes, saveTo }: AnswerLimits,
): Promise<Buffer> {
  const whole = saveTo === undefined ? new Collecting(maxBytes) : new Saving(saveTo, maxBytes);
  if (AS_IT_IS.has(encoding)) await pipeline(body, whole);
  else if (ZIPPED.has(encoding)) await unzip(body, whole);
  else throw new UnsafeAddress('the response has a Content-Encoding that was not requested');
  return whole instanceof Collecting ? whole.bytes() : NOTHING;
}

/** A response without a body, such as 304, may still have a Content-Encoding. */
async function unzip(body: Readable, whole: Writable): Promise<void> {
  let isEmpty = true;
  body.once('data', () => (isEmpty = false));
  try {
    await pipeline(body, createGunzip(), whole);
  } catch (error) {
    if (!isEmpty || !body.readableEnded) throw error;
  }
}

/** Collects into one growing buffer: a million one-byte chunks would take a hundred times their size. */
class Collecting extends Writable {
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

/** Writes to a file, which stays open. */
class Saving extends Writable {
  readonly #file: FileHandle;
  readonly #most: number;
  #length = 0;

  constructor(file: FileHandle, most: number) {
    super();
    this.#file = file;
    this.#most = most;
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error) => void): void {
    this.#length += chunk.length;
    if (this.#length > this.#most) return done(tooLarge(this.#most));
    void this.#save(chunk, done);
  }

  async #save(chunk: Buffer, done: (error?: Error) => void): Promise<void> {
    try {
      await this.#file.writeFile(chunk);
    } catch (error) {
      return done(error instanceof Error ? error : new Error(String(error)));
    }
    done();
  }
}

const tooLarge = (most: number): UnsafeAddress =>
  new UnsafeAddress(`the answer is larger than ${most} bytes`);

/** One request to one server; a redirect turns it into another. */
export interface FetchRequest {
  address: string;
  method: 'GET' | 'POST';
  headers: Readonly<Record<string, string>>;
  body?: string | Buffer | undefined;
}

const SAME_QUESTION = new Set([307, 308]);

/**
 * The request that a redirect leads to, or undefined when the response is final: a POST is only repeated for 307 and
 * 308. Only Content-Type is forwarded with it, since the other headers were meant for the first server.
 */
export function redirected(asked: FetchRequest, status: number, location: string): FetchRequest | undefined {
  if (asked.method === 'POST' && !SAME_QUESTION.has(status)) return undefined;
  const next = URL.parse(location, asked.address);
  if (!next) throw new UnsafeAddress('the redirect has an invalid target');
  if (asked.method === 'GET') return { address: next.href, method: 'GET', headers: {} };
  if (asked.address.startsWith('https:') && next.protocol !== 'https:')
    throw new UnsafeAddress('the redirect would send the body unencrypted');
  const kept = Object.entries(asked.headers).filter(([name]) => name.toLowerCase() === 'content-type');
  return { ...asked, address: next.href, headers: Object.fromEntries(kept) };
}
