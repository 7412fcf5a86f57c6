import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { leastCpuMs } from '../../../test/processes/least-cpu-ms.ts';
import { cleanName, MAX_KEY_LENGTH, MAX_NAME_LENGTH, nameKey } from './clean-name.ts';

const cases: Record<string, Record<string, string | undefined>> = {
  'entities and markup': {
    'Rock &amp; Roll': 'Rock & Roll',
    'Rock &amp;amp; Roll': 'Rock & Roll',
    'Caf&eacute; &#8211; Jazz &#x26; Blues': 'Café – Jazz & Blues',
    'R&B & Soul': 'R&B & Soul',
    'AT&T &copy 1': 'AT&T &copy 1',
    '<b>Bold</b> FM': 'Bold FM',
    'I <3 Radio': 'I <3 Radio',
  },
  'letters that only look different': {
    '𝔅𝔲𝔷𝔷𝔦𝔫 ℜ𝔞𝔡𝔦𝔬': 'Buzzin Radio',
    '𝔼𝕃 ℤ𝕆𝕃 𝟙𝟘𝟞.𝟟': 'EL ZOL 106.7',
    ＦＭカオン: 'FMカオン',
    'ｶﾞﾗ FM': 'ガラ FM',
    'CRI HIT FM（成都）': 'CRI HIT FM（成都）',
    اﻟﺠﺰﻳﺮﺓ: 'الجزيرة',
    'Rock 94½ №1': 'Rock 94½ №1',
    'Cafe\u0301': 'Café',
    'Ⓡadio': 'Radio',
  },
  'what cannot be seen': {
    'Radio\tOne\r\n FM': 'Radio One FM',
    'Radio\u00a0\u3000One': 'Radio One',
    '\u202eRadio\u202c O\u200bn\u00ade\ufeff': 'Radio One',
    'Radio \ud800One': 'Radio One',
    'Line Out \ufffd\ufffd': 'Line Out',
    'رادیو می\u200cخوانم': 'رادیو می\u200cخوانم',
    'Ra\u200cdio': 'Radio',
    'क्\u200dष रेडियो': 'क्\u200dष रेडियो',
  },
  'junk around': {
    '_Radio One': 'Radio One',
    '-- - Radio One - |': 'Radio One',
    '.:: Radio One ::.': 'Radio One ::.',
    '# 100 Greatest': '100 Greatest',
    '★ 📻 Radio Dijon 🕺🏽': 'Radio Dijon 🕺🏽',
    '[Rock Radio]': 'Rock Radio',
    '((La Reina 106.3 Fm))': 'La Reina 106.3 Fm',
    '"Quoted"': 'Quoted',
    '(A) and (B)': '(A) and (B)',
    '[A (B)]': '[A (B)]',
  },
  'names that only look like junk': {
    '#1 Splash': '#1 Splash',
    '@FM (Tampico)': '@FM (Tampico)',
    '+Buena FM': '+Buena FM',
    '¡Que Viva!': '¡Que Viva!',
    "'t Is Vloms": "'t Is Vloms",
    '№1 FM': '№1 FM',
    WDR: 'WDR',
    'SHOUTING FM': 'SHOUTING FM',
    '80s_Radio': '80s_Radio',
    'TechnoBase.FM': 'TechnoBase.FM',
    '1': '1',
  },
  'no name': {
    '': undefined,
    ' \t ': undefined,
    '---': undefined,
    '🎵🎶': undefined,
    'https://a.example/stream.mp3': undefined,
    'www.a.example': undefined,
    undefined: undefined,
    'N/A': undefined,
    '&nbsp;': undefined,
  },
};

for (const [rule, table] of Object.entries(cases)) {
  test(rule, () => {
    for (const [text, name] of Object.entries(table))
      assert.equal(cleanName(text), name, JSON.stringify(text));
  });
}

test('a long name is cut at a word, never inside a character', () => {
  const words = cleanName('Radio and more '.repeat(20)) ?? '';
  assert.ok(words.length <= MAX_NAME_LENGTH && words.length > 100);
  assert.match(words, /(?:Radio|and|more)$/);
  assert.equal(cleanName('音'.repeat(500))?.length, MAX_NAME_LENGTH);
  const emoji = cleanName(`a${'😀'.repeat(500)}`) ?? '';
  assert.ok(emoji.isWellFormed());
  assert.ok(emoji.length <= MAX_NAME_LENGTH);
});

test('hostile lengths stay quick', () => {
  for (const part of ['(', '&amp;', '<a', '_ ', '\u200c', '[(', '𝔅']) {
    const name = part.repeat(100_000);
    assert.ok(leastCpuMs(() => void cleanName(name)) < 500, part);
  }
});

test('cleaning twice changes nothing more', () => {
  for (const text of Object.values(cases).flatMap((table) => Object.keys(table))) {
    const once = cleanName(text);
    if (once !== undefined) assert.equal(cleanName(once), once, text);
  }
});

test('whatever comes in, a name is short, visible, well-formed and clean', () => {
  const parts = [
    '&amp;',
    '&',
    '<b>',
    '_',
    ' - ',
    '(',
    ')',
    '[',
    '"',
    '\u200d',
    '\ufe0f',
    '\t',
    'Radio',
    '1',
    'é',
    '音',
    '😀',
    '𝔅',
    'www.',
    '#',
  ];
  const noise = fc.array(fc.oneof(fc.constantFrom(...parts), fc.string({ unit: 'grapheme', maxLength: 5 })), {
    maxLength: 80,
  });
  fc.assert(
    fc.property(noise, (pieces) => {
      const name = cleanName(pieces.join(''));
      if (name === undefined) return;
      assert.ok(name.length > 0 && name.length <= MAX_NAME_LENGTH && name.isWellFormed());
      assert.doesNotMatch(name, /^\s|\s$|\s\s|\p{Cc}/u);
      assert.equal(cleanName(name), name);
    }),
    { numRuns: 2000 },
  );
});

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
