import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type SiteAccount, callApi, makeAccount } from '../browser/account.ts';
import { fillSite } from '../browser/fill-site.ts';
import { keys, pointerOf } from '../browser/hand.ts';
import { signOut } from '../browser/listeners-way.ts';
import { type Listener, type OpenSite, SITE, openSite } from '../browser/open-site.ts';

const MAEVE: SiteAccount = {
  username: 'maeve',
  email: 'maeve-offline@mail.example',
  password: 'no line to the island 8',
};
const SAVED = ['Harbour Folk', 'Town FM 97.9'];

describe('without a network', () => {
  let site: OpenSite;
  let maeve: Listener;
  before(async () => {
    site = await openSite(fillSite);
    maeve = await site.listener();
    const { page } = maeve;
    await makeAccount(page, MAEVE);
    for (const guideId of ['s1', 's2']) await callApi(page, 'POST', 'presets', { guideId });
    await page.goto(`${SITE}presets`);
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    // From its second opening on the page is the worker's.
    await page.reload();
    await page.getByRole('button', { name: 'Move Harbour Folk', exact: true }).waitFor();
  });
  after(() => site?.[Symbol.asyncDispose]());

  test('the site opens, and shows the presets as they were last seen', async () => {
    const { page } = maeve;
    await page.context().setOffline(true);
    await page.goto(`${SITE}presets`);
    await page.getByRole('button', { name: 'Move Harbour Folk', exact: true }).waitFor();
    assert.deepEqual(await keys(page), SAVED);
    await page.context().setOffline(false);
  });

  test('whoever has signed out leaves none behind', async () => {
    const { page } = maeve;
    await page.goto(`${SITE}presets`);
    await signOut({ page, hand: pointerOf(page) });
    await page.context().setOffline(true);
    await page.goto(`${SITE}presets`);
    await page.getByRole('main').getByRole('heading').first().waitFor();
    assert.equal(await page.getByText('Harbour Folk').count(), 0);
    await page.context().setOffline(false);
  });
});
