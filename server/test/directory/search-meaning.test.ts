import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Directory, openDirectory } from '../../src/core/directory/directory.ts';
import { Aliases } from '../../src/core/directory/lookup/by-any-id.ts';
import { searchFolder } from '../../src/core/folders/found-items.ts';
import { wordsFor } from '../../src/core/i18n/words.ts';
import { CallerPlaces } from '../../src/core/places/caller-places.ts';
import { Finder } from '../../src/core/search/finder.ts';
import { importStations } from '../../src/import/pipeline/import-stations.ts';
import { coordinate } from '../../src/lib/geo.ts';
import { createLog } from '../../src/lib/log.ts';
import { search } from '../../src/protocols/radiotime/search/search.ts';
import { seededDatabase, type TestDatabase } from '../database/database.ts';
import { testApp } from '../apps/http-server.ts';
import { type Said, sourceItems } from '../content/station-records.ts';

const station = (record: string, name: string, countryCode: string, more: Partial<Said> = {}): Said => ({
  record,
  name,
  countryCode,
  codec: 'MP3',
  ...more,
});

const RECORDS: Said[] = [
  station('tr', 'Quay FM', 'TR', { votes: 9000 }),
  station('uk', 'Quay FM UK', 'GB'),
  station('es1', 'Cadena Mar +', 'ES', { votes: 300 }),
  station('es2', 'Cadena Mar España', 'ES', { votes: 9000 }),
  station('no1', 'Fjord P1+', 'NO', { votes: 900 }),
  station('no2', 'Fjord P1', 'NO'),
  station('de1', 'Tanne Rockt', 'DE'),
  station('de2', 'Radio Tanne', 'DE'),
  station('at', 'Arabesque Wien', 'AT', { votes: 50 }),
  station('fr1', 'Filante', 'FR', { votes: 500 }),
  station('fr2', 'Filante Metal', 'FR', { city: 'Paris' }),
  station('ru1', 'Береговое', 'RU', { tags: ['news'], votes: 100 }),
  station('us1', 'The Prairie Ranch', 'US', { tags: ['country'], votes: 70, city: 'Austin' }),
  station('cz1', 'Country Radio', 'CZ', { tags: ['country'], votes: 20 }),
];

let database: TestDatabase;
let directory: Directory;
let service: ReturnType<typeof testApp>;
before(async () => {
  database = await seededDatabase();
  const { pool, url } = database;
  await importStations({ pool, source: 'test', items: sourceItems(RECORDS) });
  directory = await openDirectory({ pool, databaseUrl: url, log: createLog({ level: 'silent' }) });
  const shared = { directory, db: pool, aliases: new Aliases(pool), places: new CallerPlaces(pool) };
  service = testApp([search(shared)]);
});
after(async () => {
  await service.app.close();
  await directory[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const CALLERS: Readonly<Record<string, string>> = {
  AT: '48.2,16.37',
  DE: '52.52,13.4',
  ES: '40.4,-3.7',
  FR: '48.85,2.35',
  GB: '51.5,-0.12',
  NO: '59.91,10.75',
  RU: '55.75,37.62',
  TR: '41.01,28.98',
  US: '30.27,-97.74',
};

/** The stations a caller in a country finds, in order. */
async function found(country: string, query: string): Promise<string[]> {
  const { rows } = await database.pool.query('SELECT id FROM countries WHERE code = $1', [country]);
  assert.equal(rows.length, 1, country);
  const url = `/Search.ashx?query=${encodeURIComponent(query)}&latlon=${CALLERS[country]}&filter=s&render=json`;
  const { body } = await service.app.inject({ url, headers: { host: 'radio.test' } });
  const lines: { type?: string; text: string }[] = JSON.parse(body).body;
  return lines.filter(({ type }) => type === 'audio').map(({ text }) => text.replace(/ \([^)]*\)$/, ''));
}

const MEANT: [country: string, query: string, first: string, why: string][] = [
  ['GB', 'quay fm', 'Quay FM UK', 'a name with its country behind it is the name there'],
  ['TR', 'quay fm', 'Quay FM', 'and elsewhere another station has it'],
  ['ES', 'cadena mar', 'Cadena Mar España', 'the country in its own language'],
  ['NO', 'fjord p1', 'Fjord P1', 'a sign that was not typed is not meant'],
  ['DE', 'tanne', 'Radio Tanne', 'nobody types the word radio'],
  ['AT', 'arabesque 92.9', 'Arabesque Wien', 'a frequency that no record has'],
  ['AT', 'arabesque mp3', 'Arabesque Wien', 'the format of a stream'],
  ['FR', 'filante paris', 'Filante', 'networks have no city'],
  ['RU', 'новости', 'Береговое', 'a genre, in a language of its own'],
  ['US', 'country', 'The Prairie Ranch', 'a genre means what is played in the country'],
];
for (const [country, query, first, why] of MEANT)
  test(`${query} in ${country} is ${first}: ${why}`, async () =>
    assert.equal((await found(country, query))[0], first));

test('a search as a folder, which other protocols show, begins with the same stations', async () => {
  const sources = {
    snapshot: directory.current(),
    finder: new Finder(database.pool),
    aliases: new Aliases(database.pool),
  };
  for (const [country, query, first] of MEANT) {
    const [latitude = 0, longitude = 0] = CALLERS[country]?.split(',').map(Number) ?? [];
    const homePlace = () => coordinate(latitude, longitude);
    const places = new CallerPlaces(database.pool, { homePlace });
    const { items, total } = await searchFolder({ ...sources, places }, query, {
      offset: 0,
      limit: 3,
      words: wordsFor('en'),
      callerAddress: '192.168.1.20',
    });
    assert.equal(items[0]?.title, first, query);
    assert.ok(total >= items.length);
  }
  const nowhere = { offset: 0, limit: 1, words: wordsFor('en'), callerAddress: '192.168.1.20' };
  assert.equal((await searchFolder(sources, 'quay fm', nowhere)).items[0]?.title, 'Quay FM');
});

test('a city without a name before it is no name', async () => {
  assert.ok(!(await found('FR', 'paris')).includes('Filante'));
});
