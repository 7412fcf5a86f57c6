import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { test } from 'node:test';
import dnsPacket from 'dns-packet';
import { systemClock } from '../../lib/clock.ts';
import { createLog, type Log } from '../../lib/log.ts';
import { parseNetwork } from '../http/caller/addresses.ts';
import { Metrics } from '../http/metrics.ts';
import { askResolver } from './ask-resolver.ts';
import { DnsServer, type DnsServerOptions } from './dns-server.ts';
import { Forwarder, MAX_WAITING_QUESTIONS } from './forwarder.ts';
import { parseAddresses, parseDnsQuery, writeDnsQuestion } from './message.ts';
import { AddressesForAskers, localAddressTowards } from './own-addresses.ts';
import { parseResolver, withoutItself, writeResolver } from './resolvers.ts';
import { sendFromPortZero } from '../../../test/servers/port-zero.ts';
import { ManualClock } from '../../../test/time/manual-clock.ts';

const log = createLog({ level: 'silent' });

const serverWith = (more: Partial<DnsServerOptions> = {}): DnsServer =>
  new DnsServer({
    hosts: ['127.0.0.1'],
    port: 0,
    names: ['opml.radiotime.com'],
    addresses: new AddressesForAskers(['192.168.1.20', 'fd00::20'], '0.0.0.0'),
    forwarder: new Forwarder({ resolvers: [], log }),
    networks: [],
    questionsPerSecond: 0,
    metrics: new Metrics(),
    clock: systemClock,
    log,
    ...more,
  });

const ask = async (server: DnsServer, asker: string, type: 'A' | 'AAAA' = 'A') => {
  const answer = await server.respondTo(writeDnsQuestion('opml.radiotime.com', type), asker);
  return answer && parseAddresses(answer);
};

test('only private networks are answered, and those of the settings', async () => {
  const server = serverWith({
    networks: [parseNetwork('198.51.100.0/24')!, parseNetwork('2001:db8:7::/64')!],
  });
  const welcome = ['10.1.2.3', '172.16.0.1', '172.31.255.254', '192.168.0.5', '169.254.9.9', '127.0.0.1'];
  const alsoWelcome = ['fe80::1', 'fd12::9', 'fc00::1', '::1', '198.51.100.7', '2001:db8:7::9'];
  for (const asker of [...welcome, ...alsoWelcome])
    assert.deepEqual(await ask(server, asker), ['192.168.1.20'], asker);
  const strangers = ['8.8.8.8', '172.32.0.1', '192.169.0.1', '100.64.0.1', '0.0.0.0', '224.0.0.251'];
  const more = ['255.255.255.255', '2001:db8:8::9', '2a00::1', '::', '64:ff9b::a01:203', 'ff02::1', '', 'x'];
  for (const asker of [...strangers, ...more]) assert.equal(await ask(server, asker), undefined, asker);
});

test('IPv6 addresses of the settings are given to who asks for them', async () => {
  assert.deepEqual(await ask(serverWith(), '10.0.0.1', 'AAAA'), ['fd00::20']);
});

test('an asker has its rate and no other suffers from it', async () => {
  const clock = new ManualClock('2026-01-01T00:00:00Z');
  const server = serverWith({ questionsPerSecond: 2, clock });
  const answered = async (asker: string, times: number): Promise<number> => {
    const answers = await Promise.all(Array.from({ length: times }, () => ask(server, asker)));
    return answers.filter((answer) => answer !== undefined).length;
  };
  assert.equal(await answered('10.0.0.1', 30), 10);
  assert.equal(await answered('10.0.0.2', 1), 1);
  clock.advance({ seconds: 2 });
  assert.equal(await answered('10.0.0.1', 30), 4);
});

test('an answer is no question, and two questions are none', async () => {
  const server = serverWith();
  const question = { type: 'A', name: 'opml.radiotime.com' } as const;
  const reply = dnsPacket.encode({ type: 'response', questions: [question] });
  assert.equal(await server.respondTo(reply, '10.0.0.1'), undefined);
  const two = dnsPacket.encode({ type: 'query', id: 7, questions: [question, question] });
  const refused = await server.respondTo(two, '10.0.0.1');
  assert.deepEqual([refused?.length, refused?.readUInt16BE(0), refused![3]! & 15], [12, 7, 1]);
});

const askBySocket = async (port: number) =>
  parseAddresses(
    await askResolver(
      writeDnsQuestion('opml.radiotime.com', 'A'),
      { address: '127.0.0.1', port },
      AbortSignal.timeout(30_000),
    ),
  );

interface ErrorLog {
  log: Log;
  logLines: string[];
}

function errorLog(): ErrorLog {
  const logLines: string[] = [];
  const sink = { write: (line: string) => void logLines.push(line) };
  return { log: createLog({ level: 'error', sink }), logLines };
}

