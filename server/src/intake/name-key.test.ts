import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_KEY_LENGTH, nameKey } from './name-key.ts';

test('spellings of one station have one key', () => {
  const families = [
    ['Bright Family Radio', 'BrightFamilyRadio', 'bright-family radio!', 'Bright_Family_Radio'],
    ['Pukas 2', 'Pūkas 2 [190 kbps MP3]', 'PUKAS 2 (128k)', 'Pukas 2 - 96 kbit/s'],
    [
      'Trance Base',
      'Trance Base - AAC HD 256k',
      'Trance Base AAC+ 40k',
      'Trance Base (64kb)',
      'Trance Base [AAC 64 kbit/s]',
    ],
    ['Old Time Radio', 'Old Time Radio Opus', 'Old Time Radio (MP3 stream)', 'Old Time Radio HQ'],
    ['Dub Techno', 'Dub Techno [2]', 'Dub Techno (HTTPS)', 'Dub Techno (official stream)'],
    ['Charalá 103.2 FM', 'Charala 103,2fm'],
    ['Радио Орфей', 'РАДИО «ОРФЕЙ»'],
    ['湖北之声', '湖北之声 mp3'],
  ];
  for (const [first = '', ...others] of families) {
    for (const other of others) assert.equal(nameKey(other), nameKey(first), other);
  }
});

test('different stations have different keys', () => {
  const names = [
    'Hit FM',
    'Hit FM 98.1',
    'Hit FM 101.3',
    'Hit FM (Wien)',
    'Hit FM (Jazz)',
    'Hit Radio',
    'Hit FM HD 2',
    'Hit FM 2',
    'Radio 1',
    'FM 1',
    '1',
  ];
  assert.equal(new Set(names.map(nameKey)).size, names.length);
});

test('no name is without a key, and no key is endless', () => {
  assert.equal(nameKey('MP3'), 'mp3');
  assert.equal(nameKey('HD'), 'hd');
  assert.equal(nameKey('(1)'), '1');
  assert.equal(nameKey('¿?'), '¿?');
  assert.equal(nameKey('x'.repeat(500)).length, MAX_KEY_LENGTH);
});
