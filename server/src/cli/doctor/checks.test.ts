import assert from 'node:assert/strict';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { testDatabase } from '../../../test/database/database.ts';
import { findingsOf, contextOf } from '../../../test/doctor/doctor-context.ts';
import { openMailServer } from '../../../test/servers/mail-server.ts';
import { closedPort } from '../../../test/servers/port-of.ts';
import type { Environment } from '../../app/config.ts';
import { requireSameKey } from '../../core/accounts/key-state.ts';
import { memberKeys } from '../../core/accounts/keys.ts';
import { createPool } from '../../storage/db/pool.ts';
import { accountsCheck, partnersCheck } from './accounts-check.ts';
import { type Check, type Finding, well } from './check.ts';
import { directoryCheck, streamsCheck, workCheck } from './directory-check.ts';
import { CHECKS, examine } from './examine.ts';
import { placesCheck } from './places-check.ts';
import { settingsCheck, siteCheck } from './settings-check.ts';
import { ManualClock } from '../../../test/time/manual-clock.ts';

const database = await testDatabase();
after(() => database[Symbol.asyncDispose]());
const { pool } = database;
const context = contextOf({}, pool);

test('an empty directory says which imports fill it, places first', async () => {
  const found = await findingsOf(directoryCheck, context);
  assert.deepEqual([...found.keys()], ['places', 'stations']);
  assert.deepEqual(
    [found.get('places')?.state, found.get('places')?.mend],
    ['broken', 'longwave import places'],
  );
  assert.equal(found.get('stations')?.state, 'broken');
  assert.match(found.get('stations')?.mend ?? '', /^longwave import stations https:/);
});

test('what was never listened to is not called silent, and no worker is told with what to run', async () => {
  assert.equal((await findingsOf(streamsCheck, context)).get('health')?.state, 'note');
  const work = await findingsOf(workCheck, context);
  assert.deepEqual([work.get('worker')?.state, work.get('worker')?.mend], ['warning', 'longwave work']);
  assert.equal(work.get('feeds')?.text, 'no podcasts');
});

test('partners are counted by who registered them, and it is said what becomes of unknown ids', async () => {
  await using own = await testDatabase();
  const given = async (settings: Environment) => {
    const findings = await findingsOf(partnersCheck, contextOf(settings, own.pool));
    const [active, ids] = [findings.get('active'), findings.get('unknown ids')];
    return [active?.state, active?.text, ids?.state, ids?.text];
  };
  const home = 'registered automatically, as suitable at home (PARTNERS=any)';
  assert.deepEqual(await given({}), ['well', '15, 15 of them built in for known devices', 'well', home]);
  await own.pool.query(`INSERT INTO partners (id, name, serial_scope, state, registered_by)
    VALUES ('quay', 'Quay', 'quay', 'active', 'operator'), ('gone', 'Gone', 'gone', 'disabled', 'operator'),
      ('x1', 'x1', 'x1', 'active', 'itself')`);
  const active = '17, 15 of them built in for known devices, 1 registered automatically, and 1 disabled';
  const refused = 'refused (PARTNERS=registered)';
  assert.deepEqual(await given({ PUBLIC_HOSTS: 'radio.example' }), ['well', active, 'note', refused]);
  const risky = 'registered automatically (PARTNERS=any), which is only suitable at home';
  assert.deepEqual((await given({ PUBLIC_HOSTS: 'radio.example', PARTNERS: 'any' })).slice(2), [
    'note',
    risky,
  ]);
  await own.pool.query(`INSERT INTO partners (id, name, serial_scope, registered_by)
    SELECT 'y' || n, 'y', 'y', 'itself' FROM generate_series(1, 199) AS n`);
  const full = 'refused: 200 were registered automatically, which is the maximum';
  assert.deepEqual((await given({})).slice(2), ['warning', full]);
  await own.pool.query("UPDATE partners SET state = 'disabled'");
  const none = (await findingsOf(partnersCheck, contextOf({}, own.pool))).get('active');
  assert.equal(none?.state, 'warning');
  assert.match(none?.mend ?? '', /^longwave partner add .*partner enable/);
});

test('ids that called and are not registered are told with the command that registers one', async () => {
  await using own = await testDatabase();
  const refused = async () => (await findingsOf(partnersCheck, contextOf({}, own.pool))).get('refused ids');
  assert.equal(await refused(), undefined);
  await own.pool.query(`INSERT INTO unknown_partners (id, calls, first_seen, last_seen, profile, agent)
    VALUES ('abc', 2, now(), now(), 'kodi', 'Kodi'), ('old', 2, now() - interval '40 days', now() - interval '40 days', 'kodi', '')`);
  const found = await refused();
  assert.deepEqual(
    [found?.state, found?.text],
    ['note', 'one that is not registered called within 30 days, the last was abc'],
  );
  assert.match(found?.mend ?? '', /longwave partner unknown .*longwave partner add 'abc'/);
  await own.pool.query("INSERT INTO partners (id, name, serial_scope) VALUES ('abc', 'Abc', 'abc')");
  assert.equal(await refused(), undefined);
});

