import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCity } from './cities.ts';

interface Fields {
  id?: string;
  name?: string;
  latitude?: string;
  feature?: string;
  country?: string;
  people?: string;
  zone?: string;
}

function line(fields: Fields = {}): string {
  const {
    id = '2911298',
    name = 'Hamburg',
    latitude = '53.57532',
    feature = 'PPLA',
    country = 'DE',
  } = fields;
  const { people = '1739117', zone = 'Europe/Berlin' } = fields;
  const start = [id, name, 'Hamburg', 'Hambourg,Гамбург', latitude, '10.01534', 'P', feature, country, ''];
  return [...start, '04', '', '', '', people, '', '2', zone, '2020-02-10'].join('\t');
}

test('a line is a city', () => {
  assert.deepEqual(parseCity(line()), {
    geonameId: 2911298,
    name: 'Hamburg',
    otherNames: 'Hamburg,Hambourg,Гамбург',
    place: { latitude: 53.57532, longitude: 10.01534 },
    countryCode: 'DE',
    stateCode: 'DE.04',
    population: 1739117,
    zone: 'Europe/Berlin',
  });
});

const refused: [what: string, line: string][] = [
  ['a section of a city', line({ feature: 'PPLX' })],
  ['an abandoned place', line({ feature: 'PPLQ' })],
  ['no number', line({ id: 'x' })],
  ['no name', line({ name: '' })],
  ['no latitude', line({ latitude: '' })],
  ['a latitude out of range', line({ latitude: '93' })],
  ['no country', line({ country: '' })],
  ['an empty line', ''],
];
for (const [what, text] of refused) {
  test(`${what} is no city`, () => assert.equal(parseCity(text), undefined));
}

test('what is missing has a value that the tables take', () => {
  assert.equal(parseCity(line({ people: '' }))?.population, 0);
  assert.equal(parseCity(line({ people: '-5' }))?.population, 0);
  assert.equal(parseCity(line({ zone: '' }))?.zone, 'Europe/Berlin');
});
