import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { measure } from '../../../bench/load/wrk.ts';
import { waitUntil } from '../../time/wait-until.ts';
import { editStation } from '../../database/catalogue/edit-station.ts';
import { type EdgeCaller, type Got, plainRadio, strangeCaller } from './edge-callers.ts';
import { type EdgeWorld, type Headers, isMenu, openEdgeWorld } from './edge-world.ts';

/**
 * The long form, on three thousand real stations: `EDGE_CALLERS=10000 node scripts/test.ts server/test/drills/attacks/edge-cache.test.ts`.
 */
const CALLERS = Number(process.env['EDGE_CALLERS'] ?? 200);
const IS_LONG = CALLERS > 1000;
const AT_ONCE = 16;
/** How long an edge keeps a menu, here and unless an operator says otherwise; for five more seconds while it asks for a newer one. */
const KEPT_SECONDS = IS_LONG ? 20 : 4;
const PROMISED_MS = (KEPT_SECONDS + 5) * 1000;
/** For what the machine does besides. */
const PATIENCE_MS = 60_000;

let world: EdgeWorld;

before(async () => {
  world = await openEdgeWorld({ isLarge: IS_LONG, keptSeconds: KEPT_SECONDS });
});
after(() => world[Symbol.asyncDispose]());

interface Asked {
  path: string;
  headers: Headers;
}

const askedBy = ({ calls, own, headers }: EdgeCaller): Asked[] =>
  calls.map((call) => ({ path: call + own, headers }));

const callersOf = (make: typeof plainRadio): Asked[][] =>
  Array.from({ length: CALLERS }, (_none, number) => askedBy(make(number, world.items)));

/** A few at a time. */
async function forEach<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = all.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const one of left) await work(one);
    }),
  );
}

/** Through the edge and from the service, for comparison. */
const both = async ({ path, headers }: Asked): Promise<[near: unknown, own: unknown]> => [
  await world.throughEdge(path, headers),
  await world.fromService(path, headers),
];

test('every caller gets the bytes that the directory itself sends', async () => {
  const different: Asked[] = [];
  let count = 0;
  await forEach(callersOf(strangeCaller), async (calls) => {
    for (const asked of calls) {
      count += 1;
      if (!isDeepStrictEqual(...(await both(asked)))) different.push(asked);
    }
  });
  console.log(`${CALLERS} callers: ${count - different.length} of ${count} answers were identical at once`);
  // One that came between two readings of a list is the same once the edge asks again.
  if (different.length > 0) await sleep(PROMISED_MS);
  for (const asked of different) assert.deepEqual(...(await both(asked)), asked.path);
  assert.ok(different.length < count / 100, `${different.length} of ${count} were different at first`);
});

const percentLess = (reached: number, of: number): string => `${(100 * (1 - reached / of)).toFixed(1)} %`;

test('menus of usual radios come from the edge, and how many', async () => {
  const sessions = callersOf(plainRadio);
  const paths = sessions.flat().map(({ path }) => path);
  const earlier = await world.answered();
  const startedMs = performance.now();
  await forEach(sessions, async (calls) => {
    for (const { path, headers } of calls)
      assert.equal((await world.throughEdge(path, headers)).status, 200, path);
  });
  const perSecond = paths.length / ((performance.now() - startedMs) / 1000);
  const now = await world.answered();
  const menus = paths.filter(isMenu).length;
  const [passed, templates] = [now.menus - earlier.menus, now.templates - earlier.templates];
  const reached = passed + templates + now.others - earlier.others;
  console.log(
    `${CALLERS} radios, ${paths.length} calls, ${perSecond.toFixed(0)} a second: of ${menus} menus ${passed} were passed on and ` +
      `${templates} templates asked for, ${percentLess(passed + templates, menus)} came from the edge; ` +
      `${percentLess(reached, paths.length)} of all calls never reached the directory`,
  );
  // The fewer calls a second, the fewer menus are seen twice; a busy machine makes few.
  assert.ok(passed + templates < menus * (IS_LONG ? 0.8 : 1), `${passed} and ${templates} of ${menus}`);
});

test('how many hot menus each can send', async () => {
  const own = 'partnerId=drill&formats=mp3,aac&serial=0011aabbccdd';
  const page = `/Browse.ashx?id=${world.items.genres[0]}&filter=s&${own}`;
  const rates: number[] = [];
  for (const { origin } of [world.edge, world.service]) {
    const { requestsPerSecond } = await measure({ name: origin, url: `${origin}${page}`, pids: [] }, 1);
    rates.push(requestsPerSecond);
  }
  console.log(
    `a page of fifty: ${rates.map((rate) => rate.toFixed(0)).join(' a second by the edge, ')} by the directory`,
  );
});

