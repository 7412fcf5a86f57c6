import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { BrowserContextOptions } from 'playwright-core';
import { type SiteAccount, signedInState } from '../browser/account.ts';
import { violationsOf } from '../browser/axe.ts';
import { PAGES, openPage, settled } from '../browser/every-page.ts';
import { enlarge, faultsInLooks, turnAround } from '../browser/looks.ts';
import { STATION, fillSite } from '../browser/fill-site.ts';
import { type Listener, type OpenSite, SITE, openSite } from '../browser/open-site.ts';

const DARA: SiteAccount = {
  username: 'dara',
  email: 'dara-axe@mail.example',
  password: 'seen by every reader 5',
};
const VIEWS: Readonly<Record<string, BrowserContextOptions>> = {
  'in the light': { colorScheme: 'light' },
  'in the dark, on a phone': { colorScheme: 'dark', viewport: { width: 390, height: 844 }, hasTouch: true },
};

/** One of everything that must not be. */
const SPOIL = `
  const add = (text, style) => Object.assign(document.querySelector('main').appendChild(document.createElement('p')),
    { textContent: text }).style.cssText = style;
  add('Pale', 'color: #eee; background: #fff');
  add('Hello {name}', '');
  add('Under', 'margin-bottom: -1.5em');
  add('Over', '');
  add('Wide', 'width: 3000px');
  add('A long text that does not fit at all', 'width: 60px; overflow: hidden; white-space: nowrap');`;

describe('axe finds nothing, and nothing overlaps or is cut', () => {
  let site: OpenSite;
  const listeners: Record<string, { somebody: Listener; member: Listener }> = {};
  before(async () => {
    site = await openSite(fillSite);
    const storageState = await signedInState(site, DARA);
    for (const [name, view] of Object.entries(VIEWS))
      listeners[name] = {
        somebody: await site.listener(view),
        member: await site.listener({ ...view, storageState }),
      };
  });
  after(() => site?.[Symbol.asyncDispose]());

  test('but what is wrong would be found', async () => {
    await using listener = await site.listener();
    await openPage(listener.page, { path: 'sign-in' });
    await listener.page.evaluate(SPOIL);
    const violations = await violationsOf(listener.page);
    assert.ok(
      violations.some((line) => line.startsWith('color-contrast')),
      violations.join('\n'),
    );
    const faults = await faultsInLooks(listener.page);
    for (const kind of ['the page is', 'an unfinished word', 'cut:', 'on each other'])
      assert.ok(
        faults.some((line) => line.startsWith(kind)),
        `${kind} is not among ${faults.join('\n')}`,
      );
  });

  for (const name of Object.keys(VIEWS)) {
    for (const sitePage of PAGES)
      test(`on ${sitePage.name} ${name}`, async () => {
        const { page } = sitePage.needsAccount ? listeners[name]!.member : listeners[name]!.somebody;
        await openPage(page, sitePage);
        assert.deepEqual(await violationsOf(page), []);
        assert.deepEqual(await faultsInLooks(page), []);
        await turnAround(page);
        assert.deepEqual(await faultsInLooks(page), [], 'from right to left');
        await enlarge(page, 2);
        assert.deepEqual(await faultsInLooks(page), [], 'from right to left, with text of twice the size');
        await enlarge(page, 1);
      });

    test(`with everything opened that can be, ${name}`, async () => {
      const { page } = listeners[name]!.member;
      await openPage(page, { path: `station/${STATION.id}` });
      const closed = page.locator('main details:not([open]) > summary');
      while ((await closed.count()) > 0) await closed.first().click();
      await page
        .getByRole('article')
        .getByRole('button', { name: `Play ${STATION.name}` })
        .click();
      await page.getByRole('region', { name: 'Player' }).waitFor();
      await settled(page);
      assert.deepEqual(await violationsOf(page), [], 'of a station');
      await page.goto(`${SITE}presets`);
      for (const dialog of ['Add a stream URL', 'Import', 'Export', 'New folder', 'Rename folder']) {
        await page.getByRole('button', { name: dialog, exact: true }).click();
        await page.getByRole('dialog').waitFor();
        assert.deepEqual(await violationsOf(page), [], `of the dialog ${dialog}`);
        await page.keyboard.press('Escape');
      }
    });
  }
});
