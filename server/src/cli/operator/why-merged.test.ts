import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../test/database/database.ts';
import { type Ran, runLongwave } from '../../../test/processes/run-longwave.ts';
import { makeSmallWorld } from '../../../test/content/small-world.ts';
import { importStations } from '../../import/pipeline/import-stations.ts';
import { mergeStations } from '../../import/operator/regroup.ts';
import { openHand } from '../../import/operator/hand.ts';
import { revertChange } from '../../import/operator/revert.ts';

let database: TestDatabase;
const AT = 'http://stream.radio-haven.net/quayjazz';

async function* items() {
  const rest = {
    source: 'test',
    languages: [],
    tags: [],
    bitrateKbps: 128,
    hls: false,
    clicks: 0,
    votes: 0,
  };
  const ie = { countryCode: 'IE', ...rest };
  yield { record: { ...ie, record: 'a', name: 'Another FM', address: AT } };
  yield {
    record: { ...ie, record: 'b', name: 'Quay Jazz', address: AT, homepage: 'http://quayjazz.net/' },
  };
  yield { record: { ...ie, record: 'c', name: 'Quay Jazz', address: `${AT}.m3u` } };
  yield { record: { ...ie, record: 'd', name: 'Quay Jazz', address: `${AT}-high` } };
  yield { record: { ...ie, record: 'e', name: 'Harbour Folk', address: 'http://1.1.1.1:8000/' } };
}

before(async () => {
  database = await testDatabase();
  await makeSmallWorld(database.pool);
  await importStations({ pool: database.pool, source: 'test', items: items(), maxWaitMs: 240_000 });
});
after(() => database[Symbol.asyncDispose]());

const ask = (...args: string[]): Ran => runLongwave(['why-merged', ...args], { DATABASE_URL: database.url });

test('each record tells what joined it, each label where it comes from', () => {
  const { stdout, stderr, status } = ask('s1');
  assert.equal(status, 0, stderr);
  assert.match(stdout, /^s1 Another FM: 2 records\n/);
  assert.match(stdout, /^name +Another FM +from test a, which came first; 1 of 2 call it otherwise$/m);
  assert.match(stdout, /^homepage +http:\/\/quayjazz.net\/ +from test b, the first that knows one$/m);
  assert.match(stdout, /^country +Ireland +from test a, /m);
  assert.match(stdout, /^nationwide +no /m);
  assert.match(
    stdout,
    /^test a\n {4}Another FM, IE, no homepage\n {4}e1 \S+quayjazz\n {4}joined by first: it came first/m,
  );
  assert.match(
    stdout,
    /^test b\n[^]*? joined by address: it plays at an address of the station; nothing else agrees$/m,
  );
});

test('as JSON for programs', () => {
  const explained: { station: string; records: { witness: string }[] } = JSON.parse(
    ask('s2', '--json').stdout,
  );
  assert.equal(explained.station, 's2');
  assert.deepEqual(
    explained.records.map(({ witness }) => witness),
    ['first', 'name and country'],
  );
});

test('a record whose name is not believed says so, with the score of its list', async () => {
  const rest = { source: 'test', countryCode: 'IE', languages: [], tags: [], bitrateKbps: 0, hls: false };
  await database.pool.query("INSERT INTO list_scores VALUES ('copies', 100, 80)");
  async function* copies() {
    yield { record: { ...rest, record: 'f', list: 'copies', name: 'X', address: AT, votes: 0, clicks: 0 } };
  }
  await importStations({ pool: database.pool, source: 'test', items: copies(), maxWaitMs: 240_000 });
  const { stdout } = ask('s1');
  assert.match(
    stdout,
    /^test f\n[^]*? joined by address: [^]*? {4}doubtful: only its address counts, since 80 of 100 names of the list copies are right/m,
  );
  assert.match(stdout, /^name +Another FM +from test a, which came first; 1 of 2 call it otherwise$/m);
  await database.pool.query("DELETE FROM station_records WHERE record = 'f'");
});

test('what an operator merged is told as that, under either id, and no longer once it is undone', async () => {
  const withHand = openHand(database.pool);
  const change = await withHand({ who: 'ann' }, (hand) => mergeStations(hand, 1, 3));
  const again = await withHand({ who: 'ann' }, (hand) => mergeStations(hand, 2, 1));
  const { stdout } = ask('s3');
  assert.match(stdout, /^s2 Quay Jazz: 5 records\n/);
  assert.match(stdout, /^test e\n[^]*? joined: an operator merged its station into this one$/m);
  await withHand({ who: 'ann' }, (hand) => revertChange(hand, again));
  assert.match(ask('s3').stdout, /^s1 Another FM: 3 records\n[^]*^test e\n[^]*? joined: an operator merged/m);
  await withHand({ who: 'ann' }, (hand) => revertChange(hand, change));
  assert.match(ask('s3').stdout, /^s3 Harbour Folk: one record\n[^]* joined by first: it came first/);
});

test('what is not there says what to do', () => {
  const { stderr, status } = ask('s4711');
  assert.equal(status, 1);
  assert.match(stderr, /there is no station s4711; Search\.ashx\?query=NAME finds its id/);
  assert.equal(ask().status, 2);
});
