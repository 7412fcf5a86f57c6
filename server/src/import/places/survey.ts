import type { CityRecord } from './cities.ts';
import type { CurrentStates } from './current-states.ts';

/** What has to be known of all cities before the first place is written. */
export interface Survey {
  cityCount: number;
  /** The largest city by the code of a country or a state. */
  largest: ReadonlyMap<string, Pick<CityRecord, 'place' | 'population' | 'zone'>>;
  /** The code of a city's state today; undefined when it is in none. */
  stateOf: (city: CityRecord) => string | undefined;
}

export function surveyCities(cities: Iterable<CityRecord>, states: CurrentStates): Survey {
  let cityCount = 0;
  const largest = new Map<string, CityRecord>();
  // Only the cities whose state is not the one in their line, about 1 in 90, so that the list is searched once.
  const moved = new Map<number, string | undefined>();
  for (const city of cities) {
    const state = states.find(city);
    if (state !== city.stateCode) moved.set(city.geonameId, state);
    for (const code of state ? [city.countryCode, state] : [city.countryCode])
      keepLarger(largest, code, city);
    cityCount += 1;
  }
  const stateOf = (city: CityRecord): string | undefined =>
    moved.has(city.geonameId) ? moved.get(city.geonameId) : city.stateCode;
  return { cityCount, largest, stateOf };
}

function keepLarger(largest: Map<string, CityRecord>, code: string, city: CityRecord): void {
  const before = largest.get(code);
  if (!before || city.population > before.population) largest.set(code, city);
}
