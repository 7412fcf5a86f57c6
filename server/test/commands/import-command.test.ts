import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { testDatabaseWithPlaces, type TestDatabase } from '../database/database.ts';
import { SEED_FILE } from '../database/made-databases.ts';
import { type Ran, runLongwave, WEAK } from '../processes/run-longwave.ts';

const folder = mkdtempSync(join(tmpdir(), 'longwave-import-'));
let database: TestDatabase;
before(async () => {
  database = await testDatabaseWithPlaces();
});
after(async () => {
  await database[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const longwave = (args: string[], input?: Buffer): Ran =>
  runLongwave(args, { DATABASE_URL: database.url }, input);

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

test('packed JSON lines on standard input', () => {
  const { status, stdout } = longwave(['import', 'stations', '-'], gzipSync(readFileSync(SEED_FILE)));
  assert.equal(status, 0);
  assert.match(stdout, /^88 records read\n {2}88 added: 71 new stations, 88 new streams\n/);
});

const LISTS = {
  'list.m3u':
    '#EXTM3U\n#EXTINF:-1 group-title="Jazz" tvg-country="IE",Quay Jazz\nhttp://m3u.radio-haven.net/jazz\n',
  'list.pls': '[playlist]\nFile1=http://pls.radio-haven.net/talk\nTitle1=Quay Jazz Two\nNumberOfEntries=1\n',
  'list.opml':
    '<opml version="1"><head/><body><outline text="News"><outline type="audio" text="Quay News" URL="http://opml.radio-haven.net/news"/></outline></body></opml>',
  'list.csv':
    'Name;Stream URL;Country;City;Genre;Bitrate\nQuay Rock;http://csv.radio-haven.net/rock;Ireland;Cork;rock;192\n',
};
for (const [name, text] of Object.entries(LISTS)) {
  const kind = name.slice(5);
  test(`an operator's own ${kind}, twice`, async () => {
    const path = file(name, text);
    const first = longwave(['import', kind, path]);
    assert.match(first.stdout, /1 added: 1 new stations, 1 new streams/, first.stderr);
    assert.match(
      longwave(['import', kind, path]).stdout,
      /0 added: [^\n]*\n[^\n]*\n {2}0 changed\n {2}1 unchanged/,
    );
    const { rows } = await database.pool.query(
      `SELECT g.slug FROM streams t JOIN station_genres USING (station_id) JOIN genres g ON g.id = genre_id
       WHERE t.address LIKE $1`,
      [`http://${kind}.%`],
    );
    assert.deepEqual(rows, [{ slug: { m3u: 'jazz', pls: 'jazz', opml: 'news', csv: 'rock' }[kind] }]);
  });
}

test('the report names what was refused and why, and what was merged into what', () => {
  const lines = [
    { id: 'ok', name: 'Quay Folk', url: 'http://x.radio-haven.net/folk', countrycode: 'IE' },
    { id: 'same', name: 'Quay Folk', url: 'http://x.radio-haven.net/folk-64', countrycode: 'IE' },
    { id: 'tv', name: 'Quay TV', url: 'http://x.radio-haven.net/tv', codec: 'AAC,H.264' },
  ].map((line) => JSON.stringify(line));
  const source = file('mixed.jsonl', [...lines, '{ not json', '{"no":"id"}'].join('\n'));
  const report = join(folder, 'report.jsonl');
  const { stdout } = longwave(['import', 'stations', source, '--report', report]);
  assert.match(stdout, /5 records read\n {2}2 added: 1 new stations/);
  assert.match(stdout, /3 refused\n/);
  const notices = readFileSync(report, 'utf8')
    .trim()
    .split('\n')
    .map((line): { what: string } => JSON.parse(line));
  assert.deepEqual(notices.map(({ what }) => what).toSorted(), ['merged', 'refused', 'refused', 'refused']);
});

const stationCount = async (): Promise<number> =>
  (await database.pool.query('SELECT count(*) FROM stations')).rows[0].count;

test('a report that cannot be written is told of before anything is imported', async () => {
  const source = file('unreported.csv', 'Name,Stream URL\nQuay Soul,http://csv.radio-haven.net/soul\n');
  const earlier = await stationCount();
  for (const [report, expected] of [
    [
      join(folder, 'nowhere/report.jsonl'),
      /^longwave: nothing was imported: .*report\.jsonl: no such file or directory; give a file in .*\n$/,
    ],
    [folder, /^longwave: nothing was imported: .*: illegal operation on a directory; give a file in .*\n$/],
    [
      source,
      /^longwave: --report .*unreported\.csv is the file to import, which would be overwritten; .*\n$/,
    ],
  ] as const) {
    const { status, stderr } = longwave(['import', 'csv', source, '--report', report]);
    assert.equal(status, 1);
    assert.match(stderr, expected);
  }
  assert.equal(await stationCount(), earlier);
  assert.match(readFileSync(source, 'utf8'), /Quay Soul/);
});

test('a list that may not be read is told of in words', () => {
  const source = file('locked.csv', 'Name,Stream URL\nQuay Soul,http://csv.radio-haven.net/soul\n');
  chmodSync(source, 0);
  for (const kind of ['csv', 'affiliates']) {
    const settings = { DATABASE_URL: database.url };
    const { status, stderr } = runLongwave(['import', kind, source], settings, undefined, WEAK);
    assert.equal(status, 1);
    assert.equal(
      stderr,
      `longwave: ${source} cannot be read: permission denied; give a file that you may read\n`,
    );
  }
});

test('a row that cannot be stored is refused, and the others are imported', () => {
  const rows = ['one', 'x'.repeat(201), 'three'].map(
    (id) => `${id},Quay ${id.slice(0, 5)},http://ids.radio-haven.net/${id.slice(0, 5)}`,
  );
  const source = file('ids.csv', ['id,Name,Stream URL', ...rows].join('\n'));
  const { status, stdout } = longwave(['import', 'csv', source]);
  assert.equal(status, 0);
  assert.match(
    stdout,
    / 2 added: 2 new stations[^]* 1 refused\n +1 its id is longer than 200 characters: give it a shorter one/,
  );
});

test('a disk that is full ends the report and not the import', async () => {
  const source = file(
    'full.csv',
    'Name,Stream URL\nQuay Soul,http://csv.radio-haven.net/soul\nQuay TV,rtmp://csv.radio-haven.net/tv\n',
  );
  const earlier = await stationCount();
  const { status, stdout, stderr } = longwave(['import', 'csv', source, '--report', '/dev/full']);
  assert.equal(status, 1);
  assert.match(
    stderr,
    /longwave: the import succeeded, but its report is incomplete: \/dev\/full: no space left on device; free some space .*\n$/,
  );
  assert.match(stdout, /1 added: 1 new stations[^]* 1 refused/);
  assert.doesNotMatch(stdout, /is in \/dev\/full/);
  assert.equal(await stationCount(), earlier + 1);
});

test('a mistake on the command line is explained', () => {
  for (const [args, expected] of [
    [['import', 'stations', '/no/such/file'], /there is no file/],
    [['import', 'stations'], /give what to import/],
    [['import', 'cassette', 'x'], /cannot import 'cassette'/],
    [['import', 'constructor', 'x'], /cannot import 'constructor'/],
    [['import', 'stations', 'x', '--loud'], /Unknown option '--loud'/],
  ] as const) {
    const { status, stderr } = longwave([...args]);
    assert.notEqual(status, 0);
    assert.match(stderr, expected);
  }
});
