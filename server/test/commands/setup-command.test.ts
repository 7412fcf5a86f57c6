import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openHomePlace } from '../../src/app/open-home-place.ts';
import { createLog } from '../../src/lib/log.ts';
import { claimInstallation, readInstallation } from '../../src/storage/installation.ts';
import { MEMBER_KEY } from '../apps/account-app.ts';
import { type TestDatabase, testDatabase, testDatabaseWithPlaces } from '../database/database.ts';
import { type Ran, runLongwave } from '../processes/run-longwave.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'longwave-setup-'));
const STATIONS = join(FOLDER, 'stations.csv');
const CSV = 'name,url,country\nHarbour Folk,http://stream.example.net/folk,Ireland\n';

let database: TestDatabase;
before(async () => {
  database = await testDatabaseWithPlaces();
  writeFileSync(STATIONS, CSV);
});
after(async () => {
  await database?.[Symbol.asyncDispose]();
  rmSync(FOLDER, { recursive: true });
});

const setup = (args: string[], settings: NodeJS.ProcessEnv = {}): Ran =>
  runLongwave(['setup', ...args], {
    DATABASE_URL: database.url,
    MEMBER_KEY,
    TZ: 'Europe/Dublin',
    ...settings,
  });

const listed = async (): Promise<string[]> => {
  const { rows } = await database.pool.query<{ name: string }>('SELECT name FROM stations');
  return rows.map(({ name }) => name);
};

test('an empty database becomes a directory: home is guessed, the stations are there, the operator has a link', async () => {
  const { status, stdout, stderr } = setup(['--stations', STATIONS], { LEGACY_CREDENTIALS: 'allow' });
  assert.equal(status, 0, stderr);
  assert.match(stdout, /^Home +Dublin, Ireland, guessed by the time zone Europe\/Dublin/m);
  assert.match(stdout, /^Stations +radio-browser: 1 station with 1 stream, from a list of 1 entry$/m);
  assert.match(stdout, /^Daily +set STATION_SOURCES=/m);
  assert.match(stdout, /^Operator +open this within 24 hours: http:\S+\/listen\/operator#[\w-]{43}$/m);
  assert.deepEqual(await listed(), ['Harbour Folk']);
  const installed = await readInstallation(database.pool);
  assert.partialDeepStrictEqual(installed, { kind: 'directory', home_is_guess: true, setup_step: null });
});

test('a second run imports nothing again, and keeps what it was told about home', async () => {
  const { status, stdout } = setup(['--stations', STATIONS, '--home', 'Cork, Ireland']);
  assert.equal(status, 0);
  assert.match(stdout, /^Home +Cork, Ireland$/m);
  assert.match(stdout, /^Stations +radio-browser: read on \d{4}-/m);
  assert.match(stdout, /^Operator +none yet: signing in needs HTTPS/m);
  assert.match(setup(['--no-stations']).stdout, /^Home +Cork, Ireland$/m);
});

test('a running server knows where home is without a restart, and HOME_PLACE outranks it', async () => {
  const log = createLog({ level: 'silent' });
  using told = await openHomePlace({ db: database.pool, log, setting: undefined });
  assert.equal(Math.round(told.current()?.latitude ?? 0), 52);
  using set = await openHomePlace({ db: database.pool, log, setting: 'Hamburg, Germany' });
  assert.equal(Math.round(set.current()?.longitude ?? 0), 10);
  await assert.rejects(openHomePlace({ db: database.pool, log, setting: 'Nowhere, Ireland' }), /not known/);
  await using empty = await testDatabase();
  using waiting = await openHomePlace({ db: empty.pool, log, setting: 'Hamburg, Germany' });
  assert.equal(waiting.current(), undefined, 'it starts before the places are there');
});

test('what cannot be done says what to do, and leaves no half of it behind', async () => {
  const tries: [args: string[], said: RegExp][] = [
    [['--home', 'Nowhere, Ireland', '--no-stations'], /'Nowhere, Ireland' is not known; write a city/],
    [
      ['--stations', join(FOLDER, 'missing.csv')],
      /missing\.csv[^]*run longwave setup again, or bring a file/,
    ],
    [['--stations', 'list.txt'], /does not tell its kind by its ending/],
    [['--stations', STATIONS, '--no-stations'], /contradict each other/],
  ];
  for (const [args, said] of tries) {
    const { status, stderr } = setup(args);
    assert.notEqual(status, 0, args.join(' '));
    assert.match(stderr, said);
    assert.doesNotMatch(stderr, /^ +at /m);
  }
  assert.equal((await readInstallation(database.pool))?.setup_step, null);
});

test('a demo never becomes a directory', async () => {
  await using demo = await testDatabaseWithPlaces();
  await claimInstallation(demo.pool, 'demo');
  const { status, stderr } = setup(['--no-stations'], { DATABASE_URL: demo.url });
  assert.equal(status, 1);
  assert.match(stderr, /belongs to a demo, whose stations are made up; set DATABASE_URL/);
});
