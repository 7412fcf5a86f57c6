import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LONGEST_TEXT, cleanText, songOf } from './song-text.ts';

const lines: [text: string, clean: string][] = [
  ['  two\r\n lines\t ', 'two lines'],
  ['\u202eturned\u202c and \u2066apart\u2069', 'turned and apart'],
  ['zero\u200bwidth\ufeff', 'zero width'],
  ['\0\x1b[31mred\x7f\x9b', '[31mred'],
  ['half \ud800 letter', 'half \ufffd letter'],
  ['שלום عليكم', 'שלום عليكم'],
];
for (const [text, clean] of lines) {
  test(`${JSON.stringify(text)} is shown as ${JSON.stringify(clean)}`, () =>
    assert.equal(cleanText(text), clean));
}

test('a text is cut between letters', () => {
  assert.equal(cleanText('x'.repeat(10_000)).length, LONGEST_TEXT);
  assert.equal(cleanText(`${'x'.repeat(255)}😀`), 'x'.repeat(255));
});

test('a song has a title, and of the rest what is said', () => {
  assert.deepEqual(songOf({ artist: ' A ', title: 'T', album: 'L' }), {
    artist: 'A',
    title: 'T',
    album: 'L',
  });
  assert.deepEqual(songOf({ artist: '\u0001', title: 'T' }), { title: 'T' });
  assert.equal(songOf({ artist: 'A', title: ' ' }), undefined);
  assert.equal(songOf({}), undefined);
});
