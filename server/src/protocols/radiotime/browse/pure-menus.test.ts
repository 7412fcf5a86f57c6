import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { ask, type BrowseApp, browseApp } from '../../../../test/apps/browse-app.ts';
import { testApp } from '../../../../test/apps/http-server.ts';
import { Aliases } from '../../../core/directory/lookup/by-any-id.ts';
import { writeXml } from '../../../formats/opml/write-xml.ts';
import type { Action, Answer, Endpoint } from '../call/endpoint.ts';
import { browseEndpoints } from './browse.ts';

let browse: BrowseApp;
let app: FastifyInstance;
/** What each kept menu was made as, by its name. */
const made = new Map<string, Set<string>>();
let kept = 0;
before(async () => {
  browse = await browseApp();
  const { pool } = browse.database;
  const directory = { current: () => browse.snapshot };
  const deps = { directory, onAirBoard: browse.onAir.board, db: pool, aliases: new Aliases(pool) };
  const endpoints = browseEndpoints(deps);
  app = testApp(endpoints.map(watched), { logLevel: 'silent' }).app;
});
after(async () => {
  await app.close();
  await browse[Symbol.asyncDispose]();
});

const watched = (endpoint: Endpoint): Endpoint => ({
  ...endpoint,
  actions: new Map([...endpoint.actions].map(([c, action]) => [c, watchedAction(action)])),
});

const watchedAction =
  (action: Action): Action =>
  async (call) => {
    const answer = await action(call);
    if ('menu' in answer) note(answer);
    return answer;
  };

function note(answer: Extract<Answer, { menu: string }>): void {
  kept += 1;
  const documents = made.get(answer.menu) ?? new Set();
  made.set(answer.menu, documents.add(writeXml(answer.document(), { origin: '', suffix: '' })));
}

const MENUS = [
  '',
  'c=music',
  'c=talk',
  'c=lang',
  'c=r0',
  'c=popular',
  'c=best',
  'c=recent',
  'id=g1000',
  'id=g1310',
  'id=r0',
  'id=s1',
  'id=a1',
];
const VARIANTS = [
  '',
  'filter=s',
  'filter=l57',
  'filter=g1310',
  'filter=s:~R',
  'filter=s:topvoted',
  'filter=s:bit192*',
  'filter=s:up-hi',
  'filter=s:r101217',
  'filter=s:unplaced',
  'pivot=name',
  'pivot=genre',
  'pivot=country',
  'offset=3',
  'formats=aac',
  'locale=de',
  'partnerId=small',
  'latlon=51.9,-8.5',
  'latlon=35.7,139.7',
  'detail=genre',
  'detail=recommendation',
  'username=ann',
  'serial=00-11',
];

/** Two shows of a station one after the other, and a time at which none is on air. */
const HOURS_LATER = [0, 1, 1000];

test('a kept menu depends on nothing that its name does not tell', async () => {
  for (const hours of HOURS_LATER) {
    browse.clock.advance({ hours });
    await browse.onAir.look();
    for (const menu of MENUS)
      for (const first of VARIANTS)
        for (const second of ['', 'formats=aac', 'locale=fr', 'offset=1', 'partnerId=small'])
          await ask(app, `/Browse.ashx?${[menu, first, second].filter((part) => part !== '').join('&')}`);
  }
  await ask(app, '/Index.aspx');
  const given = (show: string): boolean => [...made.values()].some(([menu]) => menu?.includes(show) === true);
  assert.deepEqual(['Evening 1"', 'Evening 2"'].map(given), [true, true], 'both shows stand in menus');
  const different = [...made].filter(([, documents]) => documents.size > 1).map(([name]) => name);
  assert.deepEqual(different, []);
  assert.ok(kept > 1000, `${kept} menus were kept`);
  assert.ok(made.size > 300 && made.size < kept, `${made.size} of them were different`);
});
