import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testDatabase } from '../../../test/database/database.ts';
import { type Ran, runLongwave } from '../../../test/processes/run-longwave.ts';
import { makeSmallWorld } from '../../../test/content/small-world.ts';
import { findGivenKey, listStationKeys } from '../../storage/catalog/stations/station-keys.ts';

const database = await testDatabase();
after(() => database[Symbol.asyncDispose]());
await database.pool.query("INSERT INTO stations (id, name, name_key) VALUES (1, 'Town FM', 'town fm')");

const station = (...args: string[]): Ran => runLongwave(['station', ...args], { DATABASE_URL: database.url });

test('a key is shown once, listed without itself, and dropped by what the list calls it', async () => {
  assert.match(station('keys', 's1').stdout, /no keys yet: longwave station key s1/);
  const made = station('key', 's1', '--name', 'studio');
  const key = made.stdout.split('\n')[0] ?? '';
  assert.match(made.stdout, /s1 Town FM\. It is shown only once/);
  assert.equal(findGivenKey(await listStationKeys(database.pool, 1), key)?.name, 'studio');
  const [header, line = ''] = station('keys', 's1').stdout.split('\n');
  assert.equal(header, 'KEY       MADE        LAST USED  NAME');
  assert.match(line, /^[0-9a-f]{8} {2}\d{4}-\d\d-\d\d {2}never {6}studio$/);
  assert.ok(!line.includes(key));
  const dropped = station('drop-key', 's1', line.slice(0, 8));
  assert.match(dropped.stdout, /\(studio\) of s1 is no longer valid/);
  assert.deepEqual(await listStationKeys(database.pool, 1), []);
});

test('an operator looks at a station, changes it, and takes that back', () => {
  assert.match(
    station('show', 's1').stdout,
    /listed {2}no: it has no listed stream\n[^]*nobody changed it by hand/,
  );
  const set = station('set', 's1', 'name=Town FM Two', '--as', 'ann', '--why', 'they asked').stdout;
  assert.match(set, /change 1: s1 is set, and imports keep it\. [^]*longwave station revert 1\n/);
  assert.match(station('show', 's1').stdout, /\nname +operator +Town FM Two\n/);
  assert.match(station('hide', 's1', '--why', 'gone').stdout, /change 2: s1 is hidden/);
  assert.match(station('show', 's1').stdout, /listed {2}no: hidden by .* on \d{4}-.*: gone \(change 2\)/);
  station('revert', '1');
  const [, revert, hide, first] = station('history', 's1').stdout.split('\n');
  assert.match(revert ?? '', /^3 .* revert 1/);
  assert.match(hide ?? '', /^2 .* hide .* gone$/);
  assert.match(first ?? '', /^1 .* ann +name: "Town FM" -> "Town FM Two" +undone +they asked$/);
});

test('the history has genres and countries by the names they were set by', async () => {
  await makeSmallWorld(database.pool);
  await database.pool.query(
    "INSERT INTO genres (id, slug, name, position) VALUES (7, 'jazz', 'Jazz', 1), (8, 'news', 'News', 2)",
  );
  const set = station('set', 's1', 'genres=jazz,news', 'country=Ireland');
  assert.equal(set.status, 0, set.stderr);
  const { stdout } = station('history', 's1');
  assert.match(stdout, /genres: "" -> "jazz,news";.* country: null -> "Ireland"/);
  assert.doesNotMatch(stdout, /null -> null/, 'what stays is not told');
});

test('an operator keeps a station from being relayed, and takes that back', () => {
  const [change] = /change \d+/.exec(station('set', 's1', 'relay=never', '--why', 'a letter').stdout) ?? [''];
  assert.match(station('show', 's1').stdout, /\nrelay +operator +never\n/);
  assert.match(station('history', 's1').stdout, /relay: null -> "never" +a letter/);
  station('revert', change.slice('change '.length));
  assert.match(station('show', 's1').stdout, /\nrelay +-\n/);
});

test('an operator sees what was heard of a station through the relay', async () => {
  assert.match(station('relayed', 's1').stdout, /nobody heard s1 through the relay in the last 90 days/);
  await database.pool.query(
    "INSERT INTO relay_listening VALUES (1, '2026-05-01', '', 3, 5400), (1, '2026-05-02', 'IE', 12, 900)",
  );
  const lines = station('relayed', 's1').stdout.trim().split('\n');
  assert.deepEqual(
    lines.map((line) => line.trim().split(/ +/)),
    [
      ['DAY', 'COUNTRY', 'SESSIONS', 'HOURS'],
      ['2026-05-02', 'IE', '12', '0.25'],
      ['2026-05-01', '-', '3', '1.50'],
    ],
  );
});

const MISTAKES: [args: string[], status: number, text: RegExp][] = [
  [[], 2, /give an action: show, set, hide, .*history, key, keys, drop-key/],
  [['key'], 2, /give the station: station key s123/],
  [['key', 'p1'], 2, /give the station/],
  [['key', 's1', 'studio'], 2, /'studio' is unexpected/],
  [['keys', 's1', '--name', 'x'], 2, /keys takes no --name/],
  [['key', 's1', '--name', ' '], 2, /1 to 60 characters/],
  [['drop-key', 's1'], 2, /give the key; longwave station keys s1/],
  [['drop-key', 's1', 'ffffffff'], 1, /s1 has no key ffffffff; longwave station keys s1 lists them/],
  [['set', 's1'], 2, /give what to set: station set s123/],
  [['set', 's1', 'nam=x'], 1, /'nam' cannot be set; choose from name, homepage/],
  [['hide', 's1'], 2, /say why: station hide s1 --why/],
  [['merge', 's1'], 2, /give both stations, first the one that stays/],
  [['split', 's1'], 2, /give the streams to split off/],
  [['revert', 'x'], 2, /give the number of the change/],
  [['history', 's1', '--before', 'x'], 2, /is no change/],
  [['show', 's1', '--why', 'x'], 2, /show takes no --why/],
  [['key', 's404'], 1, /there is no station s404; Search\.ashx/],
];
for (const [args, status, text] of MISTAKES) {
  test(`station ${args.join(' ')} says what is wrong`, () => {
    const ran = station(...args);
    assert.match(ran.stderr, text);
    assert.equal(ran.status, status);
  });
}
