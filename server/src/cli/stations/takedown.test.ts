import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { testDatabase } from '../../../test/database/database.ts';
import { type Ran, runLongwave } from '../../../test/processes/run-longwave.ts';

const database = await testDatabase();
const folder = mkdtempSync(join(tmpdir(), 'longwave-takedown-'));
after(async () => {
  await database[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});
await database.pool.query(
  "INSERT INTO stations (id, name, name_key) VALUES (1, 'Town FM', 'townfm'), (2, 'Town FM', 'townfm'), (3, 'Hill FM', 'hillfm')",
);
const list = join(folder, 'list.txt');
writeFileSync(list, '# a letter\nTown FM\nHill FM\nValley FM\n');

const takedown = (...args: string[]): Ran =>
  runLongwave(['takedown', ...args], { DATABASE_URL: database.url });
const hidden = async (): Promise<number | null> =>
  (await database.pool.query('SELECT FROM stations WHERE NOT listed')).rowCount;

test('a list is shown first, then applied, listed and lifted', async () => {
  const preview = takedown(list, '--why', 'a letter').stdout;
  assert.match(
    preview,
    /\n2 +Town FM +2 stations: s1 Town FM; s2 Town FM\n3 +Hill FM +s3 Hill FM\n4 +Valley FM +none; /,
  );
  assert.match(preview, /3 lines mean 3 stations; 1 mean none yet, 1 mean several .*\n\nNothing was changed/);
  assert.equal(await hidden(), 0);
  assert.match(takedown('list').stdout, /no takedowns/);
  const applied = takedown(list, '--why', 'a letter', '--as', 'ann', '--apply').stdout;
  assert.match(applied, /takedown 1: 3 stations are hidden[^]*longwave takedown lift 1\n/);
  assert.equal(await hidden(), 3);
  assert.match(takedown('list').stdout, /\n1 +\d{4}-\d\d-\d\d +ann +3 +in force +a letter\n/);
  assert.match(takedown(list, '--why', 'x').stdout, /s3 Hill FM, hidden already/);
  assert.match(takedown('lift', '1', '--as', 'bob').stdout, /takedown 1 is lifted: it no longer hides 3 /);
  assert.equal(await hidden(), 0);
  assert.match(takedown('list').stdout, / lifted by bob +a letter\n/);
});

const MISTAKES: [args: string[], status: number, text: RegExp][] = [
  [[], 2, /give the list: takedown FILE/],
  [[list], 2, /say why: takedown .*list\.txt --why/],
  [[list, 'more', '--why', 'x'], 2, /'more' is unexpected/],
  [['lift'], 2, /'' is no takedown; longwave takedown list/],
  [['lift', '99'], 1, /there is no takedown 99/],
  [['/no/such/file', '--why', 'x'], 1, /there is no file \/no\/such\/file/],
];
for (const [args, status, text] of MISTAKES) {
  test(`takedown ${args.join(' ')} says what is wrong`, () => {
    const ran = takedown(...args);
    assert.match(ran.stderr, text);
    assert.equal(ran.status, status);
  });
}
