import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../database/database.ts';
import { type Ran, runLongwave } from '../processes/run-longwave.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
  await database.pool.query(`
    INSERT INTO reports (kind, item_kind, item_id, message, contact, dedupe_key, last_at)
    VALUES ('feedback', 's', 7, '=HYPERLINK("http://x","y")' || U&'\\009B31m' || repeat('long ', 40), 'ann@mail.example',
      gen_random_uuid(), '2026-05-01T10:00:30Z');
    INSERT INTO reports (kind, item_kind, item_id, error_code, dedupe_key, state, occurrences)
    VALUES ('stream', 'e', 11, 404, gen_random_uuid(), 'settled', 9);
    INSERT INTO reports (kind, address, message, dedupe_key)
    SELECT 'stream', 'http://new.example.net/' || n, '-1', gen_random_uuid() FROM generate_series(1, 60) n;`);
});
after(() => database[Symbol.asyncDispose]());

const reports = (...args: string[]): Ran => runLongwave(['reports', ...args], { DATABASE_URL: database.url });

test('reports are listed a page at a time, the newest first', () => {
  const first = reports().stdout.trimEnd().split('\n');
  assert.match(first[0] ?? '', /^NUMBER {2}LAST SAID +KIND +ABOUT +TIMES {2}STATE +WORDS$/);
  assert.match(first[1] ?? '', /^62 .* stream +http:\/\/new\.example\.net\/60 +1 +open +-1$/);
  assert.equal(first.length, 52);
  assert.equal(first.at(-1), 'more: longwave reports --before 13');
  const second = reports('--before', '13').stdout.trimEnd().split('\n');
  assert.equal(second.length, 13);
  assert.match(second.at(-2) ?? '', /^2 .* stream +e11 +9 +settled +error 404$/);
  const [last = ''] = second.slice(-1);
  assert.match(last, /^1 +2026-05-01 10:00Z +feedback +s7 +1 +open +=HYPERLINK.*…$/);
  assert.ok(!last.includes('\u009B'), 'nothing that steers a terminal');
});

test('--open leaves out what is settled', () => {
  const { stdout } = reports('--open', '--before', '3');
  assert.match(stdout, /^1 /m);
  assert.doesNotMatch(stdout, /^2 /m);
  assert.equal(reports('--open', '--before', '1').stdout, 'no open reports\n');
});

test('an export holds everything, and no formula', () => {
  const lines = reports('--csv').stdout.split('\r\n');
  assert.equal(lines.length, 64);
  assert.match(lines[62] ?? '', /^1,.*,feedback,s7,,,"'=HYPERLINK\(""http:.*ann@mail\.example,,1,open$/);
  assert.match(lines[1] ?? '', /,-1,,,1,open$/);
  assert.equal(reports('--csv', '--open').stdout.split('\r\n').length, 63);
});

test('a settled report is no longer open, and who said it is forgotten', async () => {
  assert.match(reports('settle', '1', '5').stdout, /report 1 is settled.*\nreport 5 is settled/);
  const { rows } = await database.pool.query('SELECT state, contact FROM reports WHERE id = 1');
  assert.deepEqual(rows, [{ state: 'settled', contact: null }]);
  const again = reports('settle', '1');
  assert.deepEqual([again.status, /no open report 1; longwave reports --open/.test(again.stderr)], [1, true]);
});

const MISTAKES: [args: string[], text: RegExp][] = [
  [['open'], /'open' is not an action/],
  [['settle'], /give the number: reports settle NUMBER/],
  [['settle', 's1'], /'s1' is not a report number/],
  [['--before', 'x'], /'x' is not a report number/],
  [['--all'], /--all/],
];
for (const [args, text] of MISTAKES) {
  test(`reports ${args.join(' ')} says what is wrong`, () => {
    const { status, stderr } = reports(...args);
    assert.equal(status, 2);
    assert.match(stderr, text);
    assert.match(stderr, /usage: longwave reports/);
  });
}