test('stations, their health and the work on them are told in numbers', async () => {
  await pool.query("INSERT INTO stations (id, name, name_key) VALUES (1, 'Town FM', 'town fm')");
  await pool.query(`INSERT INTO streams (id, station_id, address, address_key)
    SELECT n, 1, 'http://h/' || n, md5(n::text)::uuid FROM generate_series(1, 4) AS n`);
  await pool.query(`INSERT INTO stream_checks (stream_id, host, next_due_at, checked_at, verdict)
    VALUES (1, 'h', now() + interval '1 hour', now() - interval '3 minutes', 'plays'),
      (2, 'h', now() - interval '10 minutes', now() - interval '3 hours', 'plays'),
      (3, 'h', now() + interval '1 hour', now() - interval '3 hours', 'dead'), (4, 'h', now(), NULL, NULL)`);
  await pool.query(
    "INSERT INTO import_runs (source, finished_at) VALUES ('a list', now() - interval '3 days')",
  );

  const directory = await findingsOf(directoryCheck, context);
  assert.equal(directory.get('stations')?.text, '1 with 4 streams');
  assert.equal(directory.get('import')?.text, 'a list, 3 days ago');
  const health = (await findingsOf(streamsCheck, context)).get('health');
  assert.deepEqual(
    [health?.state, health?.text],
    ['well', `${'█'.repeat(13)}${'░'.repeat(7)} 66 % of 3 play`],
  );
  const streams = (await findingsOf(workCheck, context)).get('streams');
  assert.equal(streams?.state, 'well');
  assert.equal(streams?.text, 'the last was probed 3 minutes ago; 2 overdue, by up to 10 minutes');
});

test('a worker that is connected is seen, and what it does not manage is a warning with its lever', async () => {
  const worker = createPool({ databaseUrl: database.url, size: 1, applicationName: 'longwave work' });
  after(() => worker.end());
  await worker.query('SELECT 1');
  await pool.query("UPDATE stream_checks SET next_due_at = now() - interval '5 hours' WHERE stream_id = 2");
  await pool.query("INSERT INTO shows (id, title, feed_address) VALUES (1, 'Talk', 'http://h/feed')");
  await pool.query("INSERT INTO feeds (show_id, next_due_at) VALUES (1, now() - interval '3 days')");
  const found = await findingsOf(workCheck, context);
  assert.equal(found.get('worker')?.state, 'well');
  assert.deepEqual(
    [found.get('streams')?.state, found.get('feeds')?.state],
    ['warning', 'warning'],
    JSON.stringify([...found]),
  );
  assert.match(found.get('streams')?.mend ?? '', /PROBE_CONCURRENCY$/);
  assert.match(found.get('feeds')?.text ?? '', /1 overdue, by up to 3 days/);
});

test('where hardly anything plays, and where an import has not ended, it is said', async () => {
  await pool.query("UPDATE stream_checks SET verdict = 'dead' WHERE stream_id = 2");
  assert.equal((await findingsOf(streamsCheck, context)).get('health')?.state, 'warning');
  await pool.query("INSERT INTO import_runs (source) VALUES ('another')");
  const found = (await findingsOf(directoryCheck, context)).get('import');
  assert.equal(found?.state, 'warning');
  assert.match(found?.text ?? '', /of another, began \d seconds? ago and has not ended/);
});

test('of places it is said what stops a server and what only makes it poorer', async () => {
  const nowhere = contextOf({ HOME_PLACE: 'Cork, Ireland', ADDRESS_DATABASE: '/no/such.mmdb' }, pool);
  const found = await findingsOf(placesCheck, nowhere);
  assert.equal(found.get('home')?.state, 'broken');
  assert.match(found.get('home')?.mend ?? '', /longwave import places/);
  assert.deepEqual(
    [found.get('addresses')?.state, found.get('addresses')?.mend],
    ['warning', 'correct ADDRESS_DATABASE'],
  );
  const known = await findingsOf(
    placesCheck,
    contextOf({ HOME_PLACE: '51.9,-8.47', ADDRESS_DATABASE: 'none' }, pool),
  );
  assert.deepEqual([known.get('home')?.state, known.get('addresses')?.state], ['well', 'note']);
  assert.equal((await findingsOf(placesCheck, context)).get('home')?.state, 'note');
});

