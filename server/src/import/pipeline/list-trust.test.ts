import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../test/database/database.ts';
import { type RecordChanges, resolvedRecord } from '../../../test/content/resolved-record.ts';
import { makeSmallWorld } from '../../../test/content/small-world.ts';
import { importStations } from './import-stations.ts';
import { isTrusted, ListTrust, nameAt } from './list-trust.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
  await makeSmallWorld(database.pool);
});
after(() => database[Symbol.asyncDispose]());

const record = (list: string, name: string, more: RecordChanges = {}) =>
  resolvedRecord({
    address: 'http://a.example.net/harbourfolk',
    ...more,
    name,
    clean: { list, ...more.clean },
  });
const at = (list: string, name: string, more?: RecordChanges) => nameAt(record(list, name, more));

test('lists that agree are both right, and of two that do not, the one whose address speaks for its name', () => {
  const trust = new ListTrust();
  trust.compare(at('a', 'Harbour Folk'), [at('b', 'Harbour Folk Cork')]);
  for (const list of ['a', 'b']) assert.deepEqual(trust.scoreOf(list), { compared: 1, right: 1 });
  trust.compare(at('a', 'Quay Jazz'), [at('b', 'Harbour Folk')]);
  assert.deepEqual(trust.scoreOf('a'), { compared: 2, right: 1 });
  assert.deepEqual(trust.scoreOf('b'), { compared: 2, right: 2 });
});

test('nothing is learned where the address speaks for neither, nor from the list itself', () => {
  const trust = new ListTrust();
  trust.compare(at('a', 'Quay Jazz'), [at('b', 'Tower Rock')]);
  trust.compare(at('a', 'Harbour Folk'), [at('a', 'Quay Jazz')]);
  trust.compare(at('a', 'Harbour Folk'), []);
  assert.deepEqual(trust.scoreOf('a'), { compared: 0, right: 0 });
});

test('a list is trusted until twenty comparisons say otherwise', () => {
  assert.ok(isTrusted({ compared: 0, right: 0 }));
  assert.ok(isTrusted({ compared: 19, right: 0 }));
  assert.ok(!isTrusted({ compared: 20, right: 18 }));
  assert.ok(isTrusted({ compared: 20, right: 19 }));
});

test('of more than a thousand lists, nothing is learned of the others', () => {
  const known = Array.from({ length: 1000 }, (_none, n) => [`list ${n}`, { compared: 1, right: 1 }] as const);
  const trust = new ListTrust(known);
  trust.compare(at('another', 'Harbour Folk'), [at('list 1', 'Harbour Folk')]);
  assert.deepEqual(trust.scoreOf('another'), { compared: 0, right: 0 });
  assert.deepEqual(trust.scoreOf('list 1'), { compared: 2, right: 2 });
});

test('of a list that is not trusted those records are doubtful whose name nothing speaks for', () => {
  const trust = new ListTrust([['a', { compared: 100, right: 80 }]]);
  assert.ok(trust.isDoubtful(record('a', 'Quay Jazz')));
  assert.ok(!trust.isDoubtful(record('a', 'Harbour Folk')));
  assert.ok(!trust.isDoubtful(record('a', 'Quay Jazz', { clean: { homepageHost: 'quayjazz.net' } })));
  assert.ok(!trust.isDoubtful(record('b', 'Quay Jazz')));
});

const WORDS = ['Alder', 'Birch', 'Cedar', 'Daisy', 'Elder', 'Fennel', 'Ginger', 'Hazel', 'Indigo', 'Jasmin'];
const streams = WORDS.flatMap((word) => WORDS.map((second) => `${word} ${second}`)).slice(0, 30);
const addressOf = (name: string): string => `http://s.radio-haven.net/${name.replace(' ', '').toLowerCase()}`;

/** A good list, then one in which each name stands beside the address of its neighbour. */
async function* items() {
  const rest = { source: 'x', countryCode: 'IE', languages: [], tags: [], bitrateKbps: 0, hls: false };
  const entry = (list: string, index: number, name: string, address: string) => ({
    record: { ...rest, record: `${list} ${index}`, list, name, address, votes: 0, clicks: 0 },
  });
  for (const [index, name] of streams.entries()) yield entry('good', index, name, addressOf(name));
  for (const [index, name] of streams.entries())
    yield entry('bad', index, streams[(index + 11) % 30]!, addressOf(name));
  // Nobody else knows these addresses; the second is that of its name, in another codec.
  yield entry('bad', 100, 'Alder Alder', 'http://1.1.1.1:8000/xyz');
  yield entry('bad', 101, 'Alder Birch', `${addressOf('Alder Birch')}.m3u`);
  yield entry('bad', 102, 'Nobody Knows', 'http://1.1.1.1:8000/uvw');
  yield entry('good', 103, 'Harbour', 'http://1.1.1.1:8000/uvw');
}

test('an import believes a bad list no name: its addresses join, its names neither join nor rename', async () => {
  await importStations({ pool: database.pool, source: 'x', items: items(), maxWaitMs: 240_000 });
  const { rows } = await database.pool.query<{ name: string; name_key: string; records: number }>(
    `SELECT name, name_key, count(*)::int AS records FROM stations s JOIN station_records r ON r.station_id = s.id
     GROUP BY s.id ORDER BY s.id`,
  );
  assert.deepEqual(
    rows.slice(0, 30).map(({ name }) => name),
    streams,
  );
  assert.deepEqual(rows.slice(30), [
    { name: 'Alder Alder', name_key: '?alderalder', records: 1 },
    { name: 'Harbour', name_key: 'harbour', records: 2 },
  ]);
  assert.equal(rows[1]!.records, 3);
  const scores = await database.pool.query('SELECT * FROM list_scores ORDER BY list');
  assert.deepEqual(
    scores.rows.map(({ list, compared }) => [list, compared]),
    [
      ['bad', 30],
      ['good', 30],
    ],
  );
});

test('a second import learns nothing, and leaves all as it is', async () => {
  const read = async () =>
    (await database.pool.query('SELECT * FROM list_scores ORDER BY list')).rows.concat(
      (await database.pool.query('SELECT id, name, name_key, country_id FROM stations ORDER BY id')).rows,
    );
  const once = await read();
  await importStations({ pool: database.pool, source: 'x', items: items(), maxWaitMs: 240_000 });
  assert.deepEqual(await read(), once);
});
