import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type BrowseApp, ask, browseApp, stationsOf } from '../../../../test/apps/browse-app.ts';
import { buildSnapshot } from '../../../core/directory/snapshot/build-snapshot.ts';
import { OnAirKeeper } from '../../../core/directory/live/keep-on-air.ts';
import type { Snapshot } from '../../../core/directory/snapshot/snapshot.ts';
import { createLog } from '../../../lib/log.ts';
import { ManualClock } from '../../../../test/time/manual-clock.ts';

let browse: BrowseApp;
before(async () => {
  browse = await browseApp('2026-03-28T12:30:00Z');
});
after(() => browse[Symbol.asyncDispose]());

const log = createLog({ level: 'silent' });

/** All of the wire that says something of what is on air, from the line of station s1. */
const lineOf = (body: string): string =>
  body.split('\n').find((line) => line.includes('guide_id="s1"')) ?? assert.fail('s1 is not in the menu');

const heardIn = (body: string): (string | undefined)[] =>
  [/ subtext="([^"]*)"/, / show_id="([^"]*)"/, / current_track="([^"]*)"/].map(
    (name) => name.exec(lineOf(body))?.[1],
  );

/** Each kind of list in which s1 stands. */
const LISTS = {
  'local radio': 'c=local&latlon=51.9,-8.5',
  'a genre': 'id=g1310',
  'a genre with stations near': 'id=g1310&latlon=51.9,-8.5',
  'a page of a genre': 'id=g1310&filter=s',
  'the popular ones': 'c=popular&formats=aac',
  'the trending ones': 'c=trending&formats=aac',
  'the best ones': 'c=best&formats=aac',
  'several at once': 'c=index,best&formats=aac',
  'a network': 'id=a1',
};
for (const [name, params] of Object.entries(LISTS)) {
  test(`${name}: the show that a station has on air stands in its line`, async () => {
    const body = await browse.get(`/Browse.ashx?${params}`);
    assert.deepEqual(heardIn(body), ['Evening 1', 'p101', 'Evening 1']);
    const others = body
      .split('\n')
      .filter((line) => line.includes('item="station"') && line !== lineOf(body));
    for (const line of others) if (!line.includes('guide_id="s1"')) assert.doesNotMatch(line, /show_id=/);
  });
}

test('a place and a language tell it too', async () => {
  const { regionId, languageIds } = browse.snapshot.stationById.get(1) ?? assert.fail('s1 is not there');
  for (const params of [`id=r${regionId}`, `c=lang&filter=l${languageIds[0]}`])
    assert.deepEqual(heardIn(await browse.get(`/Browse.ashx?${params}`)), ['Evening 1', 'p101', 'Evening 1']);
});

test('stations like another tell it too', async () => {
  const { snapshot } = browse;
  const menus = snapshot.stations.map(({ id }) => browse.get(`/Browse.ashx?id=s${id}&detail=recommendation`));
  const withOne = (await Promise.all(menus)).filter((body) => body.includes('guide_id="s1"'));
  assert.ok(withOne.length > 0, 's1 is like no other station');
  for (const body of withOne) assert.deepEqual(heardIn(body), ['Evening 1', 'p101', 'Evening 1']);
});

test('JSON says the same, and each line is told as among the presets', async () => {
  const json = JSON.parse(await browse.get('/Browse.ashx?c=popular&formats=aac&render=json'));
  const line: Record<string, string> = json.body.find(
    ({ guide_id: id }: { guide_id: string }) => id === 's1',
  );
  assert.deepEqual(
    [line['subtext'], line['show_id'], line['current_track']],
    ['Evening 1', 'p101', 'Evening 1'],
  );
  const presets = await browse.get(
    '/Browse.ashx?c=presets&partnerId=maker&username=ann&title=General&guide_id=f1031',
  );
  assert.deepEqual(heardIn(presets), heardIn(await browse.get('/Browse.ashx?c=popular&formats=aac')));
});

/** A service of its own time on the same rows, whose hot menus are kept. */
async function serviceAt(now: string): Promise<{
  clock: ManualClock;
  keeper: OnAirKeeper;
  get: (url: string) => Promise<string>;
  swap: (next: Snapshot) => void;
}> {
  const { pool } = browse.database;
  const clock = new ManualClock(now);
  let current = browse.snapshot;
  let tell: ((next: Snapshot) => void) | undefined;
  const onSwap = (listener: (next: Snapshot) => void): (() => void) => ((tell = listener), () => undefined);
  const directory = { current: () => current, onSwap };
  const keeper = new OnAirKeeper({ db: pool, directory, clock, log });
  await keeper.look();
  const app = browse.with({ directory, onAirBoard: keeper.board });
  const swap = (next: Snapshot): void => tell?.((current = next));
  return { clock, keeper, swap, get: (url) => ask(app, url) };
}

const PAGES = ['id=g1310', 'c=popular&formats=aac', 'c=local&latlon=51.9,-8.5', 'id=a1&serial=1', 'id=a1'];

test('the show in hot menus changes when its time is over, and goes when nothing is on', async () => {
  const { clock, keeper, get } = await serviceAt('2026-03-31T22:59:00Z');
  const heard = async (): Promise<Set<string | undefined>> => {
    const shows = new Set<string | undefined>();
    // Three times: made, kept, and found.
    for (const page of [...PAGES, ...PAGES, ...PAGES])
      shows.add(heardIn(await get(`/Browse.ashx?${page}`))[0]);
    return shows;
  };
  assert.deepEqual(await heard(), new Set(['Evening 11']));
  clock.advance({ minutes: 1 });
  await keeper.look();
  assert.deepEqual(await heard(), new Set(['Evening 12']));
  clock.advance({ hours: 1 });
  await keeper.look();
  assert.deepEqual(await heard(), new Set(['English']));
});

test('a swap of the directory takes the shows along to wherever the stations stand', async () => {
  const { get, swap } = await serviceAt('2026-03-28T12:30:00Z');
  const { pool } = browse.database;
  await get('/Browse.ashx?c=popular&formats=aac');
  const { rows } = await pool.query<{ popularity: number }>('SELECT popularity FROM stations WHERE id = 1');
  await pool.query('UPDATE stations SET popularity = 0 WHERE id = 1');
  try {
    const next = await buildSnapshot(pool);
    assert.notEqual(next.stationById.get(1)?.rank, browse.snapshot.stationById.get(1)?.rank);
    swap(next);
    const body = await get('/Browse.ashx?id=a1');
    assert.deepEqual(heardIn(body), ['Evening 1', 'p101', 'Evening 1']);
    assert.equal(body.split('show_id=').length, 2, 'no other station has its show');
    const without = browse.with({ directory: { current: () => next }, onAirBoard: undefined });
    assert.deepEqual(stationsOf(body), stationsOf(await ask(without, '/Browse.ashx?id=a1')));
  } finally {
    await pool.query('UPDATE stations SET popularity = $1 WHERE id = 1', [rows[0]?.popularity]);
  }
});

test('without a schedule there is nothing on the board, and menus keep their names', async () => {
  const { keeper, get } = await serviceAt('2027-01-01T00:00:00Z');
  assert.equal(keeper.board.on(browse.snapshot), undefined);
  const without = browse.with({ onAirBoard: undefined });
  for (const page of PAGES)
    assert.equal(await get(`/Browse.ashx?${page}`), await ask(without, `/Browse.ashx?${page}`));
});
