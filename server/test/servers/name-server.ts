import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** All addresses of a name for one question; undefined leaves the question unanswered. */
export type Addresses = (name: string, kind: 'A' | 'AAAA') => readonly string[] | undefined;

const HEADER_BYTES = 12;
const KINDS: Readonly<Record<number, 'A' | 'AAAA'>> = { 1: 'A', 28: 'AAAA' };

/** A real name server, whose answers are valid for no time at all. */
export async function startNameServer(
  addresses: Addresses,
  port = 0,
  host = '127.0.0.1',
): Promise<AsyncDisposable & { server: string }> {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port: from, address }) => {
    const answer = answerTo(query, addresses);
    if (answer) socket.send(answer, from, address);
  });
  socket.bind(port, host);
  await once(socket, 'listening');
  return {
    server: `${host}:${socket.address().port}`,
    async [Symbol.asyncDispose]() {
      socket.close();
      await once(socket, 'close');
    },
  };
}

function answerTo(query: Buffer, addresses: Addresses): Buffer | undefined {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const kind = KINDS[query.readUInt16BE(at + 1)];
  const found = kind ? addresses(labels.join('.').toLowerCase(), kind) : [];
  if (!kind || !found) return undefined;
  const records = found.filter((ip) => isIPv4(ip) === (kind === 'A')).map((ip) => record(ip, kind));
  const header = Buffer.from(query.subarray(0, HEADER_BYTES));
  // A reply, recursion available, no error; one question, so many answers, nothing else.
  header.writeUInt16BE(0x81_80, 2);
  for (const [index, count] of [1, records.length, 0, 0].entries())
    header.writeUInt16BE(count, 4 + 2 * index);
  return Buffer.concat([header, query.subarray(HEADER_BYTES, at + 5), ...records]);
}

function record(ip: string, kind: 'A' | 'AAAA'): Buffer {
  const bytes = ipaddr.parse(ip).toByteArray();
  const head = Buffer.alloc(HEADER_BYTES);
  head.writeUInt16BE(0xc0_0c, 0);
  head.writeUInt16BE(kind === 'A' ? 1 : 28, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(bytes.length, 10);
  return Buffer.concat([head, Buffer.from(bytes)]);
}
