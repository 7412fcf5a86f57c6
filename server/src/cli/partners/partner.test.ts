import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testDatabase } from '../../../test/database/database.ts';
import { type Ran, runLongwave } from '../../../test/processes/run-longwave.ts';
import { readConfig } from '../../app/config.ts';
import { findPartner } from '../../core/accounts/partners/partners.ts';
import { nearIds, partnerCommand } from './partner.ts';

const database = await testDatabase();
after(() => database[Symbol.asyncDispose]());

const partner = (...args: string[]): Ran => runLongwave(['partner', ...args], { DATABASE_URL: database.url });

test('a partner is added, shown, changed, disabled and enabled', async () => {
  assert.match(partner('add', 'quay-1', '--name', 'Quay Radios', '--formats', 'mp3').stdout, /registered/);
  const again = partner('add', 'quay-1', '--name', 'Other');
  assert.deepEqual([again.status, again.stdout.includes('partner set quay-1')], [0, true]);
  const sizes = ['--stations-per-group', '30', '--shows-per-group', '5', '--requests-per-second', '20'];
  assert.equal(
    partner('set', 'quay-1', ...sizes, '--formats', 'MP3, aac', '--contact', 'a@b.example').status,
    0,
  );
  assert.deepEqual(await findPartner(database.pool, 'quay-1'), {
    id: 'quay-1',
    name: 'Quay Radios',
    state: 'active',
    serial_scope: 'quay-1',
    contact: 'a@b.example',
    stations_per_group: 30,
    shows_per_group: 5,
    requests_per_second: 20,
    formats: 'mp3,aac',
    may_forward_addresses: true,
    device: null,
    relay: false,
    registered_by: 'operator',
  });
  assert.equal(partner('set', 'quay-1', '--device', 'Old-Radio').status, 0);
  assert.equal((await findPartner(database.pool, 'quay-1'))?.device, 'old-radio');
  const toaster = partner('set', 'quay-1', '--device', 'toaster');
  assert.match(toaster.stderr, /--device: 'toaster' is not a device; choose one of control4, .*, web/);
  assert.match(partner('set', 'quay-1', '--device', 'none').stdout, /^device +detected for each call$/m);
  assert.equal(partner('set', 'quay-1', '--may-forward', 'no').status, 0);
  assert.equal((await findPartner(database.pool, 'quay-1'))?.may_forward_addresses, false);
  assert.match(partner('set', 'quay-1', '--relay', 'on').stdout, /^relay +on: .*from anywhere/m);
  assert.match(partner('set', 'quay-1', '--relay', 'yes').stderr, /--relay is 'yes'; it must be on or off/);
  const none = ['--formats', 'none', '--requests-per-second', 'none', '--contact', 'none'];
  assert.equal(partner('set', 'quay-1', ...none).status, 0);
  const { formats, requests_per_second, contact, name } =
    (await findPartner(database.pool, 'quay-1')) ?? assert.fail();
  assert.deepEqual([formats, requests_per_second, contact, name], [null, null, null, 'Quay Radios']);
  assert.match(partner('disable', 'quay-1').stdout, /disabled.*half a minute/);
  assert.match(
    partner('show', 'quay-1').stdout,
    /^state +disabled[^]*stations per group +30$[^]*half a minute/m,
  );
  assert.match(partner('enable', 'quay-1').stdout, /active/);
});

test('serials are known within a scope, and moving it says what that does', () => {
  partner('add', 'mover');
  assert.match(
    partner('set', 'mover', '--serial-scope', 'quay').stdout,
    /saved under mover are not visible under quay/,
  );
});

test('the list is in columns, and pages', async () => {
  await database.pool.query(
    "INSERT INTO partners (id, name, serial_scope) SELECT 'z' || n, 'Z', 'z' FROM generate_series(1000, 1120) n",
  );
  const lines = partner('list').stdout.trimEnd().split('\n');
  assert.equal(lines.length, 102);
  assert.equal(lines[0]?.indexOf('STATE'), lines[1]?.indexOf('active'));
  const [, id = ''] = /--after '(.*)'$/.exec(lines.at(-1) ?? '') ?? assert.fail(lines.at(-1));
  const rest = partner('list', '--after', id).stdout.trimEnd().split('\n');
  const ids = [...lines.slice(1, -1), ...rest.slice(1)].map((line) => line.split(' ', 1)[0]);
  const { rows } = await database.pool.query<{ id: string }>('SELECT id FROM partners ORDER BY id');
  assert.deepEqual(
    ids,
    rows.map((row) => row.id),
  );
});

