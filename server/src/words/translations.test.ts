import assert from 'node:assert/strict';
import { test } from 'node:test';
import taxonomy from '../catalog/genre-taxonomy.json' with { type: 'json' };
import { en } from './en.ts';
import { TRANSLATIONS } from './translations.ts';

const LANGUAGES = ['de', 'en', 'es', 'fr', 'it', 'ja', 'nl', 'pl', 'pt', 'tr'];
const translated = [...TRANSLATIONS].filter(([language]) => language !== 'en');
const slugs = taxonomy.genres.map(({ slug }) => slug).toSorted();

/** As they stand on a radio's display: no longer than this, with a little more for whole sentences. */
const LONGEST = 42;
/** What a listener reads once and acts on. */
const LONGER = new Map([
  ['account.claim', 130],
  ['browse.registerAt', 100],
  ['browse.registerNowhere', 100],
  // Sentences of the site's pages, which no radio shows.
  ['site-api.radioNew', 100],
  ['site-api.radioRefused', 100],
  ['site-api.radioQuiet', 100],
  ['site-api.radioDropped', 100],
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

/** A letter of Japanese is as wide as two of ours. */
const widthOf = (text: string): number => text.length + (text.match(/[\u2e80-\uffff]/g)?.length ?? 0);

const placeholders = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).toSorted();

test('the ten languages are spoken', () => {
  assert.deepEqual([...TRANSLATIONS.keys()].toSorted(), LANGUAGES);
});

for (const [language, { messages, genres }] of translated) {
  test(`${language}: every message, and no other, with the same placeholders`, () => {
    assert.deepEqual(Object.keys(messages).toSorted(), Object.keys(en).toSorted());
    for (const [key, english] of Object.entries(en)) {
      const text: string = Reflect.get(messages, key);
      assert.deepEqual(placeholders(text), placeholders(english), `${key}: ${text}`);
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
      assert.ok(widthOf(text) <= (LONGER.get(key) ?? LONGEST), `${key} is ${widthOf(text)} wide: ${text}`);
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
