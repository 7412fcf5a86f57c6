import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type AddressRange,
  geoAddress,
  isInside,
  parseHop,
  parseNetwork,
  securityAddress,
  truncateAddress,
} from './addresses.ts';
import { isPublicAddress } from '../../../lib/public-address.ts';

const networks = (...texts: string[]): AddressRange[] =>
  texts.map((text) => parseNetwork(text) ?? assert.fail(text));
const proxies = networks('10.0.0.0/8', 'fd00::/8', '127.0.0.1');

test('networks are strict CIDR', () => {
  for (const text of ['10.0.0.0/8', '192.0.2.1', '::1', 'fd00::/8', '2001:db8::/32'])
    assert.ok(parseNetwork(text), text);
  const wrong = [
    '',
    'true',
    '1',
    '2',
    '10.0.0.0/0',
    '::/0',
    '10.0.0.0/33',
    '10/8',
    '127.1',
    '0x7f.0.0.1',
    '10.0.0.0/08',
  ];
  for (const text of [
    ...wrong,
    '::ffff:10.0.0.0/8',
    '::ffff:10.0.0.1',
    '10.0.0.0/8/8',
    'proxy.local',
    '10.0.0.0/',
  ]) {
    assert.equal(parseNetwork(text), undefined, text);
  }
});

test('an address is inside a network of its own family only', () => {
  assert.ok(isInside('10.1.2.3', proxies));
  assert.ok(isInside('::ffff:10.1.2.3', proxies));
  assert.ok(isInside('fd00::1', proxies));
  for (const text of ['11.0.0.1', '::1', '::a01:203', 'fe80::1', '', 'x'])
    assert.ok(!isInside(text, proxies), text);
});

const security: [peer: string, forwardedFor: string, expected: string][] = [
  ['192.0.2.1', '', '192.0.2.1'],
  ['::ffff:192.0.2.1', '', '192.0.2.1'],
  ['192.0.2.1', '8.8.8.8', '192.0.2.1'],
  ['192.0.2.1', '10.0.0.1, 8.8.8.8', '192.0.2.1'],
  ['10.0.0.1', '8.8.8.8', '8.8.8.8'],
  ['10.0.0.1', '1.1.1.1, 8.8.8.8', '8.8.8.8'],
  ['10.0.0.1', '1.1.1.1, 8.8.8.8, 10.0.0.2', '8.8.8.8'],
  ['10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ['10.0.0.1', 'nonsense', '10.0.0.1'],
  ['10.0.0.1', '8.8.8.8, nonsense', '10.0.0.1'],
  ['10.0.0.1', '8.8.8.8:5555', '8.8.8.8'],
  ['10.0.0.1', '[2606:4700::1]:443', '2606:4700::1'],
  ['::1', '8.8.8.8', '::1'],
];
for (const [peer, forwardedFor, expected] of security) {
  test(`peer ${peer} naming '${forwardedFor}' is ${expected}`, () => {
    assert.equal(securityAddress(peer, forwardedFor, proxies), expected);
  });
}

test('a caller names where its listener is by the first public address', () => {
  assert.equal(geoAddress('', '192.0.2.9'), '192.0.2.9');
  assert.equal(geoAddress('8.8.8.8', '192.0.2.9'), '8.8.8.8');
  assert.equal(geoAddress('192.168.1.4, unknown, 8.8.8.8, 1.1.1.1', '192.0.2.9'), '8.8.8.8');
  assert.equal(geoAddress('127.0.0.1, 10.0.0.1', '192.0.2.9'), '192.0.2.9');
});

test('public is what can belong to someone on the internet', () => {
  for (const text of ['8.8.8.8', '2606:4700::1', '::ffff:8.8.8.8']) assert.ok(isPublicAddress(text), text);
  const inner = [
    '127.0.0.1',
    '127.1',
    '10.0.0.1',
    '100.64.0.1',
    '169.254.169.254',
    '192.168.0.1',
    '224.0.0.1',
    '0.0.0.0',
  ];
  const inner6 = [
    '::',
    '::1',
    '::7f00:1',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    '4000::1',
    'fe80::1',
    'fd00::1',
    '2001:db8::1',
  ];
  for (const text of [...inner, ...inner6, 'x', '']) assert.ok(!isPublicAddress(text), text);
});

test('hops', () => {
  assert.equal(parseHop(' 8.8.8.8 '), '8.8.8.8');
  assert.equal(parseHop('::ffff:8.8.8.8'), '8.8.8.8');
  for (const text of ['', 'unknown', '8.8.8', '8.8.8.8:', 'fe80::1%eth0', '_hidden', '8.8.8.8\n']) {
    assert.equal(parseHop(text), text === '8.8.8.8\n' ? '8.8.8.8' : undefined, text);
  }
});

test('a logged address does not name a household', () => {
  assert.equal(truncateAddress('203.0.113.77'), '203.0.113.0');
  assert.equal(truncateAddress('::ffff:203.0.113.77'), '203.0.113.0');
  assert.equal(truncateAddress('2001:db8:1:2:3:4:5:6'), '2001:db8:1::');
  assert.equal(truncateAddress(''), 'unknown');
});
