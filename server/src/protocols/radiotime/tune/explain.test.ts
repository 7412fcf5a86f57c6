import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { testApp } from '../../../../test/apps/http-server.ts';
import { seededDirectory, type SeededDirectory } from '../../../../test/content/seeded-directory.ts';
import { addPartner } from '../../../core/accounts/partners/partners.ts';
import { StreamBoard } from '../../../core/directory/live/keep-streams.ts';
import { Aliases } from '../../../core/directory/lookup/by-any-id.ts';
import type { Endpoint } from '../call/endpoint.ts';
import { tune } from './tune.ts';
import { ManualClock } from '../../../../test/time/manual-clock.ts';

const board = new StreamBoard();
let seeded: SeededDirectory;
let app: FastifyInstance;
let station = '';

before(async () => {
  seeded = await seededDirectory();
  const { directory, database } = seeded;
  const { pool } = database;
  const added = await addPartner(pool, { id: 'kitchen', name: 'Kitchen' });
  const partner = added && { ...added, device: 'old-radio' };
  const found = directory.current().stations.find(({ name }) => name === 'Harbour Folk') ?? assert.fail();
  station = `s${found.id}`;
  const [first] = found.streams;
  assert.ok(first);
  board.learn({ ...first, verdict: 'dead', reliability: 12, codec: 'MPEG 1 Layer 3' }, 0);
  await pool.query(
    `INSERT INTO stream_checks (stream_id, host, next_due_at, checked_at, alive_at, verdict, steps, health, health_day,
       failed_at, failure, failure_code)
     VALUES ($1, 'h', '2026-01-10T00:00:00Z', '2026-01-09T11:00:00.123Z', '2026-01-08T11:00:00Z', 'dead', $2,
       b'01001110'::bigint, '2026-01-08', '2026-01-09T11:00:00.123Z', 'the server does not have it', 'http_404')`,
    [
      first.id,
      JSON.stringify([
        { what: 'connect', address: first.address, ms: 12.4, detail: 'connected' },
        { what: 'answer', ms: 30, status: 404, detail: 'the server does not have it' },
        'not a step',
      ]),
    ],
  );
  const deps = {
    directory,
    db: pool,
    aliases: new Aliases(pool),
    clock: new ManualClock('2026-01-09T12:00:00Z'),
  };
  const menu: Endpoint = { paths: ['/Browse.ashx'], actions: new Map([['', () => ({ outlines: [] })]]) };
  app = testApp([menu, tune({ ...deps, streamBoard: board })], {
    findPartner: (id) => (id === 'kitchen' ? partner : undefined),
  }).app;
});
after(async () => {
  await app.close();
  await seeded[Symbol.asyncDispose]();
});

const get = (query: string, agent = 'x') =>
  app.inject({ url: `/Tune.ashx?${query}`, headers: { host: 'radio.test', 'user-agent': agent } });
const body = async (query: string, agent?: string): Promise<string> => (await get(query, agent)).body;
const golden = (t: TestContext, text: string, file: string): void =>
  t.assert.fileSnapshot(text, join(import.meta.dirname, 'golden', file), { serializers: [String] });

interface Explained {
  body: { element: string; url: string }[];
  explain: Record<string, unknown>[];
}
const explained = async (query: string, agent?: string): Promise<Explained> =>
  (await get(`${query}&explain=true&render=json`, agent)).json<Explained>();

test('explain=true says beside the body what the device is taken for and why each stream is where it is', async (t) => {
  golden(t, await body(`id=${station}&explain=true&render=json`), 'explained.json');
  golden(t, await body(`id=${station}&explain=true`), 'explained.opml');
  const plain = (await get(`id=${station}&render=json`)).json<Explained>();
  assert.deepEqual((await explained(`id=${station}`)).body, plain.body);
  assert.equal('explain' in plain, false);
});

test('of each stream the last thirty days are told, today last, and why it was last silent', async () => {
  const [, unheard, heard] = (await explained(`id=${station}`)).explain;
  const unknown = ['days', 'failed_at', 'failure', 'failure_code'].map((name) => unheard?.[name]);
  assert.deepEqual(unknown, [null, null, null, null]);
  // Of the eighth, as it was written down, and read on the ninth.
  assert.equal(heard?.['days'], 'h-ms-'.padStart(30, '-'));
  assert.deepEqual(
    [heard?.['failed_at'], heard?.['failure'], heard?.['failure_code']],
    ['2026-01-09T11:00:00Z', 'the server does not have it', 'http_404'],
  );
});

