import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { scheduler } from 'node:timers/promises';
import { constants, createGzip } from 'node:zlib';
import { headersOf, isText, type Reply, respond, wantsGzip } from '../respond.ts';

/** An answer that may be long: its text is made piece by piece, and no faster than its reader takes it. */
export interface LongReply extends Pick<Reply, 'status' | 'contentType' | 'lifetime' | 'ownHeaders'> {
  pieces: Iterable<string>;
}

/** What is made without a pause: a millisecond's work, and a quarter of what is still sent with its length. */
const TURN_CHARACTERS = 64 * 1024;
const SHORT_TURNS = 4;
/** A reader that takes longer for one answer is let go. */
const MAX_MS = 60_000;

/**
 * Writes an answer in turns; other requests are answered in between. A short one has its length, as every other answer. A
 * long one comes in chunks, is never in memory as a whole, and ends with the connection when a piece cannot be made: half a
 * list must not be taken for a whole one. Resolves when all is sent or nobody reads any more.
 */
export async function respondInTurns(
  request: IncomingMessage,
  response: ServerResponse,
  { pieces, ...reply }: LongReply,
): Promise<void> {
  const turns = turnsOf(pieces);
  const begun: string[] = [];
  await nextTurn();
  for (const turn of turns) {
    begun.push(turn);
    if (begun.length > SHORT_TURNS) return writeLong(request, response, reply, [begun, turns]);
    await nextTurn();
  }
  respond(request, response, { ...reply, body: Buffer.from(begun.join('')) });
}

let lastTurn: Promise<void> = Promise.resolve();

/** Of all long answers one has its turn, then whatever else is waiting: however many there are, nobody waits for all of them. */
function nextTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => scheduler.yield());
  return lastTurn;
}

/** Not a generator's `for`, which would end it: it is taken up again where the beginning left off. */
function turnsOf(pieces: Iterable<string>): IterableIterator<string> {
  const iterator = pieces[Symbol.iterator]();
  const turns: IterableIterator<string> = {
    [Symbol.iterator]: () => turns,
    next() {
      let text = '';
      while (text.length < TURN_CHARACTERS) {
        const { done, value } = iterator.next();
        if (done === true)
          return text === '' ? { done: true, value: undefined } : { done: false, value: text };
        text += value;
      }
      return { done: false, value: text };
    },
  };
  return turns;
}

async function writeLong(
  request: IncomingMessage,
  response: ServerResponse,
  { status, ownHeaders = [], ...reply }: Omit<LongReply, 'pieces'>,
  parts: readonly Iterable<string>[],
): Promise<void> {
  if (response.headersSent || response.destroyed) return;
  const isGzip = isText(reply.contentType) && wantsGzip(request.headers['accept-encoding']);
  const headers = [...headersOf(reply), ...ownHeaders];
  if (isGzip) headers.push('Vary', 'Accept-Encoding', 'Content-Encoding', 'gzip');
  response.writeHead(status, headers);
  if (request.method === 'HEAD') return void response.end();
  const coding: Transform[] = isGzip ? [createGzip({ level: constants.Z_BEST_SPEED })] : [];
  const source = Readable.from(bytesInTurns(parts), { objectMode: false });
  const signal = AbortSignal.timeout(MAX_MS);
  try {
    await pipeline([source, ...coding, response], { signal });
  } catch (error) {
    response.destroy();
    if (!isReaderGone(error)) throw error;
  }
}

async function* bytesInTurns(parts: readonly Iterable<string>[]): AsyncGenerator<Buffer> {
  for (const part of parts)
    for (const text of part) {
      yield Buffer.from(text);
      await nextTurn();
    }
}

const isReaderGone = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'AbortError' ||
    ('code' in error && ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE'].includes(String(error.code))));
