import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listLanguageRecords } from './languages.ts';

const languages = listLanguageRecords();
const names = new Map(languages.map(({ code, name }) => [code, name]));

test('every code and every name is there once', () => {
  assert.equal(names.size, languages.length);
  assert.equal(new Set(names.values()).size, languages.length);
  for (const code of names.keys()) assert.match(code, /^[a-z]{2,3}$/);
});

test('all two-letter codes and some hundreds of three letters', () => {
  assert.equal(languages.filter(({ code }) => code.length === 2).length, 184);
  const long = languages.filter(({ code }) => code.length === 3).length;
  assert.ok(long > 200 && long < 300, `${long} three-letter codes`);
});

const cases: [code: string, name: string | undefined][] = [
  ['en', 'English'],
  ['el', 'Greek'],
  ['ms', 'Malay'],
  ['pa', 'Punjabi'],
  ['nds', 'Low German'],
  ['yue', 'Cantonese'],
  ['eng', undefined],
  ['und', undefined],
];
for (const [code, name] of cases) {
  test(`${code} is ${name ?? 'not listed'}`, () => assert.equal(names.get(code), name));
}