test('a radio sees what it saved in its next list, and nobody else does', async () => {
  const [genre = '', station = ''] = [world.items.genres[0], world.items.stations[0]];
  const headers = { 'x-forwarded-for': '203.0.113.240' };
  const list = (serial: string): Asked => ({
    path: `/Browse.ashx?id=${genre}&filter=s&partnerId=drill&serial=${serial}`,
    headers,
  });
  const saved = list('keeper');
  const shown = (await world.throughEdge(saved.path, headers)).body;
  const id = /preset_id="(s\d+)"/.exec(shown)?.[1] ?? station;
  assert.deepEqual(...(await both(saved)));
  await world.throughEdge(`/Preset.ashx?c=add&id=${id}&partnerId=drill&serial=keeper`, headers);
  const [near, own] = await both(saved);
  assert.deepEqual(near, own);
  assert.match(JSON.stringify(near), /is_preset/);
  for (const serial of ['keeper', 'other', 'keeper']) assert.deepEqual(...(await both(list(serial))), serial);
  assert.doesNotMatch((await world.throughEdge(list('other').path, headers)).body, /is_preset/);
});

const NEW_NAME = 'Renamed For A Drill';
const isIn = ({ body }: Got): boolean => body.includes(NEW_NAME);

test('a change of the directory is seen within the promised time', async () => {
  const path = '/Browse.ashx?c=recent&partnerId=drill&serial=watcher';
  const idOf = async (): Promise<number> =>
    Number(/guide_id="s(\d+)"/.exec((await world.throughEdge(path)).body)?.[1]);
  const id = await idOf();
  assert.equal(await idOf(), id);
  await editStation(world.database.pool, id, { name: NEW_NAME });
  await waitUntil('the change', async () => isIn(await world.fromService(path)) || undefined, PATIENCE_MS);
  const startedMs = performance.now();
  await waitUntil(
    'the change through the edge',
    async () => isIn(await world.throughEdge(path)) || undefined,
    PROMISED_MS + PATIENCE_MS,
  );
  const seconds = (performance.now() - startedMs) / 1000;
  console.log(`a change was seen through the edge ${seconds.toFixed(1)} s after the directory showed it`);
  assert.ok(seconds * 1000 < PROMISED_MS + 5000, `${seconds} s`);
});

test('menus go on while the directory is away, and all is as before when it is back', async () => {
  const own = 'partnerId=drill&serial=outage';
  const paths = ['/Browse.ashx?c=music&', '/Browse.ashx?id=r0&', '/Browse.ashx?c=music&render=json&'];
  const ask = (): Promise<unknown[]> => Promise.all(paths.map((path) => world.throughEdge(path + own)));
  await ask();
  const earlier = await ask();
  const bringBack = world.kill();
  assert.deepEqual(await ask(), earlier);
  const away = await world.throughEdge(`/Tune.ashx?id=${world.items.stations[0]}&${own}`);
  assert.equal(away.status, 503);
  assert.equal(away.headers['retry-after'], '5');
  // Longer than the edge goes by what it has without asking.
  await sleep(PROMISED_MS + 1000);
  assert.deepEqual(await ask(), earlier);
  await bringBack();
  for (const path of paths) assert.deepEqual(...(await both({ path: path + own, headers: {} })), path);
});

test('menus go on while the directory is stuck, and nobody waits for it for long', async () => {
  const path = '/Browse.ashx?c=music&partnerId=drill&serial=stuck';
  await world.throughEdge(path);
  const earlier = await world.throughEdge(path);
  const ask = async (asked = path): Promise<{ got: Got; seconds: number }> => {
    const startedMs = performance.now();
    const got = await world.throughEdge(asked);
    return { got, seconds: (performance.now() - startedMs) / 1000 };
  };
  world.service.process.kill('SIGSTOP');
  try {
    await sleep((KEPT_SECONDS + 1) * 1000);
    const stranger = await ask('/Browse.ashx?c=music&partnerId=drill&serial=stranger');
    assert.equal(stranger.got.status, 503);
    // Four seconds, and what a busy machine takes besides.
    assert.ok(stranger.seconds < 30, `${stranger.seconds} s`);
    await ask();
    const seconds: number[] = [];
    for (let time = 0; time < 10; time += 1) {
      const known = await ask();
      assert.deepEqual(known.got, earlier);
      seconds.push(known.seconds);
    }
    assert.ok(
      seconds.filter((each) => each > 2).length <= 1,
      `one in five seconds waits, not ${seconds.join()}`,
    );
  } finally {
    world.service.process.kill('SIGCONT');
  }
  await waitUntil(
    'the directory',
    async () => (await world.throughEdge('/Tune.ashx?id=s1&partnerId=drill')).status === 200 || undefined,
    PATIENCE_MS,
  );
  assert.deepEqual(...(await both({ path, headers: {} })));
});
