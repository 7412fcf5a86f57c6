import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseLocale, preferredLocale } from './locale.ts';

const tags: [text: string, locale: string | undefined][] = [
  ['en', 'en'],
  ['en-US', 'en-US'],
  ['en_GB', 'en-GB'],
  ['enGB', 'en-GB'],
  ['de-de', 'de-DE'],
  ['DE', 'de'],
  ['zh-hant-tw', 'zh-Hant-TW'],
  ['es-419', 'es-419'],
  // As systems name the language they run in, whose names programs send along.
  ['de_DE.UTF-8', 'de-DE'],
  ['de_DE@euro', 'de-DE'],
  ['de_DE@currency=EUR', 'de-DE'],
  ['zh_TW_#Hant', 'zh-TW'],
  ['sr__#Latn', 'sr'],
  ['zh-Hans_CN', 'zh-Hans-CN'],
  ['ca-ES-valencia', 'ca-ES'],
  ['de-DE-u-co-phonebk', 'de-DE'],
  ['en_US_POSIX', 'en-US'],
  ['C.UTF-8', undefined],
  ['', undefined],
  ['*', undefined],
  ['e', undefined],
  ['english please', undefined],
  ['en-', undefined],
  ['../etc', undefined],
];
for (const [text, locale] of tags)
  test(`'${text}' is ${locale}`, () => assert.equal(parseLocale(text), locale));

const headers: [header: string, locale: string][] = [
  ['', 'en'],
  ['de', 'de'],
  ['en_US', 'en-US'],
  ['en-US,en,de,es,fr,it,*;q=0.1', 'en-US'],
  ['en;q=0.5, fr;q=0.9, de;q=0.1', 'fr'],
  ['*, pt-BR;q=0.8', 'pt-BR'],
  ['en;q=0, nl;q=0.1', 'nl'],
  ['ca, de;q=0.8, en;q=0.5', 'de'],
  ['ca-ES', 'ca-ES'],
  ['xx, ca;q=0.5', 'ca'],
  ['xx', 'en'],
  ['de;q=broken', 'en'],
  [';;;,,,=', 'en'],
];
for (const [header, locale] of headers) {
  test(`Accept-Language '${header}' wants ${locale}`, () => assert.equal(preferredLocale(header), locale));
}
