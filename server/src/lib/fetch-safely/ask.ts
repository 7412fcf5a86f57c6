import type { Socket } from 'node:net';
import { Client, type Dispatcher } from 'undici';
import { failingAs, inTime } from './deadline.ts';
import type { Question } from './question.ts';
import { readBody, tooLarge } from './read-body.ts';

export interface Answer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
  /** Where a redirect leads, as it is written. */
  location: string | undefined;
}

export interface AnswerLimits {
  /** As it comes over the wire, without the head. */
  maxWireBytes: number;
  /** After unpacking. */
  maxBytes: number;
  /** From the question to the end of the answer's headers. */
  firstByteMs: number;
}

export const MOST_HEADER_BYTES = 16 * 1024;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const NOTHING = Buffer.alloc(0);

/** Asks one question over one connection, which is done with then. A redirect's body is nobody's business. */
export async function ask(
  socket: Socket,
  question: Question,
  limits: AnswerLimits,
  signal: AbortSignal,
): Promise<Answer> {
  limitWire(socket, limits.maxWireBytes);
  const client = clientOn(socket, question.address);
  try {
    const { statusCode, headers, body } = await inTime('answer', limits.firstByteMs, signal, (ending) =>
      client.request({ ...requestOf(question), signal: ending }),
    );
    const location = REDIRECTS.has(statusCode) ? textOf(headers['location']) : undefined;
    body.on('error', () => undefined);
    const answer = { status: statusCode, headers, location };
    if (location !== undefined) return { ...answer, body: NOTHING };
    const encoding = textOf(headers['content-encoding'])?.trim().toLowerCase();
    const whole = await failingAs('body', signal, () => readBody(body, encoding, limits.maxBytes));
    return { ...answer, body: whole };
  } finally {
    client.destroy().catch(() => undefined);
    socket.destroy();
  }
}

/** Not all that comes is head or body: hints before the answer and what is said about a chunk are counted by nobody else. */
function limitWire(socket: Socket, most: number): void {
  socket.on('readable', () => {
    if (socket.bytesRead > most + MOST_HEADER_BYTES) socket.destroy(tooLarge(most));
  });
}

/** The connection is there already, and there is no other. */
function clientOn(socket: Socket, address: string): Client {
  let isGiven = false;
  return new Client(new URL(address).origin, {
    connect: (_options, done) => {
      const isLost = isGiven;
      isGiven = true;
      // It forgets an answer that comes while it still asks.
      queueMicrotask(() => (isLost ? done(new Error('the connection is lost'), null) : done(null, socket)));
    },
    maxHeaderSize: MOST_HEADER_BYTES,
    pipelining: 1,
  });
}

function requestOf({ address, method, headers, body }: Question): Dispatcher.RequestOptions {
  const { pathname, search } = new URL(address);
  return { method, path: pathname + search, headers, body: body ?? null };
}

const textOf = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : value?.join(',');
