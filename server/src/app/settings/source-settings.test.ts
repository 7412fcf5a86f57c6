import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskedConfig, readConfig } from '../config.ts';

const sourcesOf = (text: string) => readConfig({ STATION_SOURCES: text }).stationSources;

test('sources are read with their kinds, named or told by the ending', () => {
  assert.deepEqual(readConfig({}).stationSources, []);
  assert.deepEqual(
    sourcesOf(`radio-browser=https://backups.example/latest.json.gz
      house=/etc/longwave/Stations.CSV  club:opml=http://club.example/list?format=xml lines=b.jsonl`),
    [
      { name: 'radio-browser', kind: 'stations', address: 'https://backups.example/latest.json.gz' },
      { name: 'house', kind: 'csv', address: '/etc/longwave/Stations.CSV' },
      { name: 'club', kind: 'opml', address: 'http://club.example/list?format=xml' },
      { name: 'lines', kind: 'stations', address: 'b.jsonl' },
    ],
  );
});

test('what is no list of sources is refused, without a word of it', () => {
  for (const text of [
    'https://backups.example/latest.json',
    'a=/x.doc',
    'a=https://host.example/?file=x.csv',
    'a:cassette=/x.csv',
    'a:constructor=/x.csv',
    'a=/x.constructor',
    'a=',
    'A=/x.csv',
    'a=/x.csv a=/y.csv',
    'a=/x.csv,b',
  ])
    assert.throws(() => sourcesOf(text), /STATION_SOURCES is malformed; it must be a list of/, text);
});

test('a key in an address is not printed', () => {
  const config = readConfig({ STATION_SOURCES: 'a=https://host.example/x.csv?key=CANARY b=/y.m3u' });
  assert.equal(
    new Map(maskedConfig(config)).get('STATION_SOURCES'),
    'a:csv=https://host.example/x.csv?*** b:m3u=/y.m3u',
  );
});
