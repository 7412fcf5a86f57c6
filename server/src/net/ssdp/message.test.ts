import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { Dice } from '../../../test/fuzz/dice.ts';
import { mutated } from '../../../test/fuzz/mutate.ts';
import { findInterfaceOf, listLanInterfaces } from './lan-interfaces.ts';
import { parseSsdpQuestion, type SsdpDevice, writeAlive, writeByebye, writeSsdpAnswers } from './message.ts';

const DEVICE: SsdpDevice = {
  udn: 'uuid:2f402f80-da50-11e1-9b23-001788255acc',
  types: [
    'urn:x:device:MediaServer:1',
    'urn:x:service:ContentDirectory:1',
    'urn:x:service:ConnectionManager:1',
  ],
  server: 'Linux/6.1 UPnP/1.0 Longwave/1.0',
};
const LOCATION = 'http://192.168.1.20:8706/description.xml';
const ask = (target: string, more = 'MX: 2\r\n', man = '"ssdp:discover"'): Buffer =>
  Buffer.from(
    `M-SEARCH * HTTP/1.1\r\nHOST: 239.255.255.250:1900\r\nMAN: ${man}\r\n${more}ST: ${target}\r\n\r\n`,
  );
const answersTo = (datagram: Buffer): string[] => {
  const question = parseSsdpQuestion(datagram);
  return question ? writeSsdpAnswers(question, DEVICE, LOCATION).map(String) : [];
};

test('each of the five targets is answered by itself, and all by one question', () => {
  for (const target of ['upnp:rootdevice', DEVICE.udn, ...DEVICE.types]) {
    const [answer = '', ...more] = answersTo(ask(target));
    assert.equal(more.length, 0);
    assert.match(answer, /^HTTP\/1\.1 200 OK\r\n/);
    assert.ok(answer.includes(`\r\nST: ${target}\r\n`) && answer.includes(`\r\nLOCATION: ${LOCATION}\r\n`));
    assert.ok(answer.includes(`\r\nUSN: ${DEVICE.udn}`) && answer.endsWith('\r\n\r\n'));
  }
  assert.equal(answersTo(ask('ssdp:all')).length, 5);
});

test('anything else is not', () => {
  for (const other of [
    ask('urn:x:device:MediaRenderer:1'),
    ask(''),
    ask('ssdp:all', '', '"ssdp:other"'),
    Buffer.from('M-SEARCH * HTTP/1.1\r\n\r\n'),
    Buffer.from('NOTIFY * HTTP/1.1\r\nNT: ssdp:all\r\nMAN: "ssdp:discover"\r\nST: ssdp:all\r\n\r\n'),
    ask('ssdp:all', `X: ${'x'.repeat(3000)}\r\n`),
    Buffer.alloc(0),
  ])
    assert.deepEqual(answersTo(other), [], other.toString().slice(0, 80));
});

test('nobody waits longer than three seconds, whatever they ask for', () => {
  for (const [text, seconds] of Object.entries({ 0: 0, 2: 2, 5: 3, 120: 3, '-1': 1, x: 1, 999999999999: 1 }))
    assert.equal(parseSsdpQuestion(ask('ssdp:all', `MX: ${text}\r\n`))?.withinSeconds, seconds, text);
  assert.equal(parseSsdpQuestion(ask('ssdp:all', ''))?.withinSeconds, 1);
});

test('announcements name all five, and a good-bye names no place', () => {
  const alive = writeAlive(DEVICE, LOCATION).map(String);
  const gone = writeByebye(DEVICE).map(String);
  assert.deepEqual([alive.length, gone.length], [5, 5]);
  for (const text of alive) assert.match(text, /^NOTIFY \* HTTP\/1\.1\r\nHOST: 239\.255\.255\.250:1900\r\n/);
  assert.ok(alive.every((text) => text.includes('NTS: ssdp:alive') && text.includes(LOCATION)));
  assert.ok(gone.every((text) => text.includes('NTS: ssdp:byebye') && !text.includes('LOCATION')));
});

/** `SSDP_DATAGRAMS=200000 SSDP_SEED=1 node scripts/test.ts server/src/net/ssdp/message.test.ts` */
const DATAGRAMS = Number(process.env['SSDP_DATAGRAMS'] ?? 5000);
const SEED = Number(process.env['SSDP_SEED'] ?? randomInt(2 ** 31));
const TOKENS = ['\r\n', '\n', ':', '*', '"', 'ST: ssdp:all\r\n', 'MX: ', '\0', '\xff', 'HTTP/1.1'].map(
  (text) => Buffer.from(text, 'latin1'),
);

test(`${DATAGRAMS} mutated questions: never an error, never more than five short answers without what was sent`, () => {
  const dice = new Dice(SEED);
  let answered = 0;
  for (let left = DATAGRAMS; left > 0; left -= 1) {
    const target = dice.pick(['ssdp:all', 'upnp:rootdevice', DEVICE.udn, 'x']);
    const datagram = mutated(ask(target), dice, TOKENS);
    const answers = answersTo(datagram);
    answered += Math.min(1, answers.length);
    const bytes = answers.reduce((sum, answer) => sum + answer.length, 0);
    assert.ok(answers.length <= 5 && bytes < 2500, `SSDP_SEED=${SEED}: ${datagram.toString('latin1')}`);
  }
  assert.ok(answered > DATAGRAMS / 50, `only ${answered} were still questions`);
});

const addressOf = (address: string, bits: number, more = {}) => [
  {
    address,
    netmask: '',
    mac: '',
    family: 'IPv4' as const,
    internal: false,
    cidr: `${address}/${bits}`,
    ...more,
  },
];

test('interfaces are those of the home network, and an asker belongs to the one it is behind', () => {
  const all = {
    lo: addressOf('127.0.0.1', 8, { internal: true }),
    eth0: addressOf('192.168.1.20', 24),
    wlan0: addressOf('10.1.2.3', 16),
    wan0: addressOf('8.8.8.8', 24),
  };
  const found = listLanInterfaces([], all);
  assert.deepEqual(
    found.map(({ name }) => name),
    ['eth0', 'wlan0'],
  );
  assert.deepEqual(
    listLanInterfaces(['wlan0', 'wan0'], all).map(({ address }) => address),
    ['10.1.2.3'],
  );
  assert.equal(listLanInterfaces(['192.168.1.20'], all)[0]?.name, 'eth0');
  assert.equal(findInterfaceOf(found, '192.168.1.77')?.address, '192.168.1.20');
  assert.equal(findInterfaceOf(found, '10.1.200.200')?.address, '10.1.2.3');
  for (const stranger of ['192.168.2.1', '8.8.8.8', '10.2.0.1', '', 'x', '::1', '::ffff:192.168.1.5'])
    assert.equal(findInterfaceOf(found, stranger), undefined, stranger);
});
