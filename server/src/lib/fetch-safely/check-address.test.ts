import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkAddress } from './check-address.ts';
import { UnsafeAddress } from './unsafe-address.ts';

const good: [address: string, host: string, port: number][] = [
  ['http://radio.example.net/feed?x=1', 'radio.example.net', 80],
  ['https://radio.example.net:8443/', 'radio.example.net', 8443],
  ['http://stream.example.net:8000', 'stream.example.net', 8000],
  ['HTTP://Radio.Example.NET.:80/', 'radio.example.net', 80],
  ['http://bücher.example.com/', 'xn--bcher-kva.example.com', 80],
  ['http://93.184.216.34/', '93.184.216.34', 80],
  ['http://[2606:2800:220:1::1]/', '2606:2800:220:1::1', 80],
];
for (const [address, host, port] of good) {
  test(`${address} may be looked up`, () => {
    const checked = checkAddress(address);
    assert.deepEqual([checked.host, checked.port], [host, port]);
    assert.equal(checked.isSecure, address.startsWith('https'));
  });
}

const bad: [address: string, why: RegExp][] = [
  ['ftp://radio.example.net/', /neither http/],
  ['file:///etc/passwd', /neither http/],
  ['javascript:alert(1)', /neither http/],
  ['http://user:secret@radio.example.net/', /name or a password/],
  ['http://a@127.0.0.1/', /name or a password/],
  ['http://radio.example.net:22/', /another service/],
  ['http://radio.example.net:25/', /another service/],
  ['http://radio.example.net:6379/', /another service/],
  ['http://radio.example.net:5432/', /another service/],
  ['http://radio.example.net:6010/', /another service/],
  ['http://localhost/', /without a dot/],
  ['http://router/', /without a dot/],
  ['http://printer.local/', /private network/],
  ['http://metadata.google.internal/', /private network/],
  ['http://app.localhost/', /private network/],
  ['http://1.0.0.127.in-addr.arpa/', /private network/],
  ['http://hidden.onion/', /private network/],
  ['http://', /cannot be read/],
  ['not an address', /cannot be read/],
  ['http://fe80::1%25eth0/', /cannot be read/],
  [`http://radio.example.net/${'x'.repeat(2048)}`, /longer/],
];
for (const [address, why] of bad) {
  test(`${address.slice(0, 50)} is refused before anything is looked up`, () => {
    assert.throws(
      () => checkAddress(address),
      (error) => error instanceof UnsafeAddress && why.test(error.message),
    );
  });
}

test('an address of the operator may lead to any host, and is still an address', () => {
  assert.equal(checkAddress('http://localhost:5432/', true).port, 5432);
  assert.equal(checkAddress('http://mirror.lan/', true).host, 'mirror.lan');
  assert.throws(() => checkAddress('file:///etc/passwd', true), UnsafeAddress);
});
