import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testDatabase } from '../../test/database.ts';
import { type Ran, runLongwave } from '../../test/run-longwave.ts';
import { findGivenKey, listStationKeys } from '../catalog/station-keys.ts';

const database = await testDatabase();
after(() => database[Symbol.asyncDispose]());
await database.pool.query("INSERT INTO stations (id, name, name_key) VALUES (1, 'Town FM', 'town fm')");

const station = (...args: string[]): Ran => runLongwave(['station', ...args], { DATABASE_URL: database.url });

test('a key is shown once, listed without itself, and dropped by what the list calls it', async () => {
  assert.match(station('keys', 's1').stdout, /no keys yet: longwave station key s1/);
  const made = station('key', 's1', '--name', 'studio');
  const key = made.stdout.split('\n')[0] ?? '';
  assert.match(made.stdout, /s1 Town FM\. It is shown this once/);
  assert.equal(findGivenKey(await listStationKeys(database.pool, 1), key)?.name, 'studio');
  const [header, line = ''] = station('keys', 's1').stdout.split('\n');
  assert.equal(header, 'KEY       MADE        LAST USED  NAME');
  assert.match(line, /^[0-9a-f]{8} {2}\d{4}-\d\d-\d\d {2}never {6}studio$/);
  assert.ok(!line.includes(key));
  const dropped = station('drop-key', 's1', line.slice(0, 8));
  assert.match(dropped.stdout, /\(studio\) of s1 opens nothing any more/);
  assert.deepEqual(await listStationKeys(database.pool, 1), []);
});

const MISTAKES: [args: string[], status: number, text: RegExp][] = [
  [[], 2, /say key, keys, drop-key/],
  [['key'], 2, /say which station: station key s123/],
  [['key', 'p1'], 2, /say which station/],
  [['key', 's1', 'studio'], 2, /'studio' is one word too many/],
  [['keys', 's1', '--name', 'x'], 2, /keys takes no --name/],
  [['key', 's1', '--name', ' '], 2, /1 to 60 characters/],
  [['drop-key', 's1'], 2, /say which key; longwave station keys s1/],
  [['drop-key', 's1', 'ffffffff'], 1, /s1 has no key ffffffff; longwave station keys s1 lists them/],
  [['key', 's404'], 1, /there is no station s404; Search\.ashx/],
];
for (const [args, status, text] of MISTAKES) {
  test(`station ${args.join(' ')} says what is wrong`, () => {
    const ran = station(...args);
    assert.match(ran.stderr, text);
    assert.equal(ran.status, status);
  });
}
