import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { waitUntil } from '../../time/wait-until.ts';
import { type SiteAccount, callApi, makeAccount } from '../browser/account.ts';
import { MAKER, fillSite } from '../browser/fill-site.ts';
import { keys, pointerOf } from '../browser/hand.ts';
import { pair } from '../browser/listeners-way.ts';
import { type Listener, type OpenSite, SITE, openSite } from '../browser/open-site.ts';
import { type Radio, radioIn } from '../browser/radio.ts';

const NIAMH: SiteAccount = {
  username: 'niamh',
  email: 'niamh-own@mail.example',
  password: 'a kettle on the hob 5',
};
const NEW_PASSWORD = 'a kettle off the hob 6';

describe('the pages of somebody’s own', () => {
  let site: OpenSite;
  let radio: Radio;
  let niamh: Listener;
  let page: Page;
  before(async () => {
    site = await openSite(fillSite);
    radio = radioIn(site.served, 'bedroom-radio-55aa');
    niamh = await site.listener();
    page = niamh.page;
    await makeAccount(page, NIAMH);
    for (const guideId of ['s1', 's3', 's2']) await callApi(page, 'POST', 'presets', { guideId });
    await page.goto(`${SITE}radios`);
    await pair({ page, hand: pointerOf(page) }, radio);
    await page.goto(`${SITE}presets`);
    await button('Move Harbour Folk').waitFor();
  });
  after(() => site?.[Symbol.asyncDispose]());

  const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
  const inDialog = (name: string): Locator =>
    page.getByRole('dialog').getByRole('button', { name, exact: true });
  const numbers = async (): Promise<string[]> => {
    const { body } = await callApi(page, 'GET', 'presets');
    const { folders }: { folders: { presets: { number: number; name: string }[] }[] } = JSON.parse(
      JSON.stringify(body),
    );
    return folders.flatMap(({ presets }) => presets.map(({ number, name }) => `${number} ${name}`));
  };

  test('a removed preset comes back on the very button it was on', async () => {
    await button('More about Lantern Jazz').click();
    await inDialog('Remove').click();
    await page.getByText('Lantern Jazz was removed.').waitFor();
    await waitUntil('two presets', async () => (await numbers()).length === 2 || undefined, 5000);
    assert.equal(
      await page.evaluate('document.activeElement.textContent'),
      'Undo',
      'the keyboard goes on there',
    );
    await page.keyboard.press('Enter');
    await waitUntil('three presets', async () => (await numbers()).length === 3 || undefined, 5000);
    assert.deepEqual(await numbers(), ['1 Harbour Folk', '2 Lantern Jazz', '3 Town FM 97.9']);
    await waitUntil(
      'it on the radio',
      async () => (await radio.presets())[1]?.includes('Lantern Jazz') || undefined,
      5000,
    );
  });

  test('a folder is made, filled with an address, and taken away', async () => {
    await button('New folder').click();
    await page.getByRole('dialog').getByLabel('Name').fill('Büro');
    await inDialog('Save').click();
    await page.getByRole('tab', { name: 'Büro', selected: true }).waitFor();
    await page.getByText('No presets yet').waitFor();
    await button('Add a stream URL').click();
    await page.getByRole('dialog').getByLabel('Stream URL').fill('http://stream.example.net/own');
    await page.getByRole('dialog').getByLabel('Name').fill('Own');
    await inDialog('Save').click();
    await button('More about Own').click();
    await inDialog('Move').click();
    await page.getByText('No presets yet').waitFor();
    await button('Delete folder').click();
    await inDialog('Delete folder').click();
    await page.getByRole('tab', { name: 'Büro' }).waitFor({ state: 'detached' });
    await button('Move Own').waitFor();
    assert.equal((await keys(page)).at(-1), 'Own');
  });

  test('a radio is renamed, unpaired and taken back', async () => {
    await page.goto(`${SITE}radios`);
    await page.getByRole('button', { name: /^Rename / }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Küche');
    await inDialog('Save').click();
    await page.getByRole('heading', { name: 'Küche' }).waitFor();
    await button('Unpair Küche').click();
    await button('Undo: Küche').waitFor();
    assert.deepEqual(await radio.presets(), [], 'it has forgotten them');
    await button('Undo: Küche').click();
    await button('Unpair Küche').waitFor();
    assert.equal((await radio.presets()).length, 4, 'it has them again');
  });

  test('the password for radios is shown once, and opens the account for a radio', async () => {
    await button('Create a new one').click();
    const password = await page.getByRole('status').locator('dd').last().innerText();
    assert.match(password, /^[!-~]{4,12}$/);
    const { post } = site.served;
    const sent = { c: 'auth', username: NIAMH.username, password, partnerId: MAKER, render: 'json' };
    assert.match(await post('/Account.ashx', sent), /"status": ?"200"/);
    await page.reload();
    await button('Create a new one').waitFor();
    assert.equal(await page.getByText(password).count(), 0);
  });

  test('an app gets a password that is shown once, and loses it', async () => {
    await page.goto(`${SITE}settings`);
    const apps = page.getByRole('region', { name: 'Apps', exact: true });
    await apps.getByLabel('Name of the app').fill('AntennaPod');
    await apps.getByRole('button', { name: 'Create a password' }).click();
    const password = await apps.getByRole('status').locator('dd').last().innerText();
    assert.match(password, /^(?:[a-z2-9]{5}-){3}[a-z2-9]{5}$/);
    await apps.getByRole('listitem').filter({ hasText: 'AntennaPod' }).waitFor();
    await page.reload();
    await apps.getByRole('button', { name: 'Remove AntennaPod' }).click();
    await apps.getByRole('listitem').waitFor({ state: 'detached' });
    assert.equal(await page.getByText(password).count(), 0);
  });

  test('settings are kept, and a wrong password is told apart', async () => {
    await page.goto(`${SITE}settings`);
    const section = (name: string): Locator => page.getByRole('region', { name, exact: true });
    const save = (name: string): Promise<void> => section(name).getByRole('button', { name: 'Save' }).click();
    await page.getByLabel('Current password').fill('not this one');
    await page.getByLabel('New password').fill(NEW_PASSWORD);
    await save('Password');
    await page.getByText('That password isn’t right.').waitFor();
    await page.getByLabel('Current password').fill(NIAMH.password);
    await save('Password');
    await section('Password').getByText('Saved.').waitFor();
    await page.getByRole('switch').click();
    await section('Time zone').getByRole('combobox').selectOption('Asia/Tokyo');
    await save('Time zone');
    await section('Time zone').getByText('Saved.').waitFor();
    const { body } = await callApi(page, 'GET', 'session');
    const { account }: { account: { zone: string; readByName: boolean } } = JSON.parse(JSON.stringify(body));
    assert.deepEqual([account.zone, account.readByName], ['Asia/Tokyo', false]);
  });

  test('an account is deleted by its name and password, and comes back by signing in', async () => {
    await button('Delete account').click();
    assert.ok(await inDialog('Delete account').isDisabled(), 'nothing was typed yet');
    await page.getByRole('dialog').getByLabel(/^Type/).fill('niamh');
    await page.getByRole('dialog').getByLabel('Password').fill(NEW_PASSWORD);
    await inDialog('Delete account').click();
    await page.getByText('Your account is deleted.').waitFor();
    await inDialog('Close').last().click();
    await page.getByText('Sign in to see this').waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('User name', { exact: true }).fill(NIAMH.username);
    await page.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${SITE}settings`);
    await page.getByText('Signed in as niamh').waitFor();
    assert.equal((await numbers()).length, 4);
  });

  test('who forgot the password is told whom to ask, where no mail is sent', async () => {
    await page.goto(`${SITE}forgotten`);
    await page.getByText('This site can’t send e-mail. Ask its operator').waitFor();
    await page.getByText('longwave account password NAME').waitFor();
    assert.equal(await page.getByRole('main').getByRole('textbox').count(), 0, 'nothing is pretended');
    assert.equal((await callApi(page, 'POST', 'forgotten', { who: NIAMH.username })).status, 503);
  });

  test('and nothing went wrong in the page', () => assert.deepEqual(niamh.complaints.all(), []));
});
