import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { addPartner, changePartner, listPartners } from '../../../core/accounts/partners/partners.ts';
import { Aliases } from '../../../core/directory/lookup/by-any-id.ts';
import { CallerPlaces } from '../../../core/places/caller-places.ts';
import { UNKNOWN_DEVICE } from '../../../core/devices/profiles.ts';
import { startServer, type TestServer } from '../../../../test/apps/http-server.ts';
import { seededDirectory, type SeededDirectory } from '../../../../test/content/seeded-directory.ts';
import { browseEndpoints } from '../browse/browse.ts';
import { SavedItems } from '../call/saved-items.ts';
import { type CallerClass, parseClass, UNTOLD, writeClass } from './caller-class.ts';
import { NotShared, sharedCall } from './shared-call.ts';
import { edgeKey, tellEdge } from './tell-edge.ts';
import { edgeTemplates } from './templates.ts';

const KEY = 'the key of an edge in tests, 32 characters';
const ON_CALL = { 'x-longwave-edge': KEY };
const FOR_TEMPLATE = { 'x-longwave-template': KEY };
const ROWS = join(import.meta.dirname, '../../../../test/seed/beside-stations.sql');

let seeded: SeededDirectory;
let server: TestServer;

before(async () => {
  seeded = await seededDirectory();
  const { pool } = seeded.database;
  await pool.query(readFileSync(ROWS, 'utf8'));
  await addPartner(pool, { id: 'small', name: 'Five lines' });
  await changePartner(pool, 'small', { stations_per_group: 5, shows_per_group: 3 });
  const partners = new Map((await listPartners(pool)).map((row) => [row.id, row]));
  const places = new CallerPlaces(pool, {
    placeOfAddress: (ip) =>
      ip === '81.2.69.160' ? { coordinate: { latitude: 52.5, longitude: 13.4 }, precise: true } : undefined,
  });
  const saved = new SavedItems(pool, undefined);
  const deps = { directory: seeded.directory, db: pool, aliases: new Aliases(pool), places };
  const endpoints = browseEndpoints(deps).map((endpoint) => saved.marks(endpoint));
  const key = edgeKey(KEY);
  server = await startServer(endpoints, {
    findPartner: (id) => partners.get(id),
    tellEdge: tellEdge(key, places),
    protocols: [edgeTemplates({ endpoints, key, menuSeconds: 20 })],
  });
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await seeded[Symbol.asyncDispose]();
});

interface Got {
  status: number;
  told: string | null;
  type: string | null;
  body: string;
}

async function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Got> {
  const response = await fetch(`${server.origin}${path}`, { method, headers });
  const body = Buffer.from(await response.arrayBuffer()).toString('latin1');
  const { headers: got } = response;
  return { status: response.status, told: got.get('x-longwave-caller'), type: got.get('content-type'), body };
}

/** What an edge makes of a template for the caller that it was told of. */
async function throughTemplate(menu: string, told: string): Promise<{ type: string; body: string }> {
  const [, suffix = '', of = ''] = told.split(' ');
  const anywhere = await get(`/edge${menu}&for=${of.replace(/[^;]*$/, '?')}`, FOR_TEMPLATE);
  const path = `${menu}&for=${of}`;
  const { status, body } = anywhere.status === 409 ? await get(`/edge${path}`, FOR_TEMPLATE) : anywhere;
  assert.equal(status, 200, path);
  const end = body.indexOf('\n\n');
  const [, type = ''] = /^Content-Type: (.*)$/m.exec(body.slice(0, end)) ?? [];
  const insert = suffix === '-' ? '' : suffix;
  const escaped = type.includes('xml') ? insert.replaceAll('&', '&amp;') : insert;
  return { type, body: body.slice(end + 2).replaceAll('\u0001', escaped) };
}

const MENUS = [
  '/Browse.ashx?c=index',
  '/Browse.ashx?c=music',
  '/Browse.ashx?c=recent&offset=2',
  '/Browse.ashx?c=lang',
  '/Browse.ashx?id=r0',
  '/Browse.ashx?id=g1000&filter=s',
  '/Browse.ashx?id=g1000',
];
const CALLERS = [
  '',
  '&partnerId=small&serial=abc123&formats=mp3,aac',
  '&partnerId=small&locale=de',
  `&partnerId=demo&serial=${encodeURIComponent(`"'<&%\u0001{QUERY}$1 ü`.replace('\u0001', '\\1'))}&latlon=52.5,13.4`,
  '&serial=%E4%F6%FC&lang=fr',
  '&device=esp32',
];

test('a template with the caller’s suffix in its holes is what the caller gets, byte for byte', async () => {
  let shared = 0;
  for (const own of CALLERS)
    for (const menu of MENUS)
      for (const render of ['', '&render=json']) {
        const address = `${menu}${render}`;
        const { told, body, type } = await get(`${address}${own}`, ON_CALL);
        assert.ok(told, `${address}${own}`);
        assert.deepEqual(await throughTemplate(address, told), { type, body }, `${address}${own}`);
        shared += 1;
      }
  assert.equal(shared, CALLERS.length * MENUS.length * 2);
});

const classOf = ({ told }: Got): string => told?.split(' ')[2] ?? '';

test('with edges nothing is kept by whole addresses, since every caller is read to tell of it', async () => {
  for (let time = 0; time < 4; time += 1) await get('/Browse.ashx?c=music&partnerId=small');
  assert.match(await server.options.metrics.text(), /^longwave_cache_entries\{cache="answers"\} 0$/m);
});

