import assert from 'node:assert/strict';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BrowseApp, browseApp } from '../../../../test/apps/browse-app.ts';
import { collectGarbage } from '../../../../test/processes/collect-garbage.ts';
import { startServer, type TestServer } from '../../../../test/apps/http-server.ts';
import type { PartnerRow } from '../../../core/accounts/partners/partners.ts';
import type { OnAirNow } from '../../../core/directory/live/on-air-board.ts';
import type { Snapshot } from '../../../core/directory/snapshot/snapshot.ts';
import { listPartners } from '../../../core/accounts/partners/partners.ts';
import { Aliases } from '../../../core/directory/lookup/by-any-id.ts';
import { CallerPlaces } from '../../../core/places/caller-places.ts';
import { ALL_FORMATS } from '../../../lib/stream-format.ts';
import { createLog } from '../../../lib/log.ts';
import { Refusal } from '../../../lib/fault.ts';
import { browseEndpoints } from '../browse/browse.ts';
import { ShowPages } from '../browse/show-pages.ts';
import type { Endpoint } from './endpoint.ts';
import { deviceAddress } from './hot-answers.ts';
import type { CallOutcome, NotedCall } from './note-call.ts';

/** Two services of the same directory: one that keeps what is asked for again, and one that makes every answer anew. */
let browse: BrowseApp;
let keeping: TestServer;
let anew: TestServer;
/** Keeps little. */
let small: TestServer;
const partners = new Map<string, PartnerRow>();
let snapshot: Snapshot;
let onAir: OnAirNow | undefined;
/** Devices of which it is known that they have saved nothing. */
const savesNothing = new Set<string>();
const noted: NotedCall[] = [];
const outcomes: CallOutcome[] = [];
let isRefusing = false;
const rateLimit = (): void => {
  if (isRefusing) throw new Refusal(429, 'request.tooMany', 'too many', 3);
};

before(async () => {
  browse = await browseApp();
  snapshot = browse.snapshot;
  const [row] = await listPartners(browse.database.pool);
  assert.ok(row);
  partners.set('demo', { ...row, id: 'demo' });
  const directory = { current: () => snapshot };
  const { pool } = browse.database;
  const places = new CallerPlaces(pool, {
    placeOfAddress: (ip) =>
      ip === IN_TOKYO
        ? { coordinate: { latitude: 35.68, longitude: 139.69 }, countryCode: 'JP', precise: true }
        : undefined,
  });
  const sources = {
    directory,
    onAirBoard: { on: () => onAir },
    db: pool,
    aliases: new Aliases(pool),
    places,
  };
  const endpoints: Endpoint[] = browseEndpoints(sources).map((endpoint) => ({
    ...endpoint,
    savesNothing: (key) => savesNothing.has(key) || savesNothing.has('all'),
  }));
  const options = {
    log: createLog({ level: 'silent' }),
    findPartner: (id: string) => partners.get(id),
    publicHosts: ['radio.test', 'other.test'],
  };
  keeping = await startServer(endpoints, {
    ...options,
    rateLimit,
    noteCall: (call, outcome) => {
      noted.push(call);
      outcomes.push(outcome);
    },
  });
  anew = await startServer(endpoints, { ...options, menuCacheBytes: 0 });
  small = await startServer(endpoints, { ...options, menuCacheBytes: 100_000 });
  savesNothing.add('all');
});
after(async () => {
  await keeping?.[Symbol.asyncDispose]();
  await anew?.[Symbol.asyncDispose]();
  await small?.[Symbol.asyncDispose]();
  await browse?.[Symbol.asyncDispose]();
});

interface Got {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

async function get(server: TestServer, path: string, headers: Record<string, string> = {}): Promise<Got> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request(server.origin + path, { headers: { host: 'radio.test', ...headers }, agent: false }, resolve)
    .on('error', reject)
    .end();
  const response = await promise;
  const { date: _date, ...others } = response.headers;
  return {
    status: response.statusCode ?? 0,
    headers: others,
    body: (await buffer(response)).toString('latin1'),
  };
}

const ofAnswers = async (name: string, { options }: TestServer): Promise<number> => {
  const [, number] = (await options.metrics.text()).split(`longwave_cache_${name}{cache="answers"} `);
  return Number.parseInt(number ?? '', 10);
};
const hits = (of = keeping): Promise<number> => ofAnswers('hits_total', of);

const IN_TOKYO = '9.9.9.9';

