import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanFeedAddress } from './feed-address.ts';

const clean = (text: string): string => {
  const found = cleanFeedAddress(text);
  return 'refused' in found ? `refused: ${found.refused}` : found.address;
};
const keyOf = (text: string): string => {
  const found = cleanFeedAddress(text);
  return 'refused' in found ? '' : found.key;
};

test('however it is spelled, a feed has one key', () => {
  const keys = [
    'https://Feeds.Radio-Haven.net/harbour',
    'http://feeds.radio-haven.net:80/harbour/',
    ' feed://feeds.radio-haven.net/harbour#top',
    'feed:https://feeds.radio-haven.net/harbour',
    'itpc://feeds.radio-haven.net/harbour',
  ].map(keyOf);
  assert.deepEqual(new Set(keys).size, 1, keys.join(' '));
  assert.notEqual(keys[0], keyOf('https://feeds.radio-haven.net/harbour?id=2'));
  assert.notEqual(keys[0], keyOf('https://feeds.radio-haven.net/Harbour'));
  assert.equal(keyOf('http://feeds.feedburner.com/x?format=xml'), keyOf('https://feeds.feedburner.com/x'));
});

test('what is no public feed is refused with the reason', () => {
  for (const [text, reason] of [
    ['', /malformed/],
    ['feed', /malformed/],
    ['ftp://radio-haven.net/x', /malformed/],
    ['file:///etc/passwd', /malformed/],
    ['https://me:secret@radio-haven.net/feed', /password/],
    ['http://127.0.0.1/feed', /own network/],
    ['http://2130706433/feed', /own network/],
    ['http://nas.local/feed', /own network/],
    [`https://radio-haven.net/${'x'.repeat(2100)}`, /longer/],
    ['https://www.radiotime.com/feed', /original/],
  ] as const)
    assert.match(clean(text), reason, text);
});
