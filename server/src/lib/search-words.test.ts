import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldText, piecesOf, searchWords } from './search-words.ts';

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
  ['ラジオ', ['ラシ', 'シオ']],
];
for (const [word, pieces] of PIECES) {
  test(`the pieces of ${word}`, () => assert.deepEqual(searchWords(word).flatMap(piecesOf), pieces));
}

test('what people type the same folds the same', () => {
  assert.equal(foldText('Música  en-Español!'), 'musica en espanol');
  assert.equal(foldText('𝐑𝐚𝐝𝐢𝐨 ＯＮＥ'), 'radio one');
  assert.equal(foldText('Straße'), 'strasse');
  assert.equal(foldText('  R&B + Soul  '), 'r&b + soul');
  assert.equal(foldText('Радио 7'), 'радио 7');
  assert.equal(foldText('---'), '');
});
