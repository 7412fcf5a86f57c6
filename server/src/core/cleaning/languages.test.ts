import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_LANGUAGES, languagesOf, parseLanguage, parseLanguageTag } from './languages.ts';

test('a language by any code or name', () => {
  const cases: Record<string, string | undefined> = {
    de: 'de',
    ger: 'de',
    deu: 'de',
    'de-CH': 'de',
    pt_BR: 'pt',
    German: 'de',
    ' deutsch ': 'de',
    allemand: 'de',
    español: 'es',
    Castellano: 'es',
    'brazilian portuguese': 'pt',
    mandarin: 'zh',
    cantonese: 'yue',
    'Swiss German': 'gsw',
    русский: 'ru',
    日本語: 'ja',
    Ελληνικά: 'el',
    nb: 'no',
    fil: 'tl',
    hawaiian: 'haw',
    haw: 'haw',
    zz: undefined,
    qqq: undefined,
    klingonish: undefined,
    '': undefined,
  };
  for (const [text, code] of Object.entries(cases)) assert.equal(parseLanguage(text), code, text);
});

test('a tag says a language by a name, never by a code', () => {
  const cases: Record<string, string | undefined> = {
    deutsch: 'de',
    german: 'de',
    'german pop': 'de',
    'Greek folk music': 'el',
    'noticias en español': 'es',
    'música en inglés': undefined,
    tagalog: 'tl',
    pop: undefined,
    rap: undefined,
    de: undefined,
    latin: undefined,
    irish: undefined,
    'latin pop': undefined,
    'german shepherd': undefined,
    rock: undefined,
  };
  for (const [tag, code] of Object.entries(cases)) assert.equal(parseLanguageTag(tag), code, tag);
});

test('tags speak only where the source is silent', () => {
  assert.deepEqual(languagesOf(['en', 'English', 'German'], ['french']), ['en', 'de']);
  assert.deepEqual(languagesOf(['nonsense'], ['french', 'pop', 'français']), ['fr']);
  assert.deepEqual(languagesOf([], []), []);
  assert.deepEqual(languagesOf(['x'.repeat(1_000_000), 'de'], []), ['de']);
  assert.equal(languagesOf(['en', 'de', 'fr', 'es', 'it', 'nl', 'pl'], []).length, MAX_LANGUAGES);
});
