import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyOfAddress } from '../cleaning/clean-address.ts';
import { looksLikeAddress } from './queries.ts';

const ADDRESSES = [
  'http://stream.example.net/live.mp3',
  'https://stream.example.net/live.mp3',
  'stream.example.net/live.mp3',
  'stream.example.net:80/live.mp3',
  'STREAM.example.net/live.mp3',
  'http://stream.example.net/live.mp3?utm_source=x',
];
for (const address of ADDRESSES) {
  test(`${address} is one stream with the others`, () => {
    assert.equal(keyOfAddress(address), keyOfAddress(ADDRESSES[0] ?? ''));
    assert.ok(looksLikeAddress(address));
  });
}

test('another path is another stream', () => {
  assert.notEqual(keyOfAddress('stream.example.net/live2.mp3'), keyOfAddress(ADDRESSES[0] ?? ''));
});

for (const name of ['Radio 4', 'radio.net', '93.9', '1.FM', 'AC/DC', 'wnyc 93.9', 'http radio']) {
  test(`${name} is no address`, () => assert.ok(!looksLikeAddress(name)));
}

for (const text of ['ftp://stream.example.net/x', 'http://', 'http://localhost/x', '::::']) {
  test(`${text} is the key of nothing`, () => assert.equal(keyOfAddress(text), undefined));
}
