import assert from 'node:assert/strict';
import { test } from 'node:test';
import { en } from './en.ts';
import { LANGUAGES, chooseLanguage, directionOf, isLanguage } from './languages.ts';
import { loadMessages } from './load.ts';
import { type Messages, fill } from './messages.ts';

const others = Object.keys(LANGUAGES)
  .filter(isLanguage)
  .filter((language) => language !== 'en');
const placeholders = (message: string): string => (message.match(/\{\w+\}/g) ?? []).toSorted().join(' ');
const textOf = (messages: Messages, key: string): string => new Map(Object.entries(messages)).get(key) ?? '';

test('every language says everything, with the same values in it', async () => {
  assert.equal(others.length, 9);
  for (const language of others) {
    const messages = await loadMessages(language);
    assert.deepEqual(Object.keys(messages).toSorted(), Object.keys(en).toSorted(), language);
    for (const [key, english] of Object.entries(en)) {
      const text = textOf(messages, key);
      assert.notEqual(text.trim(), '', `${language} ${key}`);
      assert.equal(placeholders(text), placeholders(english), `${language} ${key}`);
    }
  }
});

test('a sentence is never left in English', async () => {
  const sentences = Object.entries(en).filter(([, text]) => text.split(' ').length > 4);
  assert.ok(sentences.length > 10);
  for (const language of others) {
    const messages = await loadMessages(language);
    const same = sentences.filter(([key, english]) => textOf(messages, key) === english).map(([key]) => key);
    assert.deepEqual(same, [], language);
  }
});

test('the listener’s choice goes before the browser’s, and what is not spoken is passed over', () => {
  assert.equal(chooseLanguage('it', ['de']), 'it');
  assert.equal(chooseLanguage('xx', ['sv-SE', 'PT-br', 'de']), 'pt');
  assert.equal(chooseLanguage(null, ['sv', 'fi']), 'en');
  assert.equal(chooseLanguage('constructor', []), 'en');
});

test('scripts from the right turn the page round', () => {
  assert.deepEqual(['ar', 'he-IL', 'fa', 'de', 'ja'].map(directionOf), ['rtl', 'rtl', 'rtl', 'ltr', 'ltr']);
});

test('values are filled in as they are', () => {
  assert.equal(fill('{a} and {b} of {c}', { a: '{b}', b: 2 }), '{b} and 2 of {c}');
});
