import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { BlockList } from 'node:net';
import { test } from 'node:test';
import { isPublicAddress } from './public-address.ts';

/** The special-purpose registries of the IANA, and what they leave over outside of 2000::/3; another program's tables. */
const SPECIAL_IPV4 = `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
  192.31.196.0/24 192.52.193.0/24 192.175.48.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`;
const SPECIAL_IPV6 = `::/3 2001::/32 2001:2::/48 2001:10::/28 2001:20::/28 2001:db8::/32 2002::/16 3fff::/20 4000::/2 8000::/1`;

function listOf(text: string, kind: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const network of text.split(/\s+/)) {
    const [address = '', bits] = network.split('/');
    list.addSubnet(address, Number(bits), kind);
  }
  return list;
}

/** Half of the IPv6 ones are where addresses are given out, the others anywhere. */
function randomIpv6(tries: number): string {
  const bytes = randomBytes(16);
  if (tries % 2 === 0) bytes[0] = 0x20;
  return bytes.toString('hex').replaceAll(/(.{4})(?=.)/g, '$1:');
}

test('no random address of a special network is public, and none else is refused', () => {
  const ipv4 = listOf(SPECIAL_IPV4, 'ipv4');
  const ipv6 = listOf(SPECIAL_IPV6, 'ipv6');
  for (let tries = 0; tries < 50_000; tries += 1) {
    const four = randomBytes(4).join('.');
    assert.equal(isPublicAddress(four), !ipv4.check(four), four);
    const six = randomIpv6(tries);
    if (ipv6.check(six, 'ipv6')) assert.equal(isPublicAddress(six), false, six);
  }
});

test('the first and last address of each special network is not public', () => {
  const edges = ['10.255.255.255', '100.127.255.255', '127.255.255.255', '172.31.255.255', '198.19.255.255']
    .concat([
      '223.255.255.256',
      '239.255.255.255',
      '3fff:fff:ffff::1',
      '2001:0:ffff::1',
      '2002:ffff::1',
      'fdff::1',
    ])
    .concat([
      'febf::1',
      '1fff::1',
      '4000::',
      'ffff::1',
      '2001:db8:ffff::1',
      '2001:2::1',
      '2001:1f::1',
      '2001:2f::1',
    ]);
  assert.deepEqual(
    edges.filter((ip) => isPublicAddress(ip)),
    [],
  );
});

test('the neighbours of special networks are public, so that nobody is kept out', () => {
  const neighbours = [
    '1.0.0.0',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
  ]
    .concat(['128.0.0.0', '172.15.255.255', '172.32.0.0', '192.167.255.255', '198.17.255.255', '198.20.0.0'])
    .concat([
      '223.255.255.255',
      '2001:4860::1',
      '2003::1',
      '2a00::1',
      '2606:4700::1',
      '3ffe:ffff::1',
      '2001:db9::1',
    ]);
  assert.deepEqual(
    neighbours.filter((ip) => !isPublicAddress(ip)),
    [],
  );
});

test('an address is judged by what it is, not by how it is written', () => {
  assert.equal(isPublicAddress('::ffff:1.1.1.1'), true);
  assert.equal(isPublicAddress('::ffff:7f00:1'), false);
  for (const none of ['', 'localhost', '1.1.1', '0x7f.1', '1.1.1.1/24', 'fe80::1%eth0', '::1%lo'])
    assert.equal(isPublicAddress(none), false, none);
});
