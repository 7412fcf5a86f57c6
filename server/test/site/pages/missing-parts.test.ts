import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { settled } from '../browser/every-page.ts';
import { fillSite } from '../browser/fill-site.ts';
import { type OpenSite, SITE, openSite } from '../browser/open-site.ts';

/** A service worker would have some of the files. */
const WITHOUT_WORKER = { serviceWorkers: 'block' } as const;

describe('a part of the site that did not come', () => {
  let site: OpenSite;
  before(async () => {
    site = await openSite(fillSite);
  });
  after(() => site?.[Symbol.asyncDispose]());

  test('is there with its styles once there is a network again, and nothing else begins anew', async () => {
    await using listener = await site.listener(WITHOUT_WORKER);
    const { page } = listener;
    await openHome(page);
    await page.context().setOffline(true);
    await follow(page, 'Podcasts');
    await page.getByRole('main').getByText('We can’t reach Longwave').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('heading', { name: 'No podcasts yet' }).waitFor();
    assert.equal(await sheetsMissing(page), 0);
    assert.equal(await page.evaluate('window.isTheSame'), true);
  });

  test('is asked for again when its link is pressed again', async () => {
    await using listener = await site.listener(WITHOUT_WORKER);
    const { page } = listener;
    await openHome(page);
    await page.route(/assets\/Podcasts-/, (route) => route.abort());
    await follow(page, 'Podcasts');
    await page.getByRole('alert').waitFor();
    await page.unroute(/assets\/Podcasts-/);
    await follow(page, 'Browse');
    await page.getByRole('heading', { name: 'Browse', level: 1 }).waitFor();
    await follow(page, 'Podcasts');
    await page.getByRole('heading', { name: 'No podcasts yet' }).waitFor();
    assert.equal(await sheetsMissing(page), 0);
    assert.equal(await page.evaluate('window.isTheSame'), true);
  });

  test('opens the site anew on request where there is a network, as after an update of the site', async () => {
    await using listener = await site.listener(WITHOUT_WORKER);
    const { page } = listener;
    await openHome(page);
    await page.route(/assets\/Podcasts-/, (route) => route.fulfill({ status: 404 }));
    await follow(page, 'Podcasts');
    const again = page.getByRole('button', { name: 'Try again' });
    await again.waitFor();
    await page.unroute(/assets\/Podcasts-/);
    await again.click();
    await page.getByRole('heading', { name: 'No podcasts yet' }).waitFor();
    assert.notEqual(await page.evaluate('window.isTheSame'), true);
  });

  test('leaves the page and the player standing where it is the opened player', async () => {
    await using listener = await site.listener(WITHOUT_WORKER);
    const { page } = listener;
    await openHome(page);
    await page
      .getByRole('main')
      .getByRole('button', { name: /^Play / })
      .first()
      .click();
    const open = page.getByRole('button', { name: /^Open the player/ });
    await open.waitFor();
    await page.context().setOffline(true);
    await open.click();
    await page.getByRole('region', { name: 'Player' }).getByText('We can’t reach Longwave').waitFor();
    assert.ok(await page.getByRole('heading', { name: 'Popular' }).first().isVisible());
    await page.context().setOffline(false);
    await page.getByRole('dialog').waitFor();
    assert.equal(await sheetsMissing(page), 0);
    assert.deepEqual(listener.complaints.all(), []);
  });
});

async function openHome(page: Page): Promise<void> {
  await page.goto(SITE);
  await settled(page);
  await page.evaluate('window.isTheSame = true');
}

const follow = (page: Page, name: string): Promise<void> =>
  page.getByRole('banner').getByRole('link', { name, exact: true }).click();

const sheetsMissing = (page: Page): Promise<number> =>
  page.evaluate<number>(
    `[...document.querySelectorAll('link[rel=stylesheet]')].filter(({ sheet }) => !sheet).length`,
  );