test('callers in one cell of the map share what is near them', async () => {
  const here = await get('/Browse.ashx?id=g1000&latlon=52.51,13.41&serial=1', ON_CALL);
  const beside = await get('/Browse.ashx?id=g1000&latlon=52.55,13.45&serial=2', ON_CALL);
  const byAddress = await get('/Browse.ashx?id=g1000', { ...ON_CALL, 'x-forwarded-for': '81.2.69.160' });
  assert.match(classOf(here), /;52\.625,13\.375$/);
  assert.equal(classOf(here), classOf(beside));
  assert.equal(classOf(byAddress), classOf(here).replace(';named;', ';;'));
});

test('only menus that show what is near ask where their callers are', async () => {
  const of = 'http://radio.test;32767;en;;;named;';
  for (const [menu, status] of [
    ['c=music', 200],
    ['id=g1000', 409],
    ['id=g1000&filter=s', 200],
    ['id=r0', 200],
  ] as const)
    assert.equal((await get(`/edge/Browse.ashx?${menu}&for=${of}?`, FOR_TEMPLATE)).status, status, menu);
});

test('nobody without the key is told anything, or finds a template', async () => {
  const [menu = ''] = MENUS;
  const of = 'http://radio.test;1;en;;;;';
  assert.equal((await get(menu)).told, null);
  for (const key of ['', 'wrong', KEY.slice(1), `${KEY}x`]) {
    assert.equal((await get(menu, { 'x-longwave-edge': key })).told, null);
    for (const name of ['x-longwave-edge', 'x-longwave-template'])
      assert.match((await get(`/edge${menu}&for=${of}`, { [name]: key })).body, /<status>404</);
  }
  assert.match((await get(`/edge${menu}&for=${of}`, ON_CALL)).body, /<status>404</);
});

test('an edge is told nothing of callers whose answers are their own', async () => {
  for (const own of ['&username=someone', '&serial=1&password=secret', '&callback=f&render=json'])
    assert.equal((await get(`/Browse.ashx?c=music${own}`, ON_CALL)).told, null, own);
  assert.equal((await get('/Browse.ashx?c=music', ON_CALL, 'HEAD')).told, null);
  assert.equal((await get('/Browse.ashx?c=presets&serial=1', ON_CALL)).told, null);
  assert.equal((await get('/Browse.ashx?c=nothing', ON_CALL)).told, null);
});

test('there is no template of what differs from caller to caller, or of nothing', async () => {
  const of = 'http://radio.test;4095;en;;;named;52.625,13.375';
  for (const menu of [
    'c=local',
    'c=popular',
    'c=best',
    'c=presets',
    'c=index,music',
    'c=nothing',
    'id=g999999',
    'id=f1',
    'c=schedule&id=s1',
    'c=music&offset=x',
  ])
    assert.equal((await get(`/edge/Browse.ashx?${menu}&for=${of}`, FOR_TEMPLATE)).status, 404, menu);
  // It goes by the program that asks, which only the call itself tells.
  assert.equal((await get(`/edge/Index.aspx?for=${of}`, FOR_TEMPLATE)).status, 404);
  for (const wrong of ['', 'x', `${of};`, of.replace('en', 'xx'), of.replace('radio.test', 'a b'), ';;;;;;'])
    assert.equal((await get(`/edge/Browse.ashx?c=music&for=${wrong}`, FOR_TEMPLATE)).status, 404, wrong);
});

const SOME: CallerClass = {
  origin: 'https://[::1]:8443',
  formats: 7,
  language: 'de',
  partner: { stationsPerGroup: 50, showsPerGroup: 10 },
  device: UNKNOWN_DEVICE.profile.id,
  isNamed: true,
  cell: { latitude: -33.875, longitude: 151.125 },
};

test('a class is read as it was written', () => {
  const bare = { partner: undefined, device: undefined, isNamed: false, cell: undefined };
  const all: CallerClass[] = [SOME, { ...SOME, ...bare }, { ...SOME, cell: UNTOLD }];
  for (const one of all) {
    assert.deepEqual(parseClass(writeClass(one)), one);
    assert.match(writeClass(one), /^[\w:/;,.[\]?-]+$/);
  }
});

test('a shared call refuses every question in which its callers could differ', () => {
  const values = new Map([['c', 'music']]);
  const now = Temporal.Instant.fromEpochMilliseconds(0);
  const ask = {
    path: '/Browse.ashx',
    values,
    render: 'xml',
    of: { ...SOME, device: undefined },
    now,
  } as const;
  const call = sharedCall(ask);
  const { caller, params } = call;
  assert.equal(params.text('c'), 'music');
  assert.equal(caller.formats, 7);
  assert.equal(caller.partner?.shows_per_group, 10);
  for (const question of [
    () => caller.serial,
    () => caller.username,
    () => caller.partnerId,
    () => caller.latlon,
    () => caller.geoIp,
    () => caller.securityIp,
    () => caller.locale,
    () => caller.links,
    () => caller.globals.serial,
    () => caller.partner?.id,
    () => ({ ...caller }),
    () => 'serial' in caller,
    () => call.device,
    () => call.serialKey,
    () => call.askedPath,
    () => call.headers['user-agent'],
    () => params.text('serial'),
    () => params.has('password'),
    () => params.flag('anything'),
    () => params.isMentioned('c'),
    () => params.isInQuery('c'),
  ])
    assert.throws(question, NotShared, String(question));
});