/** Asked for often enough to be kept, and then once more. */
async function same(path: string, headers?: Record<string, string>): Promise<Got> {
  for (let time = 0; time < 4; time += 1)
    assert.deepEqual(await get(keeping, path, headers), await get(anew, path, headers), path);
  return get(keeping, path, headers);
}

const PARTNER = 'partnerId=demo';
const PAGE = `/Browse.ashx?id=g1310&filter=s&formats=mp3,aac&${PARTNER}`;

test('what is asked for again in the same words is at hand, and nothing differs', async () => {
  const earlier = await hits();
  for (const path of [
    PAGE,
    `${PAGE}&render=json`,
    `/browse.ashx?c=music&${PARTNER}`,
    `/Browse.ashx?id=r0&${PARTNER}&locale=de`,
    `/Browse.ashx?id=s1&${PARTNER}`,
  ])
    await same(path);
  assert.ok((await hits()) - earlier >= 5, `${earlier}, ${await hits()}`);
});

test('hosts, languages and packing are the callers own', async () => {
  for (const headers of [
    { host: 'radio.test' },
    { host: 'other.test' },
    { 'accept-language': 'de' },
    { 'accept-language': 'fr' },
    { 'accept-encoding': 'gzip' },
    { 'accept-encoding': 'identity' },
    { origin: 'https://a.example' },
    { 'x-forwarded-proto': 'https' },
  ]) {
    await same(PAGE, headers);
    await same(`${PAGE}&serial=ab12`, headers);
    await same(`${PAGE}&locale=en&serial=ab12`, headers);
  }
});

test('devices that differ by their serial alone share a menu, each with its own links', async () => {
  const earlier = await hits();
  const serials = [
    '0011aabbccdd',
    '0011aabbccde',
    'short',
    'a_b-c',
    'x'.repeat(64),
    '00:11:22',
    'a%20b',
    'é',
    '*',
  ];
  for (const serial of serials) {
    const { body } = await same(`${PAGE}&serial=${serial}`);
    for (const other of serials.filter((each) => each.length > 8 && each !== serial))
      assert.ok(!body.includes(`serial=${other}&`) && !body.includes(`serial=${other}"`), other);
  }
  assert.ok((await hits()) - earlier >= 10);
  for (const odd of [
    'serial=a1&serial=b2',
    'Serial=a1&serial=b2',
    'serial=a1&username=ann',
    'serial=',
    'serial=a1&latlon=1,2',
  ])
    await same(`${PAGE}&${odd}`);
  await same(`/Browse.ashx?serial=a1&id=g1310&filter=s&${PARTNER}`);
  await same(`/Browse.ashx?id=g1310&filter=s&formats=*&serial=a1&${PARTNER}`);
});

test('a page that shows what is near is kept for those who are there, whoever asks first', async () => {
  const tokyo = { 'x-forwarded-for': IN_TOKYO };
  for (const asked of [`id=g1000&${PARTNER}`, `id=g1000&${PARTNER}&serial=0011aabbccdd`])
    for (const [first, then] of [
      [{}, tokyo],
      [tokyo, {}],
    ] satisfies Record<string, string>[][]) {
      snapshot = { ...snapshot };
      const path = `/Browse.ashx?${asked}`;
      const earlier = await hits();
      const { body } = await same(path, first);
      assert.ok((await hits()) > earlier, 'it is kept');
      const other = await same(path, then);
      const [near, away] = first === tokyo ? [body, other.body] : [other.body, body];
      assert.match(near, /key="local"/);
      assert.doesNotMatch(away, /key="local"/);
      assert.equal((await same(path, first)).body, body);
    }
});

test('a page with shows is kept for as long as they need no reload', async () => {
  const pages = new ShowPages(browse.database.pool, { current: () => snapshot });
  const query = { genreId: 1310, offset: 0, limit: 10, formats: ALL_FORMATS };
  assert.equal(pages.watch(query, undefined)(), false, 'shows that came too late may be there now');
  const page = await pages.get(query);
  assert.equal(pages.watch(query, page)(), true);
  assert.equal(pages.watch(query, { ...page })(), false, 'these are others');
  assert.equal(pages.watch({ ...query, offset: 10 }, page)(), false);
});

test('a device whose saved items are not known to be none is asked about each time', async () => {
  savesNothing.delete('all');
  const earlier = await hits();
  await same(`${PAGE}&serial=0011aabbccdd`);
  assert.equal(await hits(), earlier);
  savesNothing.add('all');
});

