import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { CDPSession, Page, Request } from 'playwright-core';
import { PAGES, openPage, settled } from '../browser/every-page.ts';
import { STATION, fillSite } from '../browser/fill-site.ts';
import { type OpenSite, SITE, openSite } from '../browser/open-site.ts';
import { median } from './median.ts';

/** As a phone of the middle class is to the machine this runs on. */
const SLOWER = 4;
const ROUNDS = Number(process.env['SITE_SPEED_ROUNDS'] ?? 3);
/** As many as show whether it was the machine, which makes a round slower and none quicker. */
const MAX_ROUNDS = 3 * ROUNDS;
/** The first screen, and any other page that somebody may open first. */
const mostOf = (name: string): number => (name === 'home' ? 110_000 : 116_000);
const FIRST_PAINT_MS = 1500;
const INTERACTION_MS = 200;

const FIRST_PAINT = `performance.getEntriesByName('first-contentful-paint')[0]?.startTime`;
/**
 * From the key or click until what it changed is seen, as browsers measure it; in steps of 8 ms. An entry no longer knows
 * what was clicked once that is gone from the page, so that it is remembered by its time.
 */
const WATCH = `window.interactions = [];
  const clicked = new Map();
  const remember = ({ timeStamp, target }) => clicked.set(timeStamp, target);
  for (const name of ['pointerdown', 'pointerup', 'click', 'keydown', 'keypress', 'keyup', 'input'])
    addEventListener(name, remember, { capture: true, passive: true });
  const said = (target) => (target?.closest?.('a, button, input, summary') ?? target)?.cloneNode?.().outerHTML;
  new PerformanceObserver((list) => {
    for (const { interactionId, name, duration, startTime, processingStart, processingEnd } of list.getEntries())
      if (interactionId > 0) window.interactions.push({
        id: interactionId, name, duration, on: said(clicked.get(startTime)) ?? 'the page',
        waited: processingStart - startTime, handled: processingEnd - processingStart,
      });
  }).observe({ type: 'event', durationThreshold: 16, buffered: true });`;

/** One event of a key or click: what it was on, how long it waited for its turn, and what listens to it took. */
interface Interaction {
  id: number;
  name: string;
  on: string;
  duration: number;
  waited: number;
  handled: number;
}

describe('the site is fast', () => {
  let site: OpenSite;
  before(async () => {
    site = await openSite(fillSite, { browser: 'chromium' });
  });
  after(() => site?.[Symbol.asyncDispose]());

  for (const { name, path } of PAGES.filter(({ needsAccount }) => !needsAccount))
    test(`with at most ${mostOf(name) / 1000} kB of script on ${name}, before anything is done there`, async () => {
      // What a service worker hands out came over the wire before, and has no size there.
      await using listener = await site.listener({ serviceWorkers: 'block' });
      const loaded: Request[] = [];
      listener.page.on('requestfinished', (request) => void loaded.push(request));
      await openPage(listener.page, { path });
      const scripts = await Promise.all(loaded.filter(isScript).map(sizeOf));
      const bytes = scripts.reduce((sum, [, size]) => sum + size, 0);
      assert.ok(
        scripts.length > 1 && scripts.every(([, size]) => size > 0),
        `the sizes are not known: ${JSON.stringify(scripts)}`,
      );
      console.log(`${name}: ${bytes} bytes in ${scripts.length} scripts`);
      assert.ok(bytes <= mostOf(name), `${bytes} bytes: ${JSON.stringify(scripts)}`);
      assert.ok(!scripts.some(([file]) => file.startsWith('hls')), 'HLS is loaded without need');
    });

  for (const path of ['', `station/${STATION.id}`])
    test(`with something to see within 1.5 s at a quarter of the speed on /listen/${path}`, async () => {
      const times = await quickestRounds(FIRST_PAINT_MS, async () => {
        await using listener = await site.listener();
        await slowDown(listener.page);
        await listener.page.goto(SITE + path);
        await settled(listener.page);
        return await listener.page.evaluate<number>(FIRST_PAINT);
      });
      console.log(`first contentful paint of /listen/${path}: ${times.map(Math.round).join(', ')} ms`);
      assert.ok(median(times) < FIRST_PAINT_MS, `it took ${times.join(', ')} ms`);
    });

  test('and answers every key and click within 200 ms at a quarter of the speed', async () => {
    await using listener = await site.listener();
    const { page } = listener;
    await page.addInitScript(WATCH);
    await openPage(page, { path: '' });
    await slowDown(page);
    const slowest = await quickestRounds(INTERACTION_MS, () => useEverything(page));
    assert.ok(median(slowest) < INTERACTION_MS, `the slowest took ${slowest.join(', ')} ms`);
  });
});

/** Three rounds, and more where their median is too slow; the quickest three of them all. */
async function quickestRounds(mostMs: number, round: () => Promise<number>): Promise<number[]> {
  const times: number[] = [];
  const quickest = (): number[] => times.toSorted((one, other) => one - other).slice(0, ROUNDS);
  while (times.length < ROUNDS || (times.length < MAX_ROUNDS && median(quickest()) >= mostMs))
    times.push(await round());
  return quickest();
}

const fileOf = (request: Request): string => new URL(request.url()).pathname.split('/').at(-1) ?? '';
const isScript = (request: Request): boolean => fileOf(request).endsWith('.js');

/** What came over the wire of a script, by its name, as the browser's network tells it. */
async function sizeOf(request: Request): Promise<[file: string, bytes: number]> {
  const { responseBodySize } = await request.sizes();
  return [fileOf(request), responseBodySize];
}

async function slowDown(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  return session;
}

/** The longest that anything took of what a listener does on a first visit. */
async function useEverything(page: Page): Promise<number> {
  const search = page.getByRole('searchbox');
  await search.click();
  await page.keyboard.type('harbour', { delay: 60 });
  const results = page.locator('[data-query="harbour"]');
  await results.getByRole('link', { name: STATION.name, exact: true }).click();
  await page
    .getByRole('article')
    .getByRole('button', { name: `Play ${STATION.name}` })
    .click();
  const player = page.getByRole('region', { name: 'Player' });
  await player.getByRole('button', { name: 'Close the player' }).click();
  for (const summary of await page.locator('main details > summary').all()) await summary.click();
  await page.getByRole('banner').getByRole('link', { name: 'Browse' }).click();
  await settled(page);
  await page.getByRole('main').getByRole('link', { name: /Music/ }).first().click();
  await settled(page);
  await page.getByRole('banner').getByRole('link', { name: 'Longwave' }).click();
  await settled(page);
  const interactions = await page.evaluate<Interaction[]>('window.interactions.splice(0)');
  assert.ok(interactions.length > 5, 'what was done was not measured');
  const slowest = [...Map.groupBy(interactions, ({ id }) => id).values()]
    .map((events) => events.toSorted((one, other) => other.duration - one.duration))
    .toSorted(([one], [other]) => (other?.duration ?? 0) - (one?.duration ?? 0));
  const said = slowest.slice(0, 3).map(inWords);
  console.log([`of ${interactions.length} interactions the slowest:`, ...said].join('\n  '));
  return slowest[0]?.[0]?.duration ?? 0;
}

/** Tells whoever sees it fail where the time went; what is neither waiting nor handling is drawing. */
function inWords(events: readonly Interaction[]): string {
  const [{ duration, waited, on } = { duration: 0, waited: 0, on: '' }] = events;
  const handled = events.map(({ name, handled: ms }) => `${name} ${Math.round(ms)}`).join(', ');
  return `${duration} ms, of which waiting ${Math.round(waited)}, handling ${handled}: ${on.slice(0, 120)}`;
}
