import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createConnection, isIPv6 } from 'node:net';
import { findQuestionEnd, HEADER_BYTES, isTruncated } from './message.ts';

/** Another name server. */
export interface Resolver {
  address: string;
  port: number;
}

const MAX_ID = 65_536;
const LENGTH_BYTES = 2;

/**
 * Asks a resolver by UDP, and by TCP if the answer does not fit into a datagram. Each question has a socket of its own with a port
 * that the kernel draws, and an id that we draw: whoever wants to answer in the resolver's place has to guess both.
 * Rejects when the signal aborts.
 */
export async function askResolver(query: Buffer, resolver: Resolver, signal: AbortSignal): Promise<Buffer> {
  const answer = await askByUdp(query, resolver, signal);
  return isTruncated(answer) ? askByTcp(query, resolver, signal) : answer;
}

/** Our id outside, the asker's inside. */
function withId(message: Buffer, id: number): Buffer {
  const copy = Buffer.from(message);
  copy.writeUInt16BE(id, 0);
  return copy;
}

async function askByUdp(query: Buffer, { address, port }: Resolver, signal: AbortSignal): Promise<Buffer> {
  signal.throwIfAborted();
  const id = randomInt(MAX_ID);
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  // Connected: the kernel then drops what comes from anybody else, and reports a closed port.
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
  const onAbort = (): void => reject(new Error('no answer in time'));
  signal.addEventListener('abort', onAbort, { once: true });
  socket.on('error', reject);
  socket.on('message', (answer) => {
    const restored = restore(answer, query, id);
    if (restored) resolve(restored);
  });
  try {
    // A callback of connect would be called where there is no way to the resolver, too; without one that is an 'error'.
    socket.once('connect', () => socket.send(withId(query, id)));
    socket.connect(port, address);
    return await promise;
  } finally {
    signal.removeEventListener('abort', onAbort);
    socket.close();
  }
}

async function askByTcp(query: Buffer, { address, port }: Resolver, signal: AbortSignal): Promise<Buffer> {
  const id = randomInt(MAX_ID);
  const socket = createConnection({ host: address, port, signal });
  let received = Buffer.alloc(0);
  try {
    socket.write(withLength(withId(query, id)));
    for await (const chunk of socket) {
      received = Buffer.concat([received, chunk]);
      const answer = takeMessage(received)?.message;
      if (answer === undefined) continue;
      const restored = restore(answer, query, id);
      if (restored) return restored;
      break;
    }
    throw new Error('the resolver gave no answer to the question');
  } finally {
    socket.destroy();
  }
}

/** The answer with the asker's id and spelling, if it is one to this question; some resolvers change capital letters. */
function restore(answer: Buffer, query: Buffer, id: number): Buffer | undefined {
  const end = findQuestionEnd(query) ?? HEADER_BYTES;
  const isAnswer = answer.length >= end && answer.readUInt16BE(0) === id && answer[2]! >= 0x80;
  if (!isAnswer || !isSameQuestion(answer, query, end)) return undefined;
  const restored = withId(answer, query.readUInt16BE(0));
  query.copy(restored, HEADER_BYTES, HEADER_BYTES, end);
  return restored;
}

const isSameQuestion = (answer: Buffer, query: Buffer, end: number): boolean =>
  questionKey(answer, end) === questionKey(query, end);

/** A question without its capital letters. */
export const questionKey = (message: Buffer, end: number): string =>
  message.toString('latin1', HEADER_BYTES, end).toLowerCase();

/** Over TCP each message follows its length. */
export function withLength(message: Buffer): Buffer {
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt16BE(message.length);
  return Buffer.concat([length, message]);
}

/** The first message of what was received, if it is whole. */
export function takeMessage(received: Buffer): { message: Buffer; rest: Buffer } | undefined {
  if (received.length < LENGTH_BYTES) return undefined;
  const end = LENGTH_BYTES + received.readUInt16BE(0);
  if (received.length < end) return undefined;
  return { message: received.subarray(LENGTH_BYTES, end), rest: received.subarray(end) };
}
