import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { test } from 'node:test';
import dnsPacket from 'dns-packet';
import { systemClock } from '../../../src/lib/clock.ts';
import { createLog } from '../../../src/lib/log.ts';
import { askResolver } from '../../../src/net/dns/ask-resolver.ts';
import { DnsServer } from '../../../src/net/dns/dns-server.ts';
import { Forwarder } from '../../../src/net/dns/forwarder.ts';
import { parseAddresses, writeDnsQuestion } from '../../../src/net/dns/message.ts';
import { AddressesForAskers } from '../../../src/net/dns/own-addresses.ts';
import { Metrics } from '../../../src/net/http/metrics.ts';
import { collectGarbage } from '../../processes/collect-garbage.ts';
import { Dice } from '../../fuzz/dice.ts';
import { mutated } from '../../fuzz/mutate.ts';

/** `DNS_MUTATIONS=1000000 DNS_SEED=1 node scripts/test.ts server/test/drills/fuzz/dns-fuzz.test.ts` */
const MUTATIONS = Number(process.env['DNS_MUTATIONS'] ?? 100_000);
const SEED = Number(process.env['DNS_SEED'] ?? randomInt(2 ** 31));
const MAX_KEPT_BYTES = 16 * 2 ** 20;
const MAX_UDP_BYTES = 1232;
const NO_ERROR = 0;

const question = (name: string, type: 'A' | 'TXT' | 'HINFO'): Buffer =>
  dnsPacket.encode({
    type: 'query',
    id: 4660,
    flags: dnsPacket.RECURSION_DESIRED,
    questions: [{ type, name }],
    additionals: [
      {
        type: 'OPT',
        name: '.',
        udpPayloadSize: 4096,
        extendedRcode: 0,
        ednsVersion: 0,
        flags: 0,
        flag_do: true,
        options: [],
      },
    ],
  });

const SAMPLES = [
  writeDnsQuestion('opml.radiotime.com', 'A'),
  writeDnsQuestion('opml.radiotime.com', 'AAAA'),
  question('opml.tunein.com', 'HINFO'),
  question('www.example.org', 'A'),
  question(`${'a'.repeat(63)}.${'b'.repeat(63)}.example`, 'TXT'),
];
const TOKENS = `c00c c000 c0ff 00 ff 3f 40 8180 0001 ffff 00ff0001 0000291000000000000000 046f706d6c0972616469
  0800000100000000 2800 00010001`
  .split(/\s+/)
  .map((hex) => Buffer.from(hex, 'hex'));

const log = createLog({ level: 'silent' });
const server = new DnsServer({
  hosts: ['127.0.0.1'],
  port: 0,
  names: ['opml.radiotime.com', 'opml.tunein.com'],
  addresses: new AddressesForAskers(['192.168.1.20'], '0.0.0.0'),
  forwarder: new Forwarder({ resolvers: [], log }),
  networks: [],
  questionsPerSecond: 0,
  metrics: new Metrics(),
  clock: systemClock,
  log,
});

test(`${MUTATIONS} mutated questions (seed ${SEED}): strangers get nothing, refusals are no longer than what they refuse`, async () => {
  const dice = new Dice(SEED);
  const codes = new Map<number, number>();
  let unanswered = 0;
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let turn = 0; turn < MUTATIONS; turn += 1) {
    const message = mutated(dice.pick(SAMPLES), dice, TOKENS);
    assert.equal(await server.respondTo(message, '203.0.113.9'), undefined);
    const answer = await server.respondTo(message, '192.168.1.77');
    if (!answer) {
      unanswered += 1;
      continue;
    }
    const code = answer[3]! & 15;
    codes.set(code, (codes.get(code) ?? 0) + 1);
    const isRight =
      answer.length <= MAX_UDP_BYTES &&
      answer[2]! >= 0x80 &&
      answer.readUInt16BE(0) === message.readUInt16BE(0) &&
      (code === NO_ERROR || answer.length <= message.length);
    assert.ok(isRight, `seed ${SEED}, turn ${turn}: ${message.toString('hex')} -> ${answer.toString('hex')}`);
  }
  collectGarbage();
  const grown = process.memoryUsage().heapUsed - before;
  assert.ok(grown < MAX_KEPT_BYTES, `${grown} bytes more than before`);
  // Each way to answer was met, or the samples have become too tame or too wild.
  for (const code of [0, 1, 2, 4, 5]) assert.ok((codes.get(code) ?? 0) > MUTATIONS / 10_000, `code ${code}`);
  assert.ok(unanswered > MUTATIONS / 1000);
});

test('mutated bytes through sockets, and the server answers as before', async () => {
  await using _ = server;
  const port = await server.listen();
  const dice = new Dice(SEED);
  const socket = createSocket('udp4');
  socket.connect(port, '127.0.0.1');
  await once(socket, 'connect');
  for (let turn = 0; turn < 2000; turn += 1)
    socket.send(mutated(dice.pick(SAMPLES), dice, TOKENS).subarray(0, 60_000));
  socket.close();
  for (let turn = 0; turn < 200; turn += 1) {
    const connection = createConnection({ port, host: '127.0.0.1' });
    connection.end(mutated(Buffer.concat([Buffer.from([0, 36]), dice.pick(SAMPLES)]), dice, TOKENS));
    connection.resume();
    // Cut off by the server, it ends with an error and is closed all the same.
    await once(connection, 'close').catch(() => undefined);
  }
  const signal = AbortSignal.timeout(30_000);
  const answer = await askResolver(SAMPLES[0]!, { address: '127.0.0.1', port }, signal);
  assert.deepEqual(parseAddresses(answer), ['192.168.1.20']);
});

test('a resolver that answers anything at all cannot break who asks it', async () => {
  const dice = new Dice(SEED);
  const hostile = createSocket('udp4');
  hostile.on('message', (query, { port, address }) => {
    const answer = Buffer.from(query);
    answer[2]! |= 0x80;
    hostile.send(mutated(answer, dice, TOKENS).subarray(0, 60_000), port, address);
    // What is right comes last, so that each question ends.
    hostile.send(answer, port, address);
  });
  hostile.bind(0, '127.0.0.1');
  await once(hostile, 'listening');
  const resolver = { address: '127.0.0.1', port: hostile.address().port };
  for (let turn = 0; turn < 500; turn += 1) {
    const sent = dice.pick(SAMPLES);
    const answer = await askResolver(sent, resolver, AbortSignal.timeout(30_000)).catch(() => undefined);
    if (answer) assert.equal(answer.readUInt16BE(0), sent.readUInt16BE(0));
  }
  hostile.close();
});