test('a code that nobody here knows is not told, and the sentence still is', async (t) => {
  const { pool } = seeded.database;
  await pool.query("UPDATE stream_checks SET failure_code = 'of_tomorrow'");
  t.after(() => pool.query("UPDATE stream_checks SET failure_code = 'http_404'"));
  const [, , heard] = (await explained(`id=${station}`)).explain;
  assert.deepEqual([heard?.['failure'], heard?.['failure_code']], ['the server does not have it', null]);
});

test('what a check has found moves a stream to the end at once, and it is still there', async () => {
  const [first, second, ...more] = (await body(`id=${station}`)).trim().split('\n');
  assert.match(second ?? '', /harbourfolk-128\.mp3$/);
  assert.match(first ?? '', /harbourfolk-64/);
  assert.deepEqual(more, []);
});

const given = async (query: string, agent?: string): Promise<unknown[]> => {
  const [device] = (await explained(`id=${station}${query}`, agent)).explain;
  return [device?.['id'], device?.['reason']];
};

test('a device is known by its parameter, its partner, its User-Agent and its serial', async () => {
  assert.deepEqual(await given('&device=MPD'), ['mpd', 'the call names it with device=']);
  assert.deepEqual(await given('&partnerId=kitchen'), [
    'old-radio',
    'the operator has set it for this partner',
  ]);
  assert.equal((await given('&serial=77', 'libmpv'))[0], 'mpv');
  assert.deepEqual(await given('&serial=77'), [
    'mpv',
    'a device with this serial identified itself this way before',
  ]);
  assert.equal((await given('&serial=77&partnerId=other'))[0], 'unknown');
});

test('a device that said what it is with a menu is that when it plays and says nothing', async () => {
  await app.inject({
    url: '/Browse.ashx?serial=78',
    headers: { host: 'radio.test', 'user-agent': 'Bose_Lisa/27.0.6' },
  });
  const [id, reason] = await given('&serial=78');
  assert.deepEqual(
    [id, reason],
    ['soundtouch', 'a device with this serial identified itself this way before'],
  );
});

test('a device that plays none of it hears the announcement, and is told why of each stream', async () => {
  const query = `id=${station}&device=esp32&formats=ogg,wma`;
  assert.equal(await body(query), 'http://radio.test/service/Audio/notcompatible.enUS.mp3\n');
  const { body: entries, explain } = await explained(query);
  assert.match(
    JSON.stringify(entries),
    /No stream for Radios built from an ESP32: the device does not play this format/,
  );
  assert.deepEqual(
    explain.slice(1).map(({ position, code }) => [position, code]),
    [
      [null, 'format'],
      [null, 'format'],
    ],
  );
});

test('only who asks why is told that a device does not exist, and which do', async () => {
  assert.match(await body(`id=${station}&device=toaster`), /^http:/);
  const { head } = (await get(`id=${station}&device=toaster&explain=true&render=json`)).json<{
    head: Record<string, string>;
  }>();
  assert.match(head['fault'] ?? '', /^Unknown device; use one of control4, esp32, .*, web$/);
  assert.match(await body(`id=${station}&device=toaster&explain=true`), /<fault_code>request\.invalid</);
  assert.match(await body(`id=${station}&explain=perhaps`), /Parameter &apos;explain&apos; is malformed/);
  assert.match(await body('id=s999999999&explain=true'), /<fault_code>api\.methodNotFound</);
});

test('a known device is repeated in every link, another word is not', async () => {
  assert.match(await body(`c=ebrowse&id=${station}&device=MPV`), /sid=s\d+&amp;device=mpv"/);
  assert.doesNotMatch(await body(`c=ebrowse&id=${station}&device=toaster`), /device=/);
});

test('without the database it is explained all the same, only not what was found', async () => {
  const db = { query: () => Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })) };
  const away = testApp([tune({ directory: seeded.directory, db, aliases: new Aliases(db) })]).app;
  const { body: text } = await away.inject({ url: `/Tune.ashx?id=${station}&explain=1&render=json` });
  assert.match(text, /"element":"stream".*"checked_at":null.*"steps":""/);
  await away.close();
});