test('it is over with the directory, with what is on air, and with the settings of the partner', async () => {
  await same(PAGE);
  const earlier = snapshot;
  const changes = [
    () => {
      snapshot = { ...earlier };
    },
    () => {
      const rank = snapshot.stationById.get(1)?.rank;
      assert.ok(rank !== undefined);
      const shows = [{ showId: 7, showTitle: 'Morning' }];
      onAir = { stamp: 9, ranks: [rank], shows, placeOf: new Map([[rank, 0]]) };
    },
    () => {
      onAir = undefined;
    },
    () => {
      const row = partners.get('demo');
      assert.ok(row);
      partners.set('demo', { ...row, stations_per_group: 2 });
    },
  ];
  for (const change of changes) {
    change();
    for (const path of [PAGE, `${PAGE}&serial=0011aabbccdd`]) {
      const first = await get(keeping, path);
      assert.deepEqual(first, await get(anew, path));
      assert.equal(first.body.includes('Morning'), onAir !== undefined);
      await same(path);
    }
  }
});

test('a page that nobody asks for again keeps no directory in memory that was replaced', async () => {
  const original = snapshot;
  const replaced = await (async () => {
    snapshot = { ...original };
    const earlier = await hits();
    await same(PAGE);
    await same(`${PAGE}&serial=0011aabbccdd`);
    assert.ok((await hits()) >= earlier + 2, 'both are kept');
    return new WeakRef(snapshot);
  })();
  snapshot = original;
  for (let time = 0; time < 20 && replaced.deref(); time += 1) {
    await sleep(20);
    collectGarbage();
  }
  assert.ok(replaced.deref() === undefined, 'it is still held');
});

test('an address is counted with all that is kept of it, however short its page is', async () => {
  for (let n = 0; n < 60; n += 1) await get(small, `/Browse.ashx?id=m1&render=json&invented=${n}`);
  const entries = await ofAnswers('entries', small);
  assert.ok(entries > 0 && entries <= 25_000 / 2000, `${entries} addresses in a quarter of 100,000 bytes`);
});

test('a menu that the menu cache let go is not held for devices', async () => {
  const asked = `${PAGE}&serial=0011aabbccdd`;
  for (let time = 0; time < 4; time += 1) await get(small, asked);
  const kept = await hits(small);
  assert.ok(kept > 0);
  for (let n = 0; n < 240; n += 1)
    await get(small, `/Browse.ashx?id=g1310&offset=${n >> 1}&${PARTNER}&serial=ff`);
  await sleep(0);
  collectGarbage();
  await get(small, asked);
  assert.equal(await hits(small), kept, 'made again');
  for (let time = 0; time < 4; time += 1) await get(small, asked);
  assert.ok((await hits(small)) > kept, 'and kept again');
});

test('every call is noted with who called, and limits refuse it as any other', async () => {
  await same(PAGE);
  await same(`${PAGE}&serial=0011aabbccdd`);
  noted.length = 0;
  await get(keeping, PAGE, { 'user-agent': 'A' });
  await get(keeping, `${PAGE}&serial=0011aabbccdd`, { 'user-agent': 'B' });
  assert.deepEqual(
    noted.map(({ caller, headers, path, what }) => [
      caller.serial,
      caller.partner?.id,
      headers['user-agent'],
      path,
      what,
    ]),
    [
      [undefined, 'demo', 'A', '/Browse.ashx', 'Browse g1310'],
      ['0011aabbccdd', 'demo', 'B', '/Browse.ashx', 'Browse g1310'],
    ],
  );
  isRefusing = true;
  for (const path of [PAGE, `${PAGE}&serial=0011aabbccdd`]) {
    const { status, headers, body } = await get(keeping, path);
    assert.equal(status, 429);
    assert.equal(headers['retry-after'], '3');
    assert.match(body, /too many/);
    const { status: of, code, text } = outcomes.at(-1) ?? {};
    assert.deepEqual([of, code, text], [429, 'request.tooMany', 'too many'], 'its owner is told why');
  }
  isRefusing = false;
});

test('the serial is cut out of an address only where it is repeated as it is written', () => {
  assert.deepEqual(deviceAddress('/b?id=1&serial=a1&x=2'), { shared: '/b?id=1&serial=*&x=2', serial: 'a1' });
  assert.deepEqual(deviceAddress('/b?serial=a1'), { shared: '/b?serial=*', serial: 'a1' });
  for (const url of [
    '/b?Serial=a1',
    '/b?serial=',
    '/b?serial=*',
    '/b?myserial=a1',
    '/b?serial=a%41',
    '/b?serial=a:b',
  ])
    assert.equal(deviceAddress(url), undefined, url);
});
