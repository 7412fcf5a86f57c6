import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabaseWithPlaces } from '../../../test/database/database.ts';
import { TRANSLATIONS } from './translations.ts';
import { wordsFor } from './words.ts';

interface Coded {
  code: string;
  name: string;
}

let database: TestDatabase;
before(async () => {
  database = await testDatabaseWithPlaces();
});
after(() => database[Symbol.asyncDispose]());

const coded = async (sql: string): Promise<Coded[]> => (await database.pool.query<Coded>(sql)).rows;
const others = [...TRANSLATIONS.keys()].filter((language) => language !== 'en');

test('every continent and country of the catalogue has a name in every language', async () => {
  const regions = await coded("SELECT code, name FROM regions WHERE kind IN ('continent', 'country')");
  assert.ok(regions.length > 240);
  for (const language of others) {
    const words = wordsFor(language);
    const nameless = regions.filter(({ code }) => words.regionName(code, '') === '');
    assert.deepEqual(nameless, [], language);
    const foreign = regions.filter(({ code, name }) => words.regionName(code, name) !== name);
    assert.ok(foreign.length > 90, `${language} has only ${foreign.length} names of its own`);
  }
});

test('nearly every language of the catalogue has one, and the rest keep theirs', async () => {
  const languages = await coded('SELECT code, name FROM languages');
  assert.ok(languages.length > 400);
  for (const language of others) {
    const words = wordsFor(language);
    const nameless = languages.filter(({ code }) => words.languageName(code, '') === '');
    assert.ok(nameless.length < 80, `${language} lacks ${nameless.length}`);
    for (const { code, name } of nameless) assert.equal(words.languageName(code, name), name);
    const two = nameless.filter(({ code }) => code.length === 2);
    assert.deepEqual(two, [], 'languages with a code of two letters are those that stations speak');
  }
});

test('no list of languages has a name twice', async () => {
  const languages = await coded('SELECT code, name FROM languages');
  const twice = ['en', ...others, 'sv', 'ca', 'zh-Hant'].flatMap((language) => {
    const words = wordsFor(language);
    const names = languages.map(({ code, name }) => words.languageName(code, name));
    return names.filter((name, index) => names.indexOf(name) !== index).map((name) => `${language}: ${name}`);
  });
  assert.deepEqual(twice, []);
  assert.equal(wordsFor('de').languageName('tw', 'Twi'), 'Akan (Twi)');
  assert.equal(wordsFor('de').languageName('ak', 'Akan'), 'Akan');
});

test('names as lists show them', () => {
  const { regionName, countryName, languageName } = wordsFor('fr');
  assert.equal(languageName('de'), 'Allemand', 'with a capital');
  assert.equal(countryName('CI'), 'Côte d’Ivoire');
  assert.equal(regionName('continent:CA', 'Central America and Caribbean'), 'Amérique centrale et Caraïbes');
  assert.equal(regionName('continent:EU', 'Europe'), 'Europe');
  assert.equal(wordsFor('ja').regionName('country:DE', 'Germany'), 'ドイツ');
  assert.equal(wordsFor('tr').languageName('is', 'Icelandic'), 'İzlandaca');
});

test('states, cities and what is no code keep the name given', () => {
  const { regionName, countryName, languageName } = wordsFor('de');
  assert.equal(regionName('state:DE-BY', 'Bavaria'), 'Bavaria');
  assert.equal(regionName('city:2950159', 'Berlin'), 'Berlin');
  assert.equal(regionName('continent:XX', 'Atlantis'), 'Atlantis');
  assert.equal(countryName('not a code', 'Utopia'), 'Utopia');
  assert.equal(languageName('not a code'), 'not a code');
  for (let index = 0; index < 12_000; index += 1) languageName(`x${index}`, 'x');
  assert.equal(languageName('fr'), 'Französisch');
});

test('in English a place has the name that the catalogue gives it', () => {
  const { regionName, countryName, languageName } = wordsFor('en');
  assert.equal(regionName('continent:OC', 'Australasia and Oceania'), 'Australasia and Oceania');
  assert.equal(countryName('CZ', 'Bohemia'), 'Bohemia');
  assert.equal(countryName('CZ'), 'Czechia');
  assert.equal(languageName('de'), 'German');
});

test('names are ordered as their readers do', () => {
  const german = ['Zypern', 'Österreich', 'Ägypten', 'Belgien', 'Oman'];
  assert.deepEqual(german.toSorted(wordsFor('de').compareNames), [
    'Ägypten',
    'Belgien',
    'Oman',
    'Österreich',
    'Zypern',
  ]);
  const polish = ['Łotwa', 'Luksemburg', 'Macedonia'];
  assert.deepEqual(polish.toSorted(wordsFor('pl').compareNames), ['Luksemburg', 'Łotwa', 'Macedonia']);
});
