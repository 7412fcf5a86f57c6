import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { testDatabaseWithPlaces, type TestDatabase } from '../database/database.ts';
import { type Ran, runLongwave } from '../processes/run-longwave.ts';

const folder = mkdtempSync(join(tmpdir(), 'longwave-affiliates-'));
let database: TestDatabase;
before(async () => {
  database = await testDatabaseWithPlaces();
  const list = file(
    'stations.csv',
    'Name,Stream URL\nHarbour Jazz,http://a.radio-haven.net/jazz\nHarbour Rock,http://a.radio-haven.net/rock\nLone FM,http://a.radio-haven.net/lone\n',
  );
  assert.equal(longwave(['import', 'csv', list]).status, 0);
});
after(async () => {
  await database[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const longwave = (args: string[]): Ran => runLongwave(args, { DATABASE_URL: database.url });
const importNetworks = (networks: unknown): Ran =>
  longwave(['import', 'affiliates', file('networks.json', JSON.stringify(networks))]);

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

async function stationsOf(network: string): Promise<string[]> {
  const { rows } = await database.pool.query<{ name: string }>(
    `SELECT s.name FROM affiliates a JOIN station_affiliates sa ON sa.affiliate_id = a.id
     JOIN stations s ON s.id = sa.station_id WHERE a.name = $1 ORDER BY s.name`,
    [network],
  );
  return rows.map(({ name }) => name);
}

test('stations join the networks of a file, and a second run changes nothing', async () => {
  const networks = [{ name: 'Harbour Network', names: ['Harbour'] }];
  const { status, stdout, stderr } = importNetworks(networks);
  assert.deepEqual([status, stdout, stderr], [0, '2 stations in 1 networks; 2 changes\n', '']);
  assert.deepEqual(await stationsOf('Harbour Network'), ['Harbour Jazz', 'Harbour Rock']);
  assert.equal(importNetworks(networks).stdout, '2 stations in 1 networks; 0 changes\n');
});

test('a network that is wrong is told of, and the others are imported', async () => {
  const { status, stdout, stderr } = importNetworks([
    { name: 'Empty Network' },
    { name: 'Lone Network', words: ['Lone FM'] },
    'Harbour',
  ]);
  assert.equal(status, 0);
  assert.equal(
    stderr,
    'left out: network 1 ("Empty Network") needs one of domains, names, words, countries, stations, by which its stations are recognised\n' +
      'left out: network 3 is not an object: {"name": "…", "domains": ["…"]}\n',
  );
  assert.match(stdout, /^3 stations in 2 networks; 1 changes\n$/);
  assert.deepEqual(await stationsOf('Lone Network'), ['Lone FM']);
});

test('what is wrong with a whole file ends the command, and nothing is imported', async () => {
  const wrong = importNetworks([{ name: 'Rock', domain: 'rock.example' }]);
  const noFile = longwave(['import', 'affiliates', join(folder, 'nowhere.json')]);
  const none = longwave(['import', 'affiliates']);
  assert.deepEqual(
    [wrong, noFile, none].map(({ status }) => status === 0),
    [false, false, false],
  );
  assert.match(wrong.stderr, /^longwave: network 1 \("Rock"\) needs one of /);
  assert.match(noFile.stderr, /^longwave: there is no file .*nowhere\.json\n$/);
  assert.match(none.stderr, /give what to import: import affiliates FILE/);
  assert.deepEqual(await stationsOf('Rock'), []);
});
