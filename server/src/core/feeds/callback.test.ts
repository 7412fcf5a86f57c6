import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callbackOrigin } from './callback.ts';

const ORIGINS: [publicHosts: string[], httpsPort: number | undefined, origin: string | undefined][] = [
  [[], undefined, undefined],
  [['radio.example.net', 'other.example.net'], undefined, 'http://radio.example.net'],
  [['radio.example.net:8700'], 443, 'http://radio.example.net:8700'],
  [['radio.example.net'], 443, 'https://radio.example.net'],
  [['radio.example.net'], 8443, 'http://radio.example.net'],
  [['203.0.113.9'], undefined, undefined],
  [['93.184.216.34'], undefined, 'http://93.184.216.34'],
  [['192.168.1.5:8700'], undefined, undefined],
  [['[::1]'], undefined, undefined],
  [['radio.lan'], undefined, undefined],
  [['opml.radiotime.com', 'opml.tunein.com'], undefined, undefined],
  [['opml.radiotime.com', 'radio.lan', 'radio.example.net'], undefined, 'http://radio.example.net'],
  [['radio'], undefined, undefined],
];
for (const [publicHosts, httpsPort, origin] of ORIGINS) {
  test(`with PUBLIC_HOSTS=${publicHosts.join()} hubs call ${origin ?? 'nowhere, and none is asked'}`, () => {
    assert.equal(callbackOrigin({ publicHosts, httpsPort }), origin);
  });
}
