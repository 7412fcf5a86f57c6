import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wordsFor } from './words.ts';

test('a locale gets the words of its language, whatever its country', () => {
  assert.equal(wordsFor('de-AT').language, 'de');
  assert.equal(wordsFor('pt-BR').text('browse.sports'), 'Esportes');
  assert.equal(wordsFor('en-GB').text('browse.local'), 'Local Radio');
  for (const other of ['xx', 'zh-Hant-TW', '', 'constructor', '__proto__'])
    assert.equal(wordsFor(other).language, 'en', other);
  assert.equal(wordsFor('ja'), wordsFor('ja-JP'), 'one object a language');
});

test('values are put where the language wants them', () => {
  const values = { hours: 1, minutes: 5 };
  assert.equal(wordsFor('en').text('describe.hoursLeft', values), '1h, 5m remaining');
  assert.equal(wordsFor('de').text('describe.hoursLeft', values), 'noch 1 Std. 5 Min.');
  assert.equal(wordsFor('ja').text('describe.hoursLeft', values), '残り1時間5分');
});

test('a value is never read as a message', () => {
  const text = wordsFor('tr').text('describe.minutesLeft', { minutes: '{hours} $& $1 {minutes}' });
  assert.equal(text, '{hours} $& $1 {minutes} dk kaldı');
  assert.equal(wordsFor('en').text('describe.minutesLeft', {}), '{minutes}m remaining');
});

test('genres by slug, and what is not translated by its own name', () => {
  assert.equal(wordsFor('de').genreName('soccer', 'Football (Soccer)'), 'Fußball');
  assert.equal(wordsFor('en').genreName('soccer', 'Football (Soccer)'), 'Football (Soccer)');
  for (const slug of ['a-genre-of-the-operators', 'constructor', '__proto__'])
    assert.equal(wordsFor('de').genreName(slug, 'Sea Shanties'), 'Sea Shanties');
});
