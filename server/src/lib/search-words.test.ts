import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldText, piecesOf, searchText, searchWords } from './search-words.ts';

const WORDS: [text: string, words: string[]][] = [
  ['Radio Zürich', ['radio', 'zurich']],
  ['RADIO  zurich!', ['radio', 'zurich']],
  ['Łódź Ørsted Straße Æther', ['lodz', 'orsted', 'strasse', 'aether']],
  ['𝐑𝐚𝐝𝐢𝐨 Ｆｕｌｌ', ['radio', 'full']],
  ['WNYC-FM 93.9', ['wnyc', 'fm', '93.9']],
  ['93,9 FM', ['93.9', 'fm']],
  ['101.0', ['101']],
  ['1.FM - 80s', ['1', 'fm', '80s']],
  ['Rock & Roll', ['rock', 'roll']],
  ["People's Radio", ['people', 's', 'radio']],
  ['Радио Ёлка', ['радио', 'елка']],
  ['Ραδιόφωνο', ['ραδιοφωνο']],
  ['FM1045北京交通广播', ['fm1045', '北京交通广播']],
  ["it's\\ a 'quote'", ['it', 's', 'a', 'quote']],
  ['!!! ♥', []],
  ['', []],
];
for (const [text, words] of WORDS) {
  test(`the words of '${text}'`, () => assert.deepEqual(searchWords(text), words));
}

test('a text without end is cut into words of bounded length', () => {
  assert.deepEqual(searchWords('x'.repeat(1000)), ['x'.repeat(40)]);
  assert.deepEqual(searchWords(`x${'\u{10428}'.repeat(30)}`), [`x${'\u{10428}'.repeat(19)}`], 'no half sign');
});

const PIECES: [word: string, pieces: string[]][] = [
  ['radio', ['radio']],
  ['北京', ['北京']],
  ['北京交通', ['北京', '京交', '交通']],
  ['ラジオ', ['ラジ', 'ジオ']],
  ['ニュース', ['ニュ', 'ュー', 'ース']],
  ['เชียงใหม่', ['เชี', 'ชีย', 'ยง', 'งใ', 'ให', 'หม่']],
  ['รัก', ['รัก']],
  ['ខ្មែរ', ['ខ្មែ', 'មែរ']],
];
for (const [word, pieces] of PIECES) {
  test(`the pieces of ${word}`, () => assert.deepEqual(searchWords(word).flatMap(piecesOf), pieces));
}

const terms = (text: string): string => searchWords(text).flatMap(piecesOf).join(' ');

const DIFFERENT: [script: string, one: string, other: string][] = [
  ['Devanagari', 'दिल', 'दाल'],
  ['Bengali', 'কলি', 'কালি'],
  ['Tamil', 'கலை', 'காலை'],
  ['Telugu', 'పలు', 'పాలు'],
  ['Malayalam', 'കല', 'കാല'],
  ['Sinhala', 'මල', 'මාල'],
  ['Gujarati', 'દિન', 'દાન'],
  ['Thai', 'รัก', 'รก'],
  ['Thai tones', 'ข้าว', 'ข่าว'],
  ['Lao', 'ກິນ', 'ກັນ'],
  ['Khmer', 'ដី', 'ដូ'],
  ['Burmese', 'မာ', 'မီ'],
  ['Tibetan', 'བོད', 'བད'],
  ['Thaana', 'ދިވެހި', 'ދަވަހަ'],
  ['hiragana', 'ばら', 'はら'],
  ['katakana', 'パリ', 'バリ'],
  ['Hangul', '한국', '하국'],
  ['Russian', 'мой', 'мои'],
  ['Ukrainian', 'їм', 'ім'],
];
for (const [script, one, other] of DIFFERENT)
  test(`${script}: ${one} is not ${other}`, () => {
    assert.notEqual(terms(one), terms(other));
    assert.notEqual(searchText(one), searchText(other));
    for (const text of [one, other]) assert.equal(terms(text.normalize('NFD')), terms(text.normalize('NFC')));
  });

const SAME: [script: string, one: string, other: string][] = [
  ['Latin', 'Rádio Clássica', 'radio classica'],
  ['Vietnamese', 'Tiếng nói Việt Nam', 'tieng noi viet nam'],
  ['Turkish', 'İSTANBUL', 'istanbul'],
  ['Greek', 'Ραδιόφωνο', 'ΡΑΔΙΟΦΩΝΟ'],
  ['Russian', 'Ёлка', 'елка'],
  ['Russian with stress', 'Москва́', 'москва'],
  ['Russian, taken apart', 'Май'.normalize('NFD'), 'май'],
  ['Hebrew', 'שָׁלוֹם', 'שלום'],
  ['Arabic', 'مُحَمَّد', 'محمد'],
  ['Arabic hamza', 'أخبار', 'اخبار'],
  ['Devanagari without the dot', 'ज़िंदगी', 'जिंदगी'],
  ['Sinhala with a joiner', 'ශ්\u200dරී', 'ශ්රී'],
  ['half width', 'ﾊﾞﾗ', 'バラ'],
  ['full width', 'ＮＨＫ', 'nhk'],
  ['Lao', 'ໜັງ', 'ຫນັງ'],
];
for (const [script, one, other] of SAME)
  test(`${script}: ${one} is ${other}`, () => {
    assert.equal(terms(one), terms(other));
    assert.equal(searchText(one), searchText(other));
  });

test('keys drop the marks of every script, as those that are stored do', () => {
  assert.equal(foldText('दिल'), 'दल');
  assert.equal(foldText('มิวสิค'), foldText('มวสค'));
});

test('what people type the same folds the same', () => {
  assert.equal(foldText('Música  en-Español!'), 'musica en espanol');
  assert.equal(foldText('𝐑𝐚𝐝𝐢𝐨 ＯＮＥ'), 'radio one');
  assert.equal(foldText('Straße'), 'strasse');
  assert.equal(foldText('  R&B + Soul  '), 'r&b + soul');
  assert.equal(foldText('Радио 7'), 'радио 7');
  assert.equal(foldText('---'), '');
});
