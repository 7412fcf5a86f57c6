import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isNamed, wordsFor } from './words.ts';

test('a locale gets the words of its language, whatever its country', () => {
  assert.equal(wordsFor('de-AT').language, 'de');
  assert.equal(wordsFor('pt-BR').text('browse.sports'), 'Esportes');
  assert.equal(wordsFor('en-GB').text('browse.local'), 'Local Radio');
  for (const other of ['xx', '', 'constructor', '__proto__']) {
    assert.equal(wordsFor(other).language, 'en', other);
    assert.equal(isNamed(other), false, other);
  }
  assert.equal(wordsFor('ja'), wordsFor('ja-JP'), 'one object a language');
});

test('in a language the service does not speak, countries and languages have their names there', () => {
  const swedish = wordsFor('sv-SE');
  assert.deepEqual([swedish.language, swedish.spoken], ['sv', 'en']);
  assert.equal(swedish.countryName('DE', 'Germany'), 'Tyskland');
  assert.equal(swedish.languageName('de', 'German'), 'Tyska');
  assert.equal(swedish.text('browse.local'), 'Local Radio');
  assert.equal(swedish.genreName('jazz', 'Jazz'), 'Jazz');
  assert.equal(wordsFor('sv'), swedish, 'one object a language');
  assert.equal(wordsFor('de-AT').spoken, 'de');
});

test('a script that is not the usual one has its own names', () => {
  assert.equal(wordsFor('zh-TW').countryName('DE'), '德國');
  assert.equal(wordsFor('zh-CN').countryName('DE'), '德国');
  assert.equal(wordsFor('zh-Hant-HK'), wordsFor('zh-Hant-TW'));
  assert.equal(wordsFor('zh-CN').language, 'zh');
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
