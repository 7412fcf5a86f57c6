import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import type { PartnerRow } from '../../../src/core/accounts/partners/partners.ts';
import { Aliases } from '../../../src/core/directory/lookup/by-any-id.ts';
import { browseEndpoints } from '../../../src/protocols/radiotime/browse/browse.ts';
import { ask, linksOf, stationsOf } from '../../apps/browse-app.ts';
import { testApp } from '../../apps/http-server.ts';
import { withoutRealData } from '../../content/real-data.ts';
import { realDirectory } from '../../content/real-directory.ts';

const GLOBALS = 'partnerId=walker&serial=00-11&locale=en';
/** Of the ways that lead to stations a second time, the first so many of each shape are followed. */
const SAMPLED = 400;
const MIN_REACHED = 0.999;

/** Menus that may be empty: there are no shows in the file of stations, and the walker has saved nothing. */
const MAY_BE_EMPTY = /[?&]c=(?:podcast|presets)(?:&|$)/;

/** What a link asks for, without the numbers: `id=r||offset|filter=s:popular`. */
function shapeOf(link: string): string {
  const params = new URLSearchParams(link.slice(link.indexOf('?')));
  const filter = params.get('filter')?.replaceAll(/~./gu, '~').replaceAll(/\d+/g, '');
  return [
    params.get('c') ?? `id=${params.get('id')?.replace(/\d+$/, '')}`,
    params.has('pivot') ? `pivot=${params.get('pivot')}` : '',
    params.has('offset') ? 'offset' : '',
    filter ? `filter=${filter}` : '',
  ].join('|');
}

/** The tree itself: places and their pages, genres, and everything that is there once. All of it is walked. */
const TREE = /^(?:id=r\|\|(?:offset)?\|(?:filter=s(?::popular|:unplaced)?)?|id=g\|\|\||[a-z]+\|\|\|)$/;

interface Walk {
  pages: number;
  stations: Set<string>;
  shapes: Map<string, number>;
  problems: string[];
}

async function walkFrom(app: FastifyInstance, start: string): Promise<Walk> {
  const walk: Walk = { pages: 0, stations: new Set(), shapes: new Map(), problems: [] };
  const seen = new Set([start]);
  const queue = [start];
  for (let link = queue.pop(); link !== undefined; link = queue.pop()) {
    const body = await ask(app, link);
    walk.pages += 1;
    for (const id of stationsOf(body)) walk.stations.add(id);
    walk.problems.push(...problemsOf(link, body).map((problem) => `${link}: ${problem}`));
    if (walk.problems.length > 20) break;
    for (const next of linksOf(body)) {
      if (!next.startsWith('/Browse.ashx') || seen.has(next) || !isFollowed(walk, next)) continue;
      seen.add(next);
      queue.push(next);
    }
  }
  return walk;
}

function isFollowed({ shapes }: Walk, link: string): boolean {
  const shape = shapeOf(link);
  const count = (shapes.get(shape) ?? 0) + 1;
  shapes.set(shape, count);
  return TREE.test(shape) || count <= SAMPLED;
}

function problemsOf(link: string, body: string): string[] {
  const problems: string[] = [];
  if (!body.includes('<status>200</status>')) problems.push('is a fault');
  if (body.includes('type="text"') && !MAY_BE_EMPTY.test(link)) problems.push('leads to nothing');
  if (/<outline (?!type=)[^>]*\/>/.test(body) || />\n<\/outline>/.test(body.replaceAll('/>\n</outline>', '')))
    problems.push('has an empty container');
  for (const [, url = ''] of body.matchAll(/ URL="([^"]*)"/g)) {
    if (!url.includes('?')) problems.push(`${url} has no ?`);
    if (!url.includes(GLOBALS.replaceAll('&', '&amp;'))) problems.push(`${url} forgets who is asking`);
  }
  return problems;
}

const walker: PartnerRow = {
  id: 'walker',
  name: 'Walker',
  state: 'active',
  serial_scope: 'walker',
  contact: null,
  stations_per_group: 50,
  shows_per_group: 10,
  requests_per_second: null,
  formats: null,
  may_forward_addresses: false,
  device: null,
  relay: false,
  registered_by: 'operator',
};

test(
  'whoever follows links from the index hears every station, and meets no fault',
  { skip: withoutRealData },
  async (t) => {
    await using real = await realDirectory();
    const { pool, snapshot } = real;
    const deps = { directory: { current: () => snapshot }, db: pool, aliases: new Aliases(pool) };
    const { app } = testApp(browseEndpoints(deps), { findPartner: () => walker, logLevel: 'silent' });
    const started = performance.now();
    const walk = await walkFrom(app, `/Browse.ashx?${GLOBALS}`);
    await app.close();
    const seconds = (performance.now() - started) / 1000;
    t.diagnostic(
      `${walk.pages} menus in ${seconds.toFixed(1)} s, ${walk.stations.size} of ${snapshot.stations.length}`,
    );
    t.diagnostic([...walk.shapes].map(([shape, count]) => `${shape}: ${count}`).join('\n'));
    assert.deepEqual(walk.problems, []);
    assert.ok(walk.stations.size >= MIN_REACHED * snapshot.stations.length, `${walk.stations.size} stations`);
    for (const shape of ['id=g|||filter=l', 'id=g|pivot=country||filter=s', 'id=r|pivot=name||filter=s'])
      assert.ok(walk.shapes.has(shape), `${shape} was never met`);
  },
);
