import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import type { Pool } from 'pg';
import { importStations } from '../../../src/import/pipeline/import-stations.ts';
import { readRadioBrowser } from '../../../src/import/sources/radio-browser/record.ts';
import { serveHouse } from '../../house/served-house.ts';

/** More than two pages of fifty. */
const POLKA_STATIONS = 120;
const HARNESS = join(import.meta.dirname, 'streamtuner2.py');

interface Shelf {
  categories: string[];
  stations: { title: string; url: string; bitrate: number; playing: string }[];
}

test('streamtuner2 reads the categories and follows a list to its end', async () => {
  await using served = await serveHouse(openPolkaStations);
  const env = { PYTHONDONTWRITEBYTECODE: '1' };
  const shelve = async (category: string): Promise<Shelf> =>
    JSON.parse(await served.house.run('/usr/bin/python3', [HARNESS, category], { env }));

  const { categories, stations } = await shelve('Folk & Singer-Songwriter');
  assert.ok(categories.includes('Jazz'), categories.join(', '));
  const polka = stations.filter(({ title }) => title.startsWith('Polka Nook '));
  assert.equal(new Set(polka.map(({ url }) => url)).size, POLKA_STATIONS);
  assert.equal(polka.length, POLKA_STATIONS, 'no station comes twice');
  assert.ok(polka.every(({ bitrate }) => bitrate === 96));

  const near = await shelve('local');
  assert.match(near.stations[0]?.title ?? '', /^Harbour Folk/);
});

async function openPolkaStations(pool: Pool): Promise<void> {
  const lines = Array.from(
    { length: POLKA_STATIONS },
    (_, index) => `${JSON.stringify(polkaStation(index))}\n`,
  );
  await importStations({
    pool,
    source: 'polka',
    items: readRadioBrowser(Readable.from(lines.map((line) => Buffer.from(line)))),
  });
}

const polkaStation = (index: number) => ({
  id: `00000000-0000-5000-8000-${String(index).padStart(12, '0')}`,
  id_src: 'derived',
  name: `Polka Nook ${index}`,
  url: `http://stream.example.net/polka-${index}.mp3`,
  // Each has a house of its own: channels of one network would be one line of the list.
  homepage: `http://polka-${index}.example/`,
  countrycode: 'CZ',
  languages: ['cs'],
  tags: ['polka'],
  codec: 'MP3',
  bitrate: 96,
  votes: 10 + (index % 7),
  lastcheckok: 1,
});
