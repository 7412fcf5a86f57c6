import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { test } from 'node:test';
import { linkHost, parseHost } from './origin.ts';

const hosts: [text: string, host: string | undefined][] = [
  ['radio.example.org', 'radio.example.org'],
  ['Radio.Example.ORG:80', 'radio.example.org'],
  ['radio.example.org:443', 'radio.example.org'],
  ['radio.example.org:8700', 'radio.example.org:8700'],
  ['192.168.1.20:8700', '192.168.1.20:8700'],
  ['[fd00::1]:8700', '[fd00::1]:8700'],
  ['my_box', 'my_box'],
  ['', undefined],
  ['a b', undefined],
  ['evil.example/path', undefined],
  ['user@evil.example', undefined],
  ['evil.example?x', undefined],
  ['evil.example:x', undefined],
  ['"onload=', undefined],
  ['-a', undefined],
  ['a..b', undefined],
  ['a'.repeat(254), undefined],
];
for (const [text, host] of hosts)
  test(`Host '${text}' is ${host}`, () => assert.equal(parseHost(text), host));

test('links lead to the host asked for when it is public, else to the first public one', () => {
  const socket = new Socket();
  const listed = ['radio.example.org', 'radio.example.org:8700'];
  assert.equal(linkHost('radio.example.org:80', listed, socket), 'radio.example.org');
  assert.equal(linkHost('radio.example.org:8700', listed, socket), 'radio.example.org:8700');
  assert.equal(linkHost('evil.example', listed, socket), 'radio.example.org');
  assert.equal(linkHost(undefined, listed, socket), 'radio.example.org');
});

test('without public hosts links lead to wherever the caller found the box', () => {
  const socket = new Socket();
  assert.equal(linkHost('192.168.1.20:8700', [], socket), '192.168.1.20:8700');
  assert.equal(linkHost('evil.example/x', [], socket), '127.0.0.1');
});

const found: [what: string, localAddress: string, localPort: number, host: string][] = [
  ['IPv4', '192.168.1.20', 8700, '192.168.1.20:8700'],
  ['IPv4 where IPv6 is listened to as well', '::ffff:192.168.1.20', 80, '192.168.1.20'],
  ['IPv6', 'fd00::1', 8700, '[fd00::1]:8700'],
  ['IPv6 of one link', 'fe80::1%eth0', 8700, '[fe80::1]:8700'],
];
for (const [what, localAddress, localPort, host] of found)
  test(`without a Host links lead to the address that was called, by ${what}`, () =>
    assert.equal(linkHost(undefined, [], { localAddress, localPort }), host));

test('a hostile Host is judged in linear time', () => {
  const start = process.cpuUsage();
  for (const text of ['a'.repeat(8000), 'a.'.repeat(4000), 'a-'.repeat(4000), `${'a'.repeat(250)}!`])
    parseHost(text);
  assert.ok(process.cpuUsage(start).user < 100_000);
});
