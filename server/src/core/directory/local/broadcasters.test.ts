import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knownBroadcasters, parseBroadcasters } from './broadcasters.ts';

test('areas and the names of their broadcasters are read', () => {
  const text = '# Austria\n[AT]\nÖ1 | ORF Ö1 # culture\n\n[AT 48.21,16.37 50]\nRadio Wien\n';
  assert.deepEqual(parseBroadcasters(text), [
    { countryCode: 'AT', around: undefined, broadcasters: [['o1', 'orfo1']] },
    {
      countryCode: 'AT',
      around: { point: { latitude: 48.21, longitude: 16.37 }, km: 50 },
      broadcasters: [['radiowien']],
    },
  ]);
});

const WRONG: [text: string, message: RegExp][] = [
  ['[AUT]\nÖ1', /line 1: \[AUT\] is not an area such as \[AT\]/],
  ['[AT 48.21 50]', /line 1: .* is not an area/],
  ['[AT 148.21,16.37 50]', /line 1: .* is not an area/],
  ['# nothing\nÖ1', /line 2: Ö1 comes before the first area/],
];
for (const [text, message] of WRONG)
  test(`${JSON.stringify(text)} is told to be wrong`, () => {
    assert.throws(() => parseBroadcasters(text), message);
  });

test('the broadcasters that come with the program are many, each once in its area, and in circles of a country', async () => {
  const areas = await knownBroadcasters();
  const countries = new Set(areas.map(({ countryCode }) => countryCode));
  assert.ok(countries.size > 100, `${countries.size} countries`);
  assert.ok(areas.flatMap(({ broadcasters }) => broadcasters).length > 5000);
  for (const { countryCode, around, broadcasters } of areas) {
    const where = `${countryCode} ${JSON.stringify(around)}`;
    assert.ok(broadcasters.length > 0, `${where} has no broadcaster`);
    assert.ok(around === undefined || (around.km >= 10 && around.km <= 1500), where);
    assert.ok(
      broadcasters.every((names) => names.length > 0),
      where,
    );
  }
});
