import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { test } from 'node:test';
import { REAL_STATIONS, withoutRealData } from '../../../test/content/real-data.ts';
import { readJsonItems } from '../../formats/json-lines/read.ts';
import { cleanHomepage, homepageHost } from '../../core/cleaning/clean-homepage.ts';
import { cleanName } from '../../core/cleaning/clean-name.ts';
import { type AffiliatedStation, deriveAffiliates } from './derive-affiliates.ts';
import { knownNetworks } from './network.ts';

const NETWORKS: Readonly<Record<string, readonly string[]>> = {
  'BBC Radio 4': ['BBC'],
  'NDR 2': ['ARD', 'NDR'],
  'WDR 2 Rheinland': ['ARD', 'WDR'],
  'France Inter': ['Radio France'],
  'CBC Radio One Montréal': ['CBC'],
  'Groove Salad': ['SomaFM'],
  'WNYC 93.9 FM': ['WNYC'],
  'Rai Radio 1': ['RAI'],
  Deutschlandfunk: ['Deutschlandradio'],
  'Heart 80s': ['Global', 'Heart'],
  'Capital UK': ['Capital', 'Global'],
};

interface Row {
  name: string;
  homepage?: string;
  countrycode?: string;
}

/** The file is machine-made: one field stands for all. */
const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && 'cluster' in value;

async function realStations(): Promise<AffiliatedStation[]> {
  const stations: AffiliatedStation[] = [];
  for await (const item of readJsonItems(createReadStream(REAL_STATIONS))) {
    if (!('value' in item) || !isRow(item.value)) continue;
    const { name, homepage = '', countrycode } = item.value;
    stations.push({
      id: stations.length + 1,
      name: cleanName(name) ?? name,
      homepageHost: homepageHost(cleanHomepage(homepage) ?? '') ?? null,
      countryCode: countrycode ?? null,
    });
  }
  return stations;
}

test(
  'ten stations that everybody knows are of the network that a person would name',
  { skip: withoutRealData },
  async () => {
    const stations = await realStations();
    const given = knownNetworks().map((network) => ({ network, source: 'longwave' as const }));
    const networks = [...deriveAffiliates(stations, given).values()];
    for (const [name, expected] of Object.entries(NETWORKS)) {
      const ids = stations.filter((station) => station.name === name).map(({ id }) => id);
      const found = ids.map((id) =>
        networks
          .filter(({ stationIds }) => stationIds.has(id))
          .map((network) => network.name)
          .toSorted(),
      );
      assert.ok(found.length > 0, `the file has ${name}`);
      for (const each of found) assert.deepEqual(each, expected, name);
    }
  },
);
