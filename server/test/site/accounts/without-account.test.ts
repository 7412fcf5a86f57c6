import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { waitUntil } from '../../time/wait-until.ts';
import type { SiteAccount } from '../browser/account.ts';
import { violationsOf } from '../browser/axe.ts';
import { openPage } from '../browser/every-page.ts';
import { fillSite } from '../browser/fill-site.ts';
import { keyboardOf, keys, pointerOf } from '../browser/hand.ts';
import { pair, register } from '../browser/listeners-way.ts';
import { faultsInLooks } from '../browser/looks.ts';
import { type OpenSite, SITE, openSite } from '../browser/open-site.ts';
import { radioIn } from '../browser/radio.ts';

const AOIFE: SiteAccount = {
  username: 'aoife',
  email: 'aoife-without@mail.example',
  password: 'hearts before accounts 4',
};
const [FOLK, TOWN, JAZZ] = ['Harbour Folk', 'Town FM 97.9', 'Lantern Jazz'];
const REFUSE = `Object.defineProperty(IDBFactory.prototype, 'open', {
  value() { throw new DOMException('The operation is insecure.', 'SecurityError'); } });`;

const heart = (page: Page, name: string): Locator =>
  page.getByRole('main').getByRole('button', { name: `Save ${name} as a preset`, exact: true });
const heartOf = (page: Page, name: string): Locator =>
  page.getByRole('article').getByRole('button', { name });
const isPressed = async (target: Locator): Promise<boolean> =>
  (await target.getAttribute('aria-pressed')) === 'true';
const untilPressed = (target: Locator, wanted = true): Promise<true> =>
  waitUntil(
    `a heart that is ${wanted ? '' : 'not '}pressed`,
    async () => (await isPressed(target)) === wanted || undefined,
  );

/** In lists, where every row has a heart. */
async function saveThree(page: Page): Promise<void> {
  for (const name of [FOLK, JAZZ, TOWN]) {
    await openPage(page, { path: `search?q=${encodeURIComponent(name)}` });
    await heart(page, name).first().click();
    await untilPressed(heart(page, name).first());
  }
}

const untilKeys = (page: Page, wanted: readonly string[]): Promise<true> =>
  waitUntil(
    `the keys ${wanted.join(', ')}`,
    async () => (await keys(page)).join() === wanted.join() || undefined,
  );