test('a question from port 0, which nobody can answer, is left alone', async () => {
  const { log: kept, logLines } = errorLog();
  await using server = serverWith({ log: kept });
  const port = await server.listen();
  await sendFromPortZero(port, writeDnsQuestion('opml.radiotime.com', 'A'));
  assert.deepEqual(await askBySocket(port), ['192.168.1.20']);
  assert.deepEqual(logLines, []);
});

test('a question that goes wrong is logged, and the next is answered', async () => {
  const { log: kept, logLines } = errorLog();
  await using server = serverWith({ log: kept });
  const port = await server.listen();
  const asked = Promise.withResolvers<void>();
  const respondTo = server.respondTo.bind(server);
  server.respondTo = async () => {
    asked.resolve();
    throw new Error('what nobody foresaw');
  };
  const socket = createSocket('udp4');
  socket.send(writeDnsQuestion('opml.radiotime.com', 'A'), port, '127.0.0.1');
  await asked.promise;
  socket.close();
  server.respondTo = respondTo;
  assert.deepEqual(await askBySocket(port), ['192.168.1.20']);
  assert.match(logLines.join(''), /what nobody foresaw/);
});

test('a name server does not ask itself, by whatever address it is known', () => {
  const resolvers = ['127.0.0.53', '10.0.0.1', '10.0.0.2:5353', '192.168.1.1'].map((text) =>
    parseResolver(text)!,
  );
  const own = ['10.0.0.1', '10.0.0.2'];
  const left = (host: string, port = 53) =>
    withoutItself(resolvers, { host, port }, own).map(writeResolver).join(' ');
  assert.equal(left('0.0.0.0'), '10.0.0.2:5353 192.168.1.1');
  assert.equal(left('10.0.0.1'), '127.0.0.53 10.0.0.2:5353 192.168.1.1');
  assert.equal(left('0.0.0.0', 5353), '127.0.0.53 10.0.0.1 192.168.1.1');
  assert.deepEqual(parseResolver('[fd00::1]:5353'), { address: 'fd00::1', port: 5353 });
  assert.equal(writeResolver({ address: 'fd00::1', port: 5353 }), '[fd00::1]:5353');
  for (const wrong of ['', 'router', '10.0.0.1:0', '10.0.0.1:70000', '10.0.0', '[10.0.0.1', '1.1.1.1:'])
    assert.equal(parseResolver(wrong), undefined, wrong);
});

const queryFor = (name: string) => {
  const query = parseDnsQuery(writeDnsQuestion(name, 'A'));
  assert.ok(typeof query === 'object');
  return query;
};

test('questions to a resolver that is silent do not pile up, and none goes in a circle', async () => {
  const silent = createSocket('udp4');
  let asked = 0;
  silent.on('message', () => (asked += 1));
  silent.bind(0, '127.0.0.1');
  await once(silent, 'listening');
  const resolvers = [{ address: '127.0.0.1', port: silent.address().port }];
  const forwarder = new Forwarder({ resolvers, log, deadlineMs: 1500 });
  const all = Array.from({ length: 300 }, (_, n) => forwarder.forward(queryFor(`a${n}.example`), '10.0.0.1'));
  assert.equal(forwarder.size, MAX_WAITING_QUESTIONS);
  const refused = all.slice(MAX_WAITING_QUESTIONS);
  assert.deepEqual(new Set(await Promise.all(refused)), new Set([undefined]));
  assert.equal(forwarder.size, MAX_WAITING_QUESTIONS, 'who is refused does not wait');
  assert.deepEqual(new Set(await Promise.all(all)), new Set([undefined]));
  assert.equal(forwarder.size, 0);

  asked = 0;
  const first = forwarder.forward(queryFor('circle.example'), '10.0.0.1');
  assert.equal(await forwarder.forward(queryFor('CIRCLE.example'), '127.0.0.1'), undefined);
  assert.equal(forwarder.size, 1);
  await first;
  assert.equal(asked, 1, 'what the resolver asked in turn was not passed on to it');
  silent.close();
});

test('a resolver to which no way leads fails by itself, and the next one is asked', async () => {
  const unreachable = { address: '255.255.255.255', port: 53 };
  const query = writeDnsQuestion('opml.radiotime.com', 'A');
  await assert.rejects(askResolver(query, unreachable, AbortSignal.timeout(30_000)), /EACCES|ENETUNREACH/);
  await using good = serverWith();
  const resolvers = [unreachable, { address: '127.0.0.1', port: await good.listen() }];
  const forwarder = new Forwarder({ resolvers, log, deadlineMs: 30_000 });
  const answer = await forwarder.forward(queryFor('opml.radiotime.com'), '10.0.0.1');
  assert.deepEqual(answer && parseAddresses(answer), ['192.168.1.20']);
});

test('where no way leads there is no own address', async () => {
  await assert.rejects(localAddressTowards('255.255.255.255'), /EACCES|ENETUNREACH/);
  assert.equal(await localAddressTowards('127.0.0.9'), '127.0.0.1');
});
