import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../test/database.ts';
import { type Ran, runLongwave } from '../../test/run-longwave.ts';
import { makeSmallWorld } from '../../test/small-world.ts';
import { importStations } from '../import/pipeline/import-stations.ts';
import { mergeStations } from '../import/operator/regroup.ts';
import { openHand } from '../import/operator/hand.ts';
import { revertChange } from '../import/operator/revert.ts';

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
  yield { record: { ...ie, record: 'd', name: 'Harbour Folk', address: 'http://1.1.1.1:8000/' } };
}

before(async () => {
  database = await testDatabase();
  await makeSmallWorld(database.pool);
  await importStations({ pool: database.pool, source: 'test', items: items(), maxWaitMs: 240_000 });
});
after(() => database[Symbol.asyncDispose]());

const ask = (...args: string[]): Ran => runLongwave(['why-merged', ...args], { DATABASE_URL: database.url });

test('each record tells what joined it and whether it counts, each label where it comes from', () => {
  const { stdout, stderr, status } = ask('s1');
  assert.equal(status, 0, stderr);
  assert.match(stdout, /^s1 Quay Jazz: 3 records\n/);
  assert.match(
    stdout,
    /^name +Quay Jazz +2 of 3 records call it so, with 8 of 9 of the weight; spelt as in test b$/m,
  );
  assert.match(stdout, /^homepage +http:\/\/quayjazz.net\/ +from test b$/m);
  assert.match(stdout, /^country +Ireland +of most, as in test b$/m);
  assert.match(stdout, /^nationwide +no /m);
  assert.match(
    stdout,
    /^test a\n {4}Another FM, IE, no homepage\n {4}e1 \S+quayjazz\n {4}joined by first: .*\n {4}does not count: it calls/m,
  );
  assert.match(
    stdout,
    /^test b\n[^]*? joined by address: it plays at an address of the station; [^]*? {4}weight 4: its address/m,
  );
  assert.match(
    stdout,
    /^test c\n[^]*? joined by name and mirror: it has the name, and its address is another codec/m,
  );
});

test('as JSON for programs', () => {
  const explained: { station: string; records: { witness: string; counts: boolean }[] } = JSON.parse(
    ask('s1', '--json').stdout,
  );
  assert.equal(explained.station, 's1');
  assert.deepEqual(
    explained.records.map(({ witness, counts }) => [witness, counts]),
    [
      ['first', false],
      ['address', true],
      ['name and mirror', true],
    ],
  );
});

test('what an operator merged is told as that, under either id, and no longer once it is undone', async () => {
  const withHand = openHand(database.pool);
  const change = await withHand({ who: 'ann' }, (hand) => mergeStations(hand, 1, 2));
  const { stdout } = ask('s2');
  assert.match(stdout, /^s1 Quay Jazz: 4 records\n/);
  assert.match(stdout, /^test d\n[^]*? joined: an operator merged its station into this one$/m);
  await withHand({ who: 'ann' }, (hand) => revertChange(hand, change));
  assert.match(ask('s2').stdout, /^s2 Harbour Folk: one record\n[^]* joined by first: it came first/);
});

test('what is not there says what to do', () => {
  const { stderr, status } = ask('s4711');
  assert.equal(status, 1);
  assert.match(stderr, /there is no station s4711; Search\.ashx\?query=NAME finds its id/);
  assert.equal(ask().status, 2);
});
