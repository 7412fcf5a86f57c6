import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leastCpuMs } from '../../../test/processes/least-cpu-ms.ts';
import { initialsOf } from './logos.ts';

const INITIALS: Record<string, string> = {
  'Radio Paradise': 'RP',
  'The Current': 'C',
  'The The': 'TT',
  'kiss fm': 'K',
  FM: 'F',
  'Radio 1': 'R1',
  WQXR: 'WQ',
  '1LIVE': '1L',
  '80s Planet': '80',
  '100.3 The Rock': '100',
  'J-WAVE': 'JW',
  'Łódź Nadaje': 'ŁN',
  'Österreich 1': 'Ö1',
  ɐlternative: 'Ɐ',
  'Ấn Độ': 'ẤĐ',
  'Ελληνικός Αέρας': 'ΕΑ',
  'Радио Маяк': 'РМ',
  'Радио FM Maxima': 'РM',
  Հայաստան: 'Հ',
  'საქართველოს რადიო': 'ᲡᲠ',
  中国之声: '中',
  東京FM: '東',
  ラジオ: 'ラ',
  한국방송: '한',
  'راديو مونت كارلو': 'ر',
  'קול ישראל': 'ק',
  เพลงไทย: 'พ',
  'एफएम गोल्ड': 'ए',
  বাংলাদেশ: 'ব',
  'தமிழ் வானொலி': 'த',
  ኢትዮጵያ: 'ኢ',
  '𝓡𝓪𝓭𝓲𝓸 𝓕𝓾𝓷': 'RF',
  '_ ★ Jazz ★ _': 'J',
  '❤️Love FM': 'L',
  '☀️Sunshine ♥︎Live': 'SL',
  '\u0301abc': 'A',
  'ʻŌiwi TV': 'ŌT',
  ـراديو: 'ر',
  '!!!': '',
  '': '',
  '🎵🎶': '',
  ᚱᚢᚾᛖ: '',
};

for (const [name, initials] of Object.entries(INITIALS)) {
  test(`'${name}' is '${initials}'`, () => assert.equal(initialsOf(name), initials));
}

test('a name of a million characters takes no longer than another', () => {
  const name = `Long ${'name '.repeat(200_000)}`;
  assert.equal(initialsOf(name), 'LN');
  assert.ok(leastCpuMs(() => void initialsOf(name)) < 200);
});
