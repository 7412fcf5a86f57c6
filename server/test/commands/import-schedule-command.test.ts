import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../database/database.ts';
import { type Ran, runLongwave } from '../processes/run-longwave.ts';

const folder = mkdtempSync(join(tmpdir(), 'longwave-schedule-'));
const WEEK = 'weekday,start,end,show\ndaily,06:00,09:00,Morning\n';
const week = join(folder, 'week.csv');

let database: TestDatabase;
before(async () => {
  writeFileSync(week, WEEK);
  database = await testDatabase();
  await database.pool.query(
    `INSERT INTO stations (id, name, name_key, zone) VALUES (1, 'Town FM', 'town fm', 'Europe/Berlin'), (2, 'Nowhere', 'nowhere', NULL);
     INSERT INTO schedule_addresses (station_id, address, read_at, next_due_at, failures, trouble) VALUES
       (1, 'https://town.radio-haven.net/week.ics?key=hidden', '2026-10-20T10:00Z', '2026-10-20T16:00Z', 0, NULL),
       (2, 'https://nowhere.radio-haven.net/{yyyymmdd}_PI.xml', NULL, '2026-10-20T16:00Z', 3, 'it answered 500')`,
  );
});
after(async () => {
  await database[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const longwave = (...args: string[]): Ran =>
  runLongwave(['import', 'schedule', ...args], { DATABASE_URL: database.url });

test('the addresses are listed with how they are, and without what may be a key', () => {
  const { status, stdout, stderr } = longwave('--list');
  assert.equal(status, 0, stderr);
  assert.equal(
    stdout,
    `s1  https://town.radio-haven.net/week.ics?…  read 2026-10-20T10:00Z, again 2026-10-20T16:00Z
s2  https://nowhere.radio-haven.net/{yyyymmdd}_PI.xml  failed 3 times, again 2026-10-20T16:00Z: it answered 500
`,
  );
});

test('a table is read, goes on, and is forgotten', () => {
  const read = longwave(week, '--station', 's1');
  assert.equal(read.status, 0, read.stderr);
  assert.match(
    read.stdout,
    /^2\d broadcasts from \S+ to \S+, read as csv\n {2}1 rules, .*\n {2}1 new shows\n/,
  );
  assert.match(
    longwave('--extend').stdout,
    /^extended the rules of 0 stations to three weeks ahead; deleted 0 old broadcasts/,
  );
  assert.match(longwave('--station', 's1', '--forget').stdout, /^the schedule of s1 is no longer updated/);
  const again = longwave('--station', 's1', '--forget');
  assert.notEqual(again.status, 0);
  assert.match(
    again.stderr,
    /s1 has no schedule address and no rules to remove; 'import schedule --list' shows those that have/,
  );
});

const MISTAKES: [args: string[], why: RegExp][] = [
  [[], /give what to import: import schedule FILE\|ADDRESS --station s123/],
  [[week], /give its station: --station s123/],
  [[week, '--station', 'p1'], /'p1' is not a station id: --station takes one such as s123/],
  [['/no/such/file', '--station', 's1'], /there is no file \/no\/such\/file/],
  [[week, '--station', 's2'], /the zone of station s2 is unknown: give --zone, such as Europe\/Berlin/],
  [
    [week, '--station', 's1', '--format', 'teletext'],
    /there is no format 'teletext': give --format with one of/,
  ],
  [[week, '--station', 's1', '--format', 'ics'], /nothing in the schedule can be used/],
  [['ftp://radio-haven.net/week', '--station', 's1'], /ftp: is neither http: nor https:/],
  [['http://127.0.0.1:8000/week', '--station', 's1'], /127\.0\.0\.1:8000 is not read: .*public internet/],
];
for (const [args, why] of MISTAKES) {
  test(`a mistake is explained: import schedule ${args.join(' ')}`, () => {
    const { status, stderr } = longwave(...args);
    assert.notEqual(status, 0);
    assert.match(stderr, why);
    assert.doesNotMatch(stderr, /\n {4}at /, 'words, no stack');
  });
}
