import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { en } from './en.ts';
import {
  LANGUAGES,
  askedLanguage,
  chooseLanguage,
  directionOf,
  isLanguage,
  withDigits,
  withoutLanguage,
} from './languages.ts';
import { loadMessages } from './load.ts';
import { type Messages, fill } from './messages.ts';

const others = Object.keys(LANGUAGES)
  .filter(isLanguage)
  .filter((language) => language !== 'en');
/** Which values are in a message, however often, and whether with forms for numbers or without. */
const placeholders = (message: string): string =>
  [...new Set(Array.from(message.matchAll(/\{(\w+)/g), ([, name = '']) => name))].toSorted().join(' ');

/** What whole numbers ask for: Russian has a fourth form, which only fractions take. */
function categoriesOf(language: string): string[] {
  const rules = new Intl.PluralRules(language);
  return [...new Set(Array.from({ length: 201 }, (_, number) => rules.select(number)))].toSorted();
}
const textOf = (messages: Messages, key: string): string => new Map(Object.entries(messages)).get(key) ?? '';

/** The languages that have a file in a folder. */
const filesIn = (folder: string): string[] =>
  readdirSync(new URL(folder, import.meta.url), 'utf8').map((file) => file.replace('.ts', ''));

test('every file is in the table, and radios are answered in the same languages', () => {
  assert.deepEqual(filesIn('translations').toSorted(), others.toSorted());
  assert.deepEqual(filesIn('../../../server/src/core/i18n/translations').toSorted(), others.toSorted());
});

test('every language says everything, with the same values in it', async () => {
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

test('every number has the form its language wants', async () => {
  for (const language of [...others, 'en'] as const) {
    const wanted = categoriesOf(language);
    for (const [key, text] of Object.entries(await loadMessages(language)))
      for (const [, forms = ''] of text.matchAll(/\{\w+\|([^{}]*)\}/g)) {
        const written = forms.split('|').map((form) => form.slice(0, form.indexOf(':')));
        assert.deepEqual(written.toSorted(), wanted, `${language} ${key}: ${text}`);
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
  assert.equal(chooseLanguage('xx', ['eu-ES', 'PT-br', 'de']), 'pt');
  assert.equal(chooseLanguage(null, ['eu', 'xx']), 'en');
  assert.equal(chooseLanguage('constructor', []), 'en');
});

test('scripts from the right turn the page round', () => {
  assert.deepEqual(['ar', 'he-IL', 'fa', 'de', 'ja'].map(directionOf), ['rtl', 'rtl', 'rtl', 'ltr', 'ltr']);
});

test('values are filled in as they are', () => {
  assert.equal(fill('{a} and {b} of {c}', { a: '{b} #', b: 2 }, 'en'), '{b} # and 2 of {c}');
});

test('numbers are written, and inflected, as the language does', () => {
  const russian = '{count|one:# станция|few:# станции|many:# станций}';
  assert.deepEqual(
    [1, 2, 5, 11, 21].map((count) => fill(russian, { count }, 'ru')),
    ['1 станция', '2 станции', '5 станций', '11 станций', '21 станция'],
  );
  assert.equal(fill('{count} found', { count: 12_345 }, 'en'), '12,345 found');
  assert.equal(fill('{count}', { count: 12_345 }, withDigits('ar')), '12,345');
  assert.equal(fill('{n|one:# day|other:# days}', { n: 1_000_000 }, 'es'), '1.000.000 days');
});

test('a language that browsers call otherwise is spoken too', () => {
  const norwegian = isLanguage('nb') ? 'nb' : 'en';
  const hebrew = isLanguage('he') ? 'he' : 'en';
  assert.deepEqual([chooseLanguage(null, ['no-NO']), chooseLanguage(null, ['nn'])], [norwegian, norwegian]);
  assert.equal(chooseLanguage(null, ['iw-IL']), hebrew);
});

test('an address may ask for a language, until another one is chosen', () => {
  assert.equal(askedLanguage('?id=g1&lang=de'), 'de');
  assert.equal(askedLanguage('?lang=DE'), 'de');
  for (const search of ['', '?lang=', '?lang=xx', '?lang=constructor', '?language=de'])
    assert.equal(askedLanguage(search), undefined, search);
  assert.equal(withoutLanguage('?id=g1&lang=de'), '?id=g1');
  assert.equal(withoutLanguage('?lang=de'), '');
  assert.equal(withoutLanguage('?q=a+b'), '?q=a+b');
});
