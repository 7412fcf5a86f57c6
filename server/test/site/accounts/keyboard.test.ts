import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { SiteAccount } from '../browser/account.ts';
import { fillSite, STATION } from '../browser/fill-site.ts';
import { keyboardOf, keys } from '../browser/hand.ts';
import {
  exportOpml,
  importText,
  openPresets,
  pair,
  register,
  reorder,
  signOut,
} from '../browser/listeners-way.ts';
import type { Walker } from '../browser/listeners-way.ts';
import { type Listener, type OpenSite, SITE, openSite } from '../browser/open-site.ts';
import { radioIn } from '../browser/radio.ts';

const CIARA: SiteAccount = {
  username: 'ciara',
  email: 'ciara-keys@mail.example',
  password: 'no mouse in the house 3',
};
const SERIAL = { serial: 'bedside-radio-21bc' };

describe("a listener's way by the keyboard alone", () => {
  let site: OpenSite;
  let listener: Listener;
  let walker: Walker;
  before(async () => {
    site = await openSite(fillSite);
    listener = await site.listener();
    walker = { page: listener.page, hand: keyboardOf(listener.page) };
  });
  after(() => site?.[Symbol.asyncDispose]());

  test('skips the header to the content', async () => {
    const { page } = listener;
    await page.goto(SITE);
    // Nobody tabs before there is anything to tab to.
    await page.getByRole('main').getByRole('button').first().waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    assert.ok(await page.evaluate(`document.querySelector('main').contains(document.activeElement)`));
  });

  test('searches, hears the first that is found by an arrow and Enter, and goes back', async () => {
    const { page, hand } = walker;
    await page.goto(SITE);
    await page.getByRole('searchbox').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('harbour folk');
    // The page that is left has the station too.
    await page.getByRole('heading', { name: /harbour folk/, level: 1 }).waitFor();
    await page
      .getByRole('main')
      .getByRole('button', { name: `Play ${STATION.name}`, exact: true })
      .waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const player = page.getByRole('region', { name: 'Player' });
    await player.getByText(STATION.name).waitFor();
    await page.keyboard.press('ArrowUp');
    assert.equal(await page.evaluate('document.activeElement.type'), 'search');
    await hand.press(player.getByRole('button', { name: 'Close the player' }));
    await player.waitFor({ state: 'detached' });
  });

  test('opens a station, whose page is then read from its top', async () => {
    const { page, hand } = walker;
    await hand.press(page.getByRole('main').getByRole('link', { name: STATION.name, exact: true }));
    await page.getByRole('heading', { name: STATION.name, exact: true, level: 1 }).waitFor();
    assert.equal(await page.evaluate('document.activeElement.id'), 'content');
  });

  test('registers, pairs a radio, has its presets and puts them in order', async () => {
    const radio = radioIn(site.served, SERIAL.serial);
    for (const id of ['s1', 's3', 's2']) await radio.save(id);
    await listener.page.goto((await radio.presetsLink()).replace('http:', 'https:'));
    await register(walker, CIARA);
    await pair(walker, radio);
    await openPresets(walker);
    await reorder(walker, radio, ['Town FM 97.9', 'Harbour Folk']);
    assert.deepEqual(await keys(listener.page), ['Town FM 97.9', 'Harbour Folk', 'Lantern Jazz']);
  });

  test('leaves a key where it was', async () => {
    const { page } = listener;
    const was = await keys(page);
    await page.getByRole('button', { name: 'Move Harbour Folk' }).focus();
    for (const key of ['Space', 'ArrowRight', 'Escape']) await page.keyboard.press(key);
    await page.getByText('Harbour Folk stays at position 2').waitFor();
    assert.deepEqual(await keys(page), was);
  });

  test('exports, imports and signs out', async () => {
    const opml = await exportOpml(walker);
    await importText(walker, opml);
    await signOut(walker);
  });

  test('and nothing went wrong in the page', () => assert.deepEqual(listener.complaints.all(), []));
});
