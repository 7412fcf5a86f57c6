import assert from 'node:assert/strict';
import { test } from 'node:test';
import { absolute } from './absolute.ts';

const BASE = 'https://hls.example/live/list.m3u8';

test('an address in a playlist is one of the web, whole or beside the list, and of a length that addresses have', () => {
  assert.equal(absolute('1.ts', BASE), 'https://hls.example/live/1.ts');
  assert.equal(absolute('http://other.example/1.ts', BASE), 'http://other.example/1.ts');
  assert.equal(absolute('file:///etc/passwd', BASE), undefined);
  assert.equal(absolute(undefined, BASE), undefined);
  assert.notEqual(absolute('x'.repeat(2048), BASE), undefined);
  assert.equal(absolute('x'.repeat(2049), BASE), undefined);
});