const MISTAKES: [args: string[], kind: string, says: RegExp][] = [
  [['set', 'quay-1', '--may-forward', 'maybe'], 'UsageError', /must be yes or no/],
  [[], 'UsageError', /give an action: add, list, unknown, show, set, disable, enable/],
  [['show'], 'UsageError', /give the partner/],
  [['set', 'quay-1'], 'UsageError', /give what to set/],
  [['set', 'quay-1', '--name', 'Quay', 'Radios'], 'UsageError', /'Radios' is unexpected/],
  [
    ['set', 'quay-1', '--stations-per-group', '0'],
    'UsageError',
    /is '0'; it must be a whole number from 1 to 500$/m,
  ],
  [['set', 'quay-1', '--requests-per-second', 'many'], 'UsageError', /from 1 to 1000000 or 'none'/],
  [
    ['set', 'quay-1', '--formats', 'mp3,mp4'],
    'UsageError',
    /'mp4' is not a format; choose from mp3, aac, .*or 'none'/,
  ],
  [['set', 'quay-1', '--contact', 'x'.repeat(301)], 'UsageError', /1 to 300 characters/],
  [['set', 'quay-1', '--color', 'red'], 'TypeError', /--color/],
  [['list', '--name', 'Quay'], 'UsageError', /partner list takes no --name/],
  [['set', 'quay-1', '--after', 'x'], 'UsageError', /partner set takes no --after/],
  [['add', 'with space'], 'UsageError', /is not a valid id/],
  [['show', 'quay1'], 'Error', /no partner 'quay1'; did you mean quay-1\?/],
  [['disable', 'QUAY-1'], 'Error', /did you mean quay-1/],
  [['enable', 'nothing-like-it'], 'Error', /longwave partner list shows them/],
];
for (const [args, name, says] of MISTAKES) {
  test(`partner ${args.join(' ').slice(0, 60)} says what to do`, async () => {
    const config = readConfig({ DATABASE_URL: database.url });
    await assert.rejects(partnerCommand.run(args, config), { name, message: says });
  });
}

test('the nearest ids are named, a few at most', () => {
  const ids = ['maker', 'make', 'baker', 'unrelated', 'maker-2', 'x'];
  assert.deepEqual(nearIds('Maker', ids), ['maker', 'make', 'baker', 'maker-2']);
  assert.deepEqual(nearIds('zz', ids), []);
});

test('ids that called and are not registered are listed, the newest first, with how to register one', async () => {
  await using own = await testDatabase();
  const ask = (...args: string[]): Ran => runLongwave(['partner', ...args], { DATABASE_URL: own.url });
  assert.match(ask('unknown').stdout, /^no id was refused/);
  await own.pool.query(`INSERT INTO unknown_partners (id, calls, first_seen, last_seen, profile, agent)
    SELECT 'id-' || n, n, '2026-10-01T10:00:00Z', timestamptz '2026-11-01T10:00:00Z' + n * interval '1 minute', 'kodi', 'Kodi'
    FROM generate_series(1, 120) AS n`);
  const lines = ask('unknown').stdout.trimEnd().split('\n');
  assert.match(lines[0] ?? '', /^ID +CALLS +FIRST +LAST +DEVICE +PROGRAM$/);
  assert.match(lines[1] ?? '', /^id-120 +120 +2026-10-01 10:00Z +2026-11-01 12:00Z +kodi +Kodi$/);
  assert.equal(lines[101], 'more: longwave partner unknown --after id-21');
  assert.equal(lines.at(-1), "Register one with: longwave partner add id-120 --name 'My radio'");
  assert.match(ask('unknown', '--after', 'id-21').stdout, /\nid-20 [^]*\nid-1 /);
  assert.equal(ask('add', 'id-120').status, 0);
  assert.match(ask('unknown').stdout, /\nid-119 /);
  assert.doesNotMatch(ask('unknown').stdout, /\nid-120 /);
  assert.match(ask('unknown', '--name', 'x').stderr, /takes no --name/);
});
