import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ALL_FORMATS, formatBit, formatNames, parseFormats } from './stream-format.ts';

test('a formats list becomes a mask; case, spaces and unknown names do not matter', () => {
  assert.deepEqual(formatNames(parseFormats('mp3,aac')), ['mp3', 'aac']);
  assert.deepEqual(formatNames(parseFormats('AAC, zzz ,hls')), ['aac', 'hls']);
});

test('no known name means every format', () => {
  assert.equal(parseFormats(''), ALL_FORMATS);
  assert.equal(parseFormats('zzz'), ALL_FORMATS);
});

test('ogg is Vorbis; who plays Opus says so', () => {
  assert.deepEqual(formatNames(parseFormats('ogg')), ['ogg']);
  assert.deepEqual(formatNames(parseFormats('ogg,opus')), ['ogg', 'opus']);
  assert.equal(parseFormats('opus'), formatBit('opus'));
});
