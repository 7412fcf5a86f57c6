import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import taxonomy from '../../storage/catalog/stations/genre-taxonomy.json' with { type: 'json' };
import { en } from './en.ts';
import { TRANSLATIONS } from './translations.ts';
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
  const catalan = wordsFor('ca-ES');
  assert.deepEqual([catalan.language, catalan.spoken], ['ca', 'en']);
  assert.equal(catalan.countryName('DE', 'Germany'), 'Alemanya');
  assert.equal(catalan.languageName('de', 'German'), 'Alemany');
  assert.equal(catalan.text('browse.local'), 'Local Radio');
  assert.equal(catalan.genreName('jazz', 'Jazz'), 'Jazz');
  assert.equal(wordsFor('ca'), catalan, 'one object a language');
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

test('a language that is known by another code is spoken too', () => {
  assert.equal(wordsFor('de').spoken, 'de');
  for (const [other, language] of [
    ['iw-IL', 'he'],
    ['in-ID', 'id'],
    ['mo', 'ro'],
    ['no-NO', 'nb'],
    ['nn', 'nb'],
  ] as const)
    if (TRANSLATIONS.has(language)) assert.equal(wordsFor(other), wordsFor(language), other);
});

test('genres by slug, and what is not translated by its own name', () => {
  assert.equal(wordsFor('de').genreName('soccer', 'Football (Soccer)'), 'Fußball');
  assert.equal(wordsFor('en').genreName('soccer', 'Football (Soccer)'), 'Football (Soccer)');
  for (const slug of ['a-genre-of-the-operators', 'constructor', '__proto__'])
    assert.equal(wordsFor('de').genreName(slug, 'Sea Shanties'), 'Sea Shanties');
});

const translated = [...TRANSLATIONS].filter(([language]) => language !== 'en');
const slugs = taxonomy.genres.map(({ slug }) => slug).toSorted();

/** As they stand on a radio's display: no longer than this, with a little more for whole sentences. */
const MAX_LENGTH = 42;
/** What a listener reads once and acts on. */
const LONGER = new Map([
  ['account.claim', 130],
  ['browse.registerAt', 100],
  ['browse.registerNowhere', 100],
  // Sentences of the site's pages, which no radio shows.
  ['site.menu', 100],
  ['site.place', 100],
  ['site-api.radioNew', 100],
  ['site-api.radioRefused', 100],
  ['site-api.radioQuiet', 100],
  ['site-api.radioDropped', 100],
  ['radio-failed.silent', 180],
  ['radio-failed.cannotPlay', 180],
  ['radio-failed.password', 180],
  ['radio-failed.gone', 180],
  ['radio-failed.maker', 180],
  ['radio-failed.insecure', 180],
  ['radio-failed.tooOften', 180],
  ['radio-failed.server', 180],
  ['radio-failed.other', 180],
  ['radio-did.unlisted', 60],
]);
/** Mails. */
const LETTERS = new Set([
  'account.remindText',
  'account.resetText',
  'site-api.linkText',
  'members.passwordText',
  'members.passwordTextOperator',
  'members.devicePasswordText',
  'members.devicePasswordTextOperator',
  'members.emailText',
]);

/** A letter of Chinese, Japanese or Korean is as wide as two of ours; a mark over or under another takes no room. */
const widthOf = (text: string): number =>
  text.replaceAll(/\p{Mn}/gu, '').length + (text.match(/[\u1100-\u115f\u2e80-\uffff]/g)?.length ?? 0);

/** Which values are in a text, however often, and whether with forms for numbers or without. */
const placeholders = (text: string): string[] =>
  [...new Set(Array.from(text.matchAll(/\{(\w+)/g), ([, name = '']) => name))].toSorted();

const FORMS = /\{\w+\|([^{}]*)\}/g;
const formsIn = (text: string): string[][] =>
  Array.from(text.matchAll(FORMS), ([, forms = '']) => forms.split('|'));

/** What whole numbers ask for: Russian has a fourth form, which only fractions take. */
function categoriesOf(language: string): string[] {
  const rules = new Intl.PluralRules(language);
  return [...new Set(Array.from({ length: 201 }, (_, number) => rules.select(number)))].toSorted();
}

/** As it is at its longest. */
const longest = (text: string): string =>
  text.replaceAll(FORMS, (_, forms: string) =>
    forms
      .split('|')
      .map((form) => form.slice(form.indexOf(':') + 1))
      .toSorted((a, b) => b.length - a.length)
      .at(0)!
      .replace('#', '30'),
  );

test('every file is in the table, and its language is spoken', () => {
  const files = readdirSync(new URL('translations', import.meta.url), 'utf8');
  const languages = [...files.map((file) => file.replace('.ts', '')), 'en'].toSorted();
  assert.deepEqual([...TRANSLATIONS.keys()], languages);
  for (const language of languages) {
    assert.equal(isNamed(language), true, language);
    assert.equal(wordsFor(language).spoken, language);
  }
});

for (const [language, { messages, genres }] of translated) {
  test(`${language}: every message, and no other, with the same placeholders`, () => {
    assert.deepEqual(Object.keys(messages).toSorted(), Object.keys(en).toSorted());
    for (const [key, english] of Object.entries(en)) {
      const text: string = Reflect.get(messages, key);
      assert.deepEqual(placeholders(text), placeholders(english), `${key}: ${text}`);
    }
  });

  test(`${language}: every number has its form`, () => {
    const wanted = categoriesOf(language);
    for (const [key, text] of Object.entries(messages))
      for (const forms of formsIn(text)) {
        const written = forms.map((form) => form.slice(0, form.indexOf(':')));
        assert.deepEqual(written.toSorted(), wanted, `${key}: ${text}`);
      }
  });

  test(`${language}: every genre, and no other`, () => {
    assert.deepEqual(Object.keys(genres).toSorted(), slugs);
  });

  test(`${language}: texts fit a display and are clean`, () => {
    for (const [key, text] of [...Object.entries(messages), ...Object.entries(genres)]) {
      if (LETTERS.has(key)) continue;
      assert.match(text, /^\S(?:.*\S)?$/u, `${key} is empty or has spaces around it`);
      assert.doesNotMatch(text, /\s{2}|["<>]|'/u, `${key}: ${text}`);
      assert.equal(text, text.normalize('NFC'), key);
      const width = widthOf(longest(text));
      assert.ok(width <= (LONGER.get(key) ?? MAX_LENGTH), `${key} is ${width} wide: ${text}`);
    }
  });

  test(`${language}: letters end with a line, and nothing in them is markup`, () => {
    for (const [key, text] of Object.entries(messages).filter(([name]) => LETTERS.has(name))) {
      assert.match(text, /^\S[^\t"<>']*\S\n$/u, key);
      assert.equal(text, text.normalize('NFC'), key);
    }
  });

  test(`${language}: no two genres under one heading have one name`, () => {
    for (const parent of new Set(taxonomy.genres.map((genre) => genre.parent))) {
      const names = taxonomy.genres
        .filter((genre) => genre.parent === parent)
        .map(({ slug }) => genres[slug]);
      assert.equal(new Set(names).size, names.length, `${parent}: ${names.join(', ')}`);
    }
  });

  test(`${language}: it is a translation`, () => {
    const same = Object.entries(en).filter(([key, english]) => Reflect.get(messages, key) === english);
    assert.ok(same.length <= Object.keys(en).length / 5, `English: ${same.map(([key]) => key).join(', ')}`);
  });
}
