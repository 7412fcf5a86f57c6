import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testDatabase } from '../../../test/database/database.ts';
import { contextOf, findingsOf } from '../../../test/doctor/doctor-context.ts';
import { sourcesCheck } from './sources-check.ts';

const database = await testDatabase();
after(() => database[Symbol.asyncDispose]());
const { pool } = database;

const STATION_SOURCES =
  'radio-browser=https://backups.example/latest.json.gz?key=CANARY house=/a.csv club=/b.csv attic=/c.m3u new=/d.pls';

test('each source says when it was read, what is wrong and what to do', async () => {
  await pool.query(`INSERT INTO station_sources (name, read_at, failures, trouble, known, lost) VALUES
    ('radio-browser', now() - interval '3 hours', 0, NULL, NULL, NULL),
    ('csv:house', now() - interval '30 hours', 3, 'its server answers 404', NULL, NULL),
    ('csv:club', now() - interval '3 hours', 0, NULL, 86888, 12000),
    ('m3u:attic', now() - interval '5 days', 0, NULL, NULL, NULL)`);
  const found = await findingsOf(sourcesCheck, contextOf({ STATION_SOURCES }, pool));
  const lines = [...found.values()].map(({ name, state, text, mend }) => [name, state, text, mend]);
  assert.deepEqual(lines, [
    ['radio-browser', 'well', 'last read 3 hours ago', undefined],
    [
      'house',
      'warning',
      'failed 3 times in a row: its server answers 404; last read 30 hours ago',
      'longwave work tries again by itself; to try at once: longwave import sources house',
    ],
    [
      'club',
      'warning',
      'last read 3 hours ago; it lacks 12,000 of 86,888 earlier records, so none of them counts as gone',
      'look at the list; if it is right: longwave import sources club --accept-drop',
    ],
    ['attic', 'warning', 'last read 5 days ago', 'longwave work, or at once: longwave import sources attic'],
    ['new', 'note', 'never read', 'longwave work, or at once: longwave import sources new'],
  ]);
  assert.doesNotMatch(JSON.stringify(lines), /CANARY/);
});

test('a directory without sources says what would keep it fresh', async () => {
  const found = await findingsOf(sourcesCheck, contextOf({}, pool));
  assert.deepEqual(found.get('daily')?.state, 'note');
  assert.match(found.get('daily')?.mend ?? '', /STATION_SOURCES/);
});
