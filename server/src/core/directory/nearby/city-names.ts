import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nameKey } from '../../cleaning/clean-name.ts';

const LINE = /^([A-Z]{2}) ([^:]+): (.+)$/;

/** What people call their cities, by country and English name; our regions have the English names only. */
export function parseCityNames(text: string): Map<string, string[]> {
  const cities = new Map<string, string[]>();
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const [, country = '', city = '', names] = LINE.exec(line) ?? [];
    if (names === undefined)
      throw new Error(`city-names.txt, line ${index + 1}: write it as "AT Vienna: Wien", not "${line}"`);
    cities.set(keyOf(country, city), names.split(', ').map(nameKey));
  }
  return cities;
}

const keyOf = (country: string | undefined, city: string): string => `${country ?? ''} ${nameKey(city)}`;

let known: Map<string, string[]> | undefined;

/** The keys of all names of a city: `vienna`, `wien`. */
export function cityNameKeys(countryCode: string | undefined, city: string): string[] {
  known ??= parseCityNames(readFileSync(join(import.meta.dirname, 'city-names.txt'), 'utf8'));
  return [nameKey(city), ...(known.get(keyOf(countryCode, city)) ?? [])];
}