test('a key of another database is broken, none is a warning, and passwords in the clear are told', async () => {
  const [first, second] = ['a'.repeat(40), 'b'.repeat(40)];
  const states = async (settings: Record<string, string>): Promise<string[]> =>
    [...(await findingsOf(accountsCheck, contextOf(settings, pool))).values()].map(
      ({ name, state }) => `${name} ${state}`,
    );
  assert.deepEqual(await states({}), ['key warning', 'mail note']);
  assert.deepEqual(await states({ MEMBER_KEY: second }), ['key well', 'mail note']);
  assert.equal((await pool.query('SELECT FROM member_key')).rowCount, 0, 'looking writes nothing');
  await requireSameKey(pool, memberKeys(first));
  await using server = await openMailServer();
  const mail = { MAIL_URL: `smtp://127.0.0.1:${server.port}`, MAIL_FROM: 'radio@mail.example' };
  assert.deepEqual(await states({ MEMBER_KEY: second, LEGACY_CREDENTIALS: 'allow', ...mail }), [
    'key broken',
    'mail warning',
    'passwords warning',
  ]);
  assert.deepEqual(await states({ MEMBER_KEY: first, PUBLIC_HOSTS: 'radio.example', ...mail }), [
    'key well',
    'mail well',
  ]);
});

const mailAt = async (port: number): Promise<Finding | undefined> => {
  const mail = { MAIL_URL: `smtp://me:hush-hush@127.0.0.1:${port}`, MAIL_FROM: 'radio@mail.example' };
  const settings = { ...mail, PUBLIC_HOSTS: 'radio.example' };
  return (await findingsOf(accountsCheck, contextOf(settings, pool))).get('mail');
};

test('a mail server that is away is a warning, and one that answers is sent no letter', async () => {
  const port = await closedPort();
  const away = await mailAt(port);
  assert.equal(away?.state, 'warning');
  assert.match(
    away?.text ?? '',
    new RegExp(`^no mail can be sent through 127.0.0.1:${port}: .*ECONNREFUSED`),
  );
  assert.match(away?.mend ?? '', /^correct MAIL_URL/);
  await using server = await openMailServer();
  await mailAt(server.port);
  assert.equal(server.received.length, 0);
});

test('every malformed setting is a line of its own, and does not keep the others from being looked at', async () => {
  const torn = contextOf({ HTTP_PORT: 'eighty', SITE: 'maybe', PUBLIC_HOSTS: 'radio.example' }, pool);
  const [examined] = await examine(torn, [settingsCheck]);
  const texts = examined?.findings.map(({ state, text }) => `${state} ${text}`) ?? [];
  assert.match(texts[0] ?? '', /^broken HTTP_PORT is 'eighty'; it must be a port number/);
  assert.match(texts[1] ?? '', /^broken SITE is 'maybe'/);
  assert.equal(texts[2], 'well lead to radio.example');
});

test('a site is built, not built, or not wanted', async () => {
  const siteFolder = mkdtempSync(join(tmpdir(), 'longwave-site-'));
  after(() => rmSync(siteFolder, { recursive: true }));
  const state = async (settings = {}): Promise<string | undefined> =>
    (await findingsOf(siteCheck, contextOf(settings, pool, { siteFolder }))).get('pages')?.state;
  assert.equal(await state(), 'warning');
  for (const file of ['index.html', 'built']) writeFileSync(join(siteFolder, file), '');
  assert.equal(await state(), 'well');
  assert.equal(await state({ SITE: 'off' }), 'note');
});

test('docs/doctor.md shows and explains every check', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../../docs/doctor.md'), 'utf8');
  for (const { title } of CHECKS) {
    assert.match(text, new RegExp(`^ {4}${title}$`, 'm'));
    assert.ok(text.includes(`| ${title} |`), title);
  }
});

test('docs/doctor.md shows what to do in the words of the report', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../../docs/doctor.md'), 'utf8');
  const source = globSync(['*.ts', '../../storage/db/*.ts'], { cwd: import.meta.dirname })
    .map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'))
    .join('\n');
  // An id stands in quotes where the source puts one in.
  const remedies = Array.from(text.matchAll(/^ +→ (.+)$/gm), ([, words = '']) =>
    words.replaceAll('npm run longwave --', 'longwave').split(/'[^']*'/),
  );
  assert.ok(remedies.length > 4, `${remedies.length} remedies`);
  for (const part of remedies.flat()) assert.ok(source.includes(part), part);
});

test('a check that hangs is told after its deadline, and one that throws by its words; the others are not touched', async () => {
  const checks: Check[] = [
    { title: 'Hangs', deadlineMs: 20, look: () => new Promise(() => undefined) },
    { title: 'Throws', look: () => Promise.reject(new TypeError('it fell over')) },
    { title: 'Stands', look: () => Promise.resolve([well('it', 'stands')]) },
  ];
  const found = await examine({ ...context, clock: new ManualClock('2026-01-01T00:00:00Z') }, checks);
  const lines = found.flatMap(({ findings }) => findings.map(({ name, state, text }) => [name, state, text]));
  assert.deepEqual(lines, [
    ['all', 'broken', 'no answer within 0.02 s'],
    ['all', 'broken', 'it fell over'],
    ['it', 'well', 'stands'],
  ]);
});
