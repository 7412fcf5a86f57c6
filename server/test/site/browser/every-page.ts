import type { Page } from 'playwright-core';
import { waitUntil } from '../../time/wait-until.ts';
import { SHOW, STATION } from './fill-site.ts';
import { SITE } from './open-site.ts';

export interface SitePage {
  name: string;
  /** Beneath the site's own address. */
  path: string;
  /** What is on it for who is signed in. */
  needsAccount?: true;
}

/** One of every kind. */
export const PAGES: readonly SitePage[] = [
  { name: 'home', path: '' },
  { name: 'browse', path: 'browse?c=music' },
  { name: 'search', path: 'search?q=harbour' },
  { name: 'station', path: `station/${STATION.id}` },
  { name: 'show', path: `show/${SHOW.id}` },
  { name: 'podcasts', path: 'podcasts' },
  { name: 'map', path: 'map' },
  { name: 'suggest', path: 'suggest' },
  { name: 'sign-in', path: 'sign-in' },
  { name: 'register', path: 'register' },
  { name: 'forgotten', path: 'forgotten' },
  { name: 'new-password', path: `new-password#niamh.${'x'.repeat(43)}` },
  { name: 'presets', path: 'presets', needsAccount: true },
  { name: 'subscriptions', path: 'podcasts', needsAccount: true },
  { name: 'radios', path: 'radios', needsAccount: true },
  { name: 'settings', path: 'settings', needsAccount: true },
  { name: 'operator', path: 'operator', needsAccount: true },
  { name: 'not-found', path: 'no/such/page' },
];

export async function openPage(page: Page, { path }: { path: string }): Promise<void> {
  await page.goto(SITE + path);
  await settled(page);
}

const IS_SETTLED = `!document.querySelector('main [data-slow]') && document.fonts.status === 'loaded'`;

/** Until the page has its heading and nothing in it is on its way, twice in a row: what came last may ask in turn. */
export async function settled(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor();
  let looks = 0;
  await waitUntil('a settled page', async () => {
    looks = (await page.evaluate<boolean>(IS_SETTLED)) ? looks + 1 : 0;
    return looks > 2 || undefined;
  });
}
