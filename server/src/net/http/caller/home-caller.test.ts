import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isHomeCaller } from './home-caller.ts';

const from = (address: string, listenerAddress = address) => ({ address, listenerAddress });

test('a browser on this machine or in the same home is at home', () => {
  for (const [address, host] of [
    ['127.0.0.1', '127.0.0.1:8700'],
    ['::1', '[::1]:8700'],
    ['127.0.0.1', 'localhost:8700'],
    ['192.168.1.20', '192.168.1.5:8700'],
    ['172.18.0.1', 'localhost:8700'],
    ['10.0.0.9', 'radio'],
    ['10.0.0.9', 'Radio.local:8700'],
    ['fe80::1', 'box.home.arpa'],
    ['fd12::7', '[fd12::1]:8700'],
    ['::ffff:192.168.1.20', '192.168.1.5'],
  ] as const)
    assert.ok(isHomeCaller(from(address), host), `${address} at ${host}`);
});

test('nobody from the internet is, whatever host they name', () => {
  for (const address of ['203.0.113.7', '8.8.8.8', '2001:4860:4860::8888', '100.64.0.1', '', 'unix'])
    assert.ok(!isHomeCaller(from(address), '192.168.1.5:8700'), address);
  assert.ok(!isHomeCaller(from('127.0.0.1', '8.8.8.8'), 'localhost'), 'a proxy says where it comes from');
});

test('a public name or address is not of a home, even when it leads there', () => {
  for (const host of [
    'radio.example.org',
    'rebind.attacker.example',
    '192.168.1.5.nip.io',
    'localhost.attacker.example',
    'my.local.attacker.example',
    '8.8.8.8:8700',
    '[2001:4860:4860::8888]',
    '3232235781',
    'a b',
    '',
  ])
    assert.ok(!isHomeCaller(from('192.168.1.20'), host), host);
  assert.ok(!isHomeCaller(from('192.168.1.20'), undefined));
});
