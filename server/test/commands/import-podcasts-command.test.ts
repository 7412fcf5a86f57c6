import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { testDatabaseWithPlaces, type TestDatabase } from '../database/database.ts';
import { REAL_PODCASTS, withoutRealData } from '../content/real-data.ts';
import { type Ran, runLongwave } from '../processes/run-longwave.ts';

const folder = mkdtempSync(join(tmpdir(), 'longwave-podcasts-'));
let database: TestDatabase;
before(async () => {
  database = await testDatabaseWithPlaces();
});
after(async () => {
  await database[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const longwave = (...args: string[]): Ran => runLongwave(args, { DATABASE_URL: database.url });

test('a real list, twice, with a report', { skip: withoutRealData }, async () => {
  const report = join(folder, 'report.jsonl');
  const { status, stdout, stderr } = longwave('import', 'podcasts', REAL_PODCASTS, '--report', report);
  assert.equal(status, 0, stderr);
  const [, read, added, refused] =
    /^(\d+) shows read\n {2}(\d+) added\n[^]* {2}(\d+) refused/.exec(stdout)?.map(Number) ?? [];
  assert.equal(read, 783);
  assert.ok(added !== undefined && refused !== undefined && added + refused === read && added > 700, stdout);
  assert.equal(readFileSync(report, 'utf8').split('\n').length - 1, refused);
  const { rows } = await database.pool.query(
    `SELECT count(*) AS shows, count(genre_id) AS with_genre, count(language_id) AS with_language,
       (SELECT count(*) FROM feeds) AS feeds FROM shows`,
  );
  assert.equal(rows[0].shows, added);
  assert.equal(rows[0].feeds, added);
  // Of the 783, 106 have categories and 118 a language.
  assert.ok(rows[0].with_genre > 70 && rows[0].with_language > 100, JSON.stringify(rows[0]));
  assert.match(longwave('import', 'podcasts', REAL_PODCASTS).stdout, / {2}0 added\n {2}0 changed\n/);
});

test('a mistake on the command line is explained', () => {
  for (const [args, expected] of [
    [[], /give what to import: import podcasts FILE/],
    [['/no/such/file'], /there is no file \/no\/such\/file/],
    [[import.meta.filename, '--loud'], /Unknown option '--loud'/],
  ] as const) {
    const { status, stderr } = longwave('import', 'podcasts', ...args);
    assert.notEqual(status, 0);
    assert.match(stderr, expected);
  }
});
