import assert from 'node:assert/strict';
import test from 'node:test';
import { MAX_BYTES, formatOf, isTooLong, textOf } from './import-file.ts';

test('a file says by its name what it is', () => {
  assert.equal(formatOf('My radios.OPML'), 'opml');
  assert.equal(formatOf('list.m3u8'), 'm3u');
  assert.equal(formatOf('a.b.pls'), 'pls');
  assert.equal(formatOf('favourites.json'), 'json');
  assert.equal(formatOf('Presets.xml'), undefined, 'a list of a Bose or OPML');
  assert.equal(formatOf('list'), undefined);
  assert.equal(formatOf('notes.txt'), undefined);
});

test('a list is too long when its call would be refused', () => {
  assert.equal(isTooLong('a'.repeat(MAX_BYTES - 2)), false);
  assert.equal(isTooLong('a'.repeat(MAX_BYTES)), true);
  assert.equal(isTooLong('"'.repeat(MAX_BYTES / 2)), true, 'a quote is written as two');
  assert.equal(isTooLong('日'.repeat(MAX_BYTES / 2)), true, 'bytes count, not letters');
});

test('a list from an old player keeps its accents', () => {
  assert.equal(textOf(new TextEncoder().encode('Radio Zürich')), 'Radio Zürich');
  assert.equal(textOf(Uint8Array.of(0x5a, 0xfc, 0x72, 0x69, 0x63, 0x68)), 'Zürich');
});
