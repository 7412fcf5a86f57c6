import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parseCity, readLines } from './cities.ts';

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

const folder = mkdtempSync(join(tmpdir(), 'lines-'));
after(() => rmSync(folder, { recursive: true }));

function linesOf(text: string): string[] {
  const file = join(folder, 'text');
  writeFileSync(file, text);
  return [...readLines(file)];
}

test('a file is read as its lines, with or without an end to the last', () => {
  assert.deepEqual(linesOf(''), []);
  assert.deepEqual(linesOf('a'), ['a']);
  assert.deepEqual(linesOf('a\n\nb\n'), ['a', '', 'b']);
});

test('lines and letters that lie across two chunks are whole', () => {
  const lines = Array.from({ length: 40_000 }, (_, at) => `${at} Łódź 東京 ${'é'.repeat(at % 40)}`);
  assert.deepEqual(linesOf(lines.join('\n')), lines);
});

test('a line without end is refused rather than kept', () => {
  assert.throws(() => linesOf('x'.repeat(300_000)), /a line longer than/);
});
