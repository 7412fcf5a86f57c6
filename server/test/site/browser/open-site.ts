import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Pool } from 'pg';
import type { HouseOptions } from '../../house/house.ts';
import { DIRECTORY, type ServedHouse, serveHouse } from '../../house/served-house.ts';
import { type Farm, openFarm } from '../../streams/farm.ts';
import { secureCertFile } from '../../streams/town.ts';
import { ensureBuilt } from './built-site.ts';
import { type BrowserProgram, openBrowser } from './open-browser.ts';
import { type Complaints, watchPage } from './watch-page.ts';

/** By HTTPS, as the site is meant to be read. */
export const SITE = `https://${DIRECTORY}/listen/`;
/** By plain HTTP, as at home, where stations by plain HTTP are heard too. */
export const PLAIN_SITE = `http://${DIRECTORY}/listen/`;

export interface Listener extends AsyncDisposable {
  page: Page;
  /** What went wrong in the page so far: nothing should. */
  complaints: Complaints;
}

/** The whole service with its built site in a house, and Chromium in the same house. */
export interface OpenSite extends AsyncDisposable {
  served: ServedHouse;
  browser: Browser;
  /** A listener of their own, who shares nothing with the others: cookies, what is kept, theme. */
  listener(options?: BrowserContextOptions): Promise<Listener>;
}

interface SiteOptions {
  env?: NodeJS.ProcessEnv;
  house?: HouseOptions;
  /** Tests that hear something, look at the map or measure need the whole Chromium. */
  browser?: BrowserProgram;
}

/** With the seeded directory and whatever more is put in it. */
export async function openSite(
  fill?: (pool: Pool) => Promise<void>,
  { browser = 'chromium-headless-shell', ...options }: SiteOptions = {},
): Promise<OpenSite> {
  await ensureBuilt();
  const served = await serveHouse(fill, options);
  return withBrowser(served, [served.certFile], browser);
}

/** With stations that are heard: real Icecast, Shoutcast and HLS. */
export async function openHeardSite(env?: NodeJS.ProcessEnv): Promise<OpenSite & { farm: Farm }> {
  await ensureBuilt();
  const farm = await openFarm(env ? { env } : {});
  return { ...(await withBrowser(farm, [farm.certFile, secureCertFile(farm.house)], 'chromium')), farm };
}

async function withBrowser(
  served: ServedHouse,
  certFiles: readonly string[],
  program: BrowserProgram,
): Promise<OpenSite> {
  await using opened = new AsyncDisposableStack();
  opened.use(served);
  const browser = await openBrowser(served.house, certFiles, program);
  opened.defer(() => browser.close());
  const kept = opened.move();
  return {
    served,
    browser,
    listener: (options) => newListener(browser, options),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

async function newListener(browser: Browser, options: BrowserContextOptions = {}): Promise<Listener> {
  const context = await browser.newContext({
    locale: 'en-GB',
    viewport: { width: 1280, height: 800 },
    ...options,
  });
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  const complaints = await watchPage(page);
  return { page, complaints, [Symbol.asyncDispose]: () => context.close() };
}
