import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Frame, Page, Request } from 'playwright-core';
import { waitUntil } from '../../time/wait-until.ts';
import { SITE, openHeardSite } from '../browser/open-site.ts';

// The player in other people's pages: a page of another origin frames it.

const ORIGIN = new URL(SITE).origin;
/** Of nobody here; its pages are made up in the browser. */
const BLOG = 'https://blog.example.org/';
const NAME = 'Secure Harbour';
const MAX_BYTES = 16_000;

/** A browser that keeps nothing for framed pages denies them even the look. */
const COUNT_KEPT = `(() => { try { return localStorage.length + sessionStorage.length; } catch { return 0; } })()`;

async function frameIn(page: Page, address: string): Promise<Frame | undefined> {
  const body = `<!doctype html><title>A blog</title><iframe src="${address}" width="360" height="98"></iframe>`;
  // The house is at loopback for Chromium, and the blog is not: it would ask the visitor first.
  await page.context().grantPermissions(['local-network-access']);
  await page.route(`${BLOG}**`, (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.goto(BLOG);
  return page.frames()[1];
}

describe('a station in another page', () => {
  let site: Awaited<ReturnType<typeof openHeardSite>>;
  let id: string;
  before(async () => {
    site = await openHeardSite();
    id = site.farm.idOf(NAME);
  });
  after(() => site?.[Symbol.asyncDispose]());

  test('is framed as the only page of the site', async () => {
    await using guest = await site.listener();
    const shown = await frameIn(guest.page, `${ORIGIN}/embed/${id}`);
    await shown?.getByRole('heading', { name: NAME }).waitFor();
    assert.equal(await shown?.getByRole('link', { name: NAME }).getAttribute('href'), `${SITE}station/${id}`);
    assert.deepEqual(guest.complaints.all(), []);
    for (const path of ['', `station/${id}`, 'browse?c=music', 'settings']) {
      await using other = await site.listener();
      const refused = await frameIn(other.page, SITE + path);
      await waitUntil(
        `a refusal of ${path}`,
        async () => refused?.url().startsWith('chrome-error:') || undefined,
      );
    }
  });

  test('knows nobody, keeps nothing, and is light', async () => {
    await using guest = await site.listener();
    const asked: string[] = [];
    const finished: Request[] = [];
    guest.page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    guest.page.on('requestfinished', (request) => finished.push(request));
    const shown = await frameIn(guest.page, `${ORIGIN}/embed/${id}`);
    await shown?.getByRole('button', { name: `Play ${NAME}` }).click();
    await waitUntil('a tuning call', async () => asked.includes('/Tune.ashx') || undefined);
    assert.deepEqual(await guest.page.context().cookies(), []);
    assert.equal(await shown?.evaluate(COUNT_KEPT), 0);
    assert.deepEqual(
      asked.filter((path) => path.startsWith('/listen/') && !path.startsWith('/listen/assets/')),
      [],
    );
    // Asked at the end: nobody would hear of a failure where one finishes while the page is closed.
    const sizes = await Promise.all(
      finished.filter((request) => !request.url().includes('/logos/')).map((request) => request.sizes()),
    );
    const bytes = sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0);
    assert.ok(bytes > 1000 && bytes < MAX_BYTES, `${bytes} bytes`);
  });

  test('has the theme that it is told, and speaks the language of its address', async () => {
    await using guest = await site.listener({ colorScheme: 'light' });
    const ground = async (query: string): Promise<unknown> => {
      await guest.page.goto(`${ORIGIN}/embed/${id}${query}`);
      return guest.page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
    };
    assert.equal(await ground(''), 'rgb(250, 247, 242)');
    assert.equal(await ground('?theme=dark'), 'rgb(20, 19, 15)');
    await guest.page.goto(`${ORIGIN}/embed/${id}?lang=de`);
    assert.equal(await guest.page.locator('html').getAttribute('lang'), 'de');
  });

  test('comes from code on its own page', async () => {
    await using guest = await site.listener();
    await guest.page.goto(`${SITE}station/${id}`);
    await guest.page.getByText('Put this station on your website').click();
    const code = await guest.page.getByLabel('Paste this code into your page').inputValue();
    assert.ok(code.includes(`src="${ORIGIN}/embed/${id}"`) && code.includes(`title="${NAME}"`), code);
  });

  test('is heard from the press of its button until the next', async () => {
    await using guest = await site.listener();
    const shown = await frameIn(guest.page, `${ORIGIN}/embed/${id}`);
    await shown?.getByRole('button', { name: `Play ${NAME}` }).click();
    const button = shown?.locator('button[data-status="playing"]');
    await button?.waitFor({ timeout: 30_000 });
    await shown?.getByRole('button', { name: 'Pause' }).click();
    await shown?.locator('button[data-status="paused"]').waitFor();
    assert.deepEqual(guest.complaints.all(), []);
  });
});
