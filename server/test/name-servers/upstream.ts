/**
 * A resolver of an internet provider, on port 53 of the address given: `big.example` takes TCP, `silent.example` gets no answer,
 * `forged.example` is answered by somebody with another id first, and every other name has one address. Writes the
 * port and id of each question it is asked.
 */
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import dnsPacket, { type Answer } from 'dns-packet';

const [, , address = ''] = process.argv;
const LONG_TEXT = Array.from({ length: 20 }, () => 'long '.repeat(40));

function answerTo(query: Buffer, byTcp: boolean): Buffer[] {
  const { id = 0, questions = [] } = dnsPacket.decode(query);
  const [question] = questions;
  const name = question?.name ?? '';
  const kind = name.toLowerCase();
  const write = (answers: Answer[], flags = dnsPacket.RECURSION_AVAILABLE, otherId = id): Buffer =>
    dnsPacket.encode({ type: 'response', id: otherId, flags, questions, answers });
  const found = (data: string): Answer[] => {
    if (question?.type === 'A') return [{ type: 'A', name, ttl: 300, data }];
    return question?.type === 'AAAA' ? [{ type: 'AAAA', name, ttl: 300, data: `2001:db8::${data}` }] : [];
  };
  if (kind === 'silent.example') return [];
  if (kind === 'forged.example')
    return [write(found('192.0.2.66'), undefined, id ^ 1), write(found('192.0.2.80'))];
  if (kind !== 'big.example') return [write(found('192.0.2.80'))];
  return [byTcp ? write([{ type: 'TXT', name, data: LONG_TEXT }]) : write([], dnsPacket.TRUNCATED_RESPONSE)];
}

const udp = createSocket('udp4');
udp.on('message', (query, from) => {
  console.log(JSON.stringify({ id: query.readUInt16BE(0), port: from.port }));
  for (const answer of answerTo(query, false)) udp.send(answer, from.port, from.address);
});
udp.bind(53, address);

createServer((socket) => {
  socket.on('data', (bytes) => {
    if (typeof bytes === 'string') return;
    for (const answer of answerTo(bytes.subarray(2), true)) {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(answer.length);
      socket.end(Buffer.concat([length, answer]));
    }
  });
}).listen(53, address);