describe('without an account', () => {
  let site: OpenSite;
  before(async () => {
    site = await openSite(fillSite);
  });
  after(() => site?.[Symbol.asyncDispose]());

  test('hearts last through a reload and without a network, and are on the radio after signing up', async () => {
    await using listener = await site.listener();
    const { page } = listener;
    await saveThree(page);
    await page.goto(`${SITE}presets`);
    await untilKeys(page, [FOLK, JAZZ, TOWN]);
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    await page.reload();
    await untilKeys(page, [FOLK, JAZZ, TOWN]);
    await page.context().setOffline(true);
    await page.goto(`${SITE}presets`);
    await untilKeys(page, [FOLK, JAZZ, TOWN]);
    // Another order, without a network.
    await keyboardOf(page).move(TOWN, FOLK);
    await untilKeys(page, [TOWN, FOLK, JAZZ]);
    await page.context().setOffline(false);
    await page.goto(`${SITE}presets`);
    await untilKeys(page, [TOWN, FOLK, JAZZ]);
    await page.getByRole('main').getByRole('link', { name: 'Create an account' }).click();
    await register({ page, hand: pointerOf(page) }, AOIFE);
    await page.getByText('Presets from this browser that are now in your account: 3').waitFor();
    await page.goto(`${SITE}presets`);
    await page.getByRole('button', { name: 'New folder' }).waitFor();
    await untilKeys(page, [TOWN, FOLK, JAZZ]);
    const radio = radioIn(site.served, 'radio-of-aoife');
    await page.goto(`${SITE}radios`);
    await pair({ page, hand: pointerOf(page) }, radio);
    const shown = await radio.presets();
    assert.deepEqual(
      shown.map((text) => [TOWN, FOLK, JAZZ].find((name) => text.includes(name))),
      [TOWN, FOLK, JAZZ],
    );
    assert.deepEqual(listener.complaints.all(), []);
  });

  test('signing in brings what is new after the presets of the account, and nothing twice', async () => {
    await using listener = await site.listener();
    const { page } = listener;
    for (const name of [JAZZ, 'Bayou Nights']) {
      await openPage(page, { path: `search?q=${encodeURIComponent(name)}` });
      await heart(page, name).first().click();
      await untilPressed(heart(page, name).first());
    }
    await page.goto(`${SITE}sign-in?next=%2Fpresets`);
    await page.getByLabel('User name').fill(AOIFE.username);
    await page.getByLabel('Password').fill(AOIFE.password);
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await untilKeys(page, [TOWN, FOLK, JAZZ, 'Bayou Nights']);
    // From now on hearts are the account's: one that is pressed on a page changes the list at once.
    await openPage(page, { path: 'station/s1' });
    const own = page.getByRole('article').getByRole('button', { name: 'In your presets' });
    await own.click();
    await page.getByRole('article').getByRole('button', { name: 'Add to presets' }).waitFor();
    await page.getByRole('banner').getByRole('link', { name: 'Presets' }).click();
    await untilKeys(page, [TOWN, JAZZ, 'Bayou Nights']);
  });

  test('a station or a show that is not there is named so in the tab too, and leads on', async () => {
    await using listener = await site.listener();
    const { page } = listener;
    for (const [path, title] of [
      ['station/s999999', 'No such station'],
      ['show/p999999', 'No such show'],
    ] as const) {
      await openPage(page, { path });
      await page.getByRole('heading', { name: title, level: 1 }).waitFor();
      assert.equal(await page.title(), `${title} · Longwave`);
      await page.getByRole('main').getByRole('link', { name: 'Go to the home page' }).click();
      await page.getByRole('heading', { name: 'Popular' }).first().waitFor();
    }
  });

  test('two tabs agree', async () => {
    await using listener = await site.listener();
    const { page } = listener;
    await openPage(page, { path: 'station/s1' });
    const other = await page.context().newPage();
    await openPage(other, { path: 'station/s1' });
    await page.getByRole('article').getByRole('button', { name: 'Add to presets' }).click();
    await other.getByRole('article').getByRole('button', { name: 'In your presets' }).waitFor();
    // Both save at once, and neither takes the other's away.
    await openPage(other, { path: 'station/s2' });
    await openPage(page, { path: 'station/s3' });
    await Promise.all([page, other].map((tab) => heartOf(tab, 'Add to presets').click()));
    await Promise.all([page, other].map((tab) => heartOf(tab, 'In your presets').waitFor()));
    await page.goto(`${SITE}presets`);
    await waitUntil('three keys', async () => (await keys(page)).length === 3 || undefined);
    assert.deepEqual((await keys(page)).toSorted(), [FOLK, JAZZ, TOWN].toSorted());
  });

  test('a browser that refuses to store says so, and works as long as the page is open', async () => {
    await using listener = await site.listener();
    const { page } = listener;
    await page.addInitScript(REFUSE);
    await openPage(page, { path: 'station/s1' });
    await page.getByRole('article').getByRole('button', { name: 'Add to presets' }).click();
    await page.getByRole('article').getByRole('button', { name: 'In your presets' }).waitFor();
    await page.getByRole('banner').getByRole('link', { name: 'Presets' }).click();
    await untilKeys(page, [FOLK]);
    await page.getByText('This browser stores nothing for this page').waitFor();
    assert.deepEqual(await violationsOf(page), []);
    assert.deepEqual(listener.complaints.all(), []);
  });

  for (const [name, view] of Object.entries({
    'in the light': { colorScheme: 'light' },
    'in the dark, on a phone': { colorScheme: 'dark', viewport: { width: 390, height: 844 }, hasTouch: true },
  } as const))
    test(`axe finds nothing, and keys do all of it, ${name}`, async () => {
      await using listener = await site.listener(view);
      const { page } = listener;
      const hand = keyboardOf(page);
      await openPage(page, { path: 'presets' });
      await page.getByText('Press the heart beside a station').waitFor();
      assert.deepEqual(await violationsOf(page), [], 'without presets');
      await openPage(page, { path: 'search?q=harbour' });
      await hand.press(heart(page, FOLK).first());
      await untilPressed(heart(page, FOLK).first());
      assert.deepEqual(await violationsOf(page), [], 'of hearts');
      await openPage(page, { path: 'station/s2' });
      await page.getByRole('article').getByRole('button', { name: 'Add to presets' }).click();
      // It says so once it is stored; a page that is left before has stored nothing.
      await page.getByRole('article').getByRole('button', { name: 'In your presets' }).waitFor();
      await openPage(page, { path: 'presets' });
      await untilKeys(page, [FOLK, TOWN]);
      assert.deepEqual(await violationsOf(page), [], 'with presets');
      assert.deepEqual(await faultsInLooks(page), []);
      await hand.press(page.getByRole('button', { name: `More about ${FOLK}` }));
      assert.deepEqual(await violationsOf(page), [], 'of the dialog');
      await hand.press(page.getByRole('dialog').getByRole('button', { name: 'Remove' }));
      await untilKeys(page, [TOWN]);
      await page.keyboard.press('Enter');
      await untilKeys(page, [FOLK, TOWN]);
      await openPage(page, { path: '' });
      await page.getByRole('heading', { name: 'Your presets' }).waitFor();
      assert.deepEqual(await violationsOf(page), [], 'of the home page');
      assert.deepEqual(await faultsInLooks(page), [], 'of the home page');
    });
});
