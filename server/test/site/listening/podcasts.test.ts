import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { DIRECTORY } from '../../house/served-house.ts';
import { waitUntil } from '../../time/wait-until.ts';
import { type SiteAccount, callApi } from '../browser/account.ts';
import { violationsOf } from '../browser/axe.ts';
import { pointerOf } from '../browser/hand.ts';
import { register } from '../browser/listeners-way.ts';
import { faultsInLooks } from '../browser/looks.ts';
import { type Listener, PLAIN_SITE } from '../browser/open-site.ts';
import { hasStatus, player } from '../browser/player.ts';
import { type Episode, OTHER, type PodcastSite, TALES, openPodcast } from './podcast.ts';

const NORA: SiteAccount = {
  username: 'nora',
  email: 'nora-podcasts@mail.example',
  password: 'tales of four winters 7',
};
/** A sound of two seconds each, but the first one. */
const EPISODES: readonly Episode[] = [
  { title: 'The Long One', seconds: 90 },
  { title: 'The Eel', seconds: 2 },
  { title: 'The Net', seconds: 2 },
  { title: 'The Tide', seconds: 2 },
];
const LATEST: Episode = { title: 'The Storm', seconds: 2 };
const SPEED = 1.5;

/** What the one player of the page has played, and how. */
const WATCH = `window.heard = [];
  window.Audio = class extends Audio {
    constructor(...given) {
      super(...given);
      window.sound = this;
      // What stops to load more plays anew, and is still the same.
      let isHeard = false;
      this.addEventListener('loadstart', () => { isHeard = false; });
      this.addEventListener('playing', () => {
        if (!isHeard) window.heard.push([new URL(this.src).search.slice(1), this.playbackRate, this.preservesPitch]);
        isHeard = true;
      });
    }
  };`;

const section = (page: Page, name: string): Locator =>
  page
    .getByRole('main')
    .locator('section')
    .filter({ has: page.getByRole('heading', { name, exact: true, level: 2 }) });
const button = (page: Page, name: string): Locator =>
  page.getByRole('main').getByRole('button', { name, exact: true }).first();
const titles = (page: Page, name: string): Promise<string[]> =>
  section(page, name).locator('li h3 bdi').allInnerTexts();
const queued = (page: Page): Promise<string[]> => titles(page, 'Queue');
const untilQueue = (page: Page, wanted: readonly string[]): Promise<true> =>
  waitUntil(
    `the queue ${wanted.join(', ')}`,
    async () => (await queued(page)).join() === wanted.join() || undefined,
  );
const subscriptions = (page: Page): Promise<string[]> =>
  section(page, 'Subscriptions').getByRole('link').allInnerTexts();
const inMenu = (page: Page): Locator => page.getByRole('banner').getByRole('link', { name: /^Podcasts/ });
const heard = (page: Page): Promise<[part: string, speed: number, isPitchKept: boolean][]> =>
  page.evaluate('window.heard');

async function open(page: Page, path: string, heading: string): Promise<void> {
  await page.goto(PLAIN_SITE + path);
  const there = page.getByRole('heading', { name: heading, level: 1 });
  await there.waitFor().catch(async (error: unknown) => {
    throw new Error(`the page says: ${await page.locator('body').innerText()}`, { cause: error });
  });
}

describe('podcasts', () => {
  let site: PodcastSite;
  let listener: Listener;
  let page: Page;
  before(async () => {
    site = await openPodcast({ LEGACY_CREDENTIALS: 'allow' });
    await site.publish(EPISODES);
    listener = await site.listener();
    ({ page } = listener);
    await page.addInitScript(WATCH);
  });
  after(async () => {
    await listener?.[Symbol.asyncDispose]();
    await site?.[Symbol.asyncDispose]();
  });

  test('a show is subscribed to without an account, and lasts through a reload', async () => {
    await open(page, `show/${TALES.id}`, TALES.name);
    await button(page, 'Subscribe').click();
    await button(page, 'Subscribed').waitFor();
    await inMenu(page).click();
    await page.getByRole('heading', { name: 'Latest episodes' }).waitFor();
    await section(page, 'Latest episodes').getByText('The Tide').waitFor();
    await page.reload();
    await section(page, 'Latest episodes').getByText('The Tide').waitFor();
    assert.deepEqual(await subscriptions(page), [TALES.name]);
    assert.deepEqual(await titles(page, 'Latest episodes'), EPISODES.map(({ title }) => title).toReversed());
    assert.equal(await page.getByText('New', { exact: true }).count(), 0, 'what was there before is not new');
    assert.equal(await inMenu(page).innerText(), 'Podcasts');
  });

  test('an episode that the feed brings is counted in the menu until it is seen', async () => {
    await site.publish([...EPISODES, LATEST]);
    await page.goto(PLAIN_SITE);
    await inMenu(page).getByText('1 new').waitFor();
    await inMenu(page).click();
    const first = section(page, 'Latest episodes').getByRole('listitem').first();
    await first.getByText(LATEST.title).waitFor();
    await first.getByText('New', { exact: true }).waitFor();
    await waitUntil('a menu without a count', async () =>
      (await inMenu(page).innerText()) === 'Podcasts' ? true : undefined,
    );
    assert.ok(await first.getByText('New', { exact: true }).isVisible(), 'it stays marked while one looks');
    await page.reload();
    await first.getByText(LATEST.title).waitFor();
    assert.equal(await page.getByText('New', { exact: true }).count(), 0);
  });

  test('a queue is filled, put in another order by keyboard and pointer, and lasts through a reload', async () => {
    await open(page, `show/${TALES.id}`, TALES.name);
    await button(page, 'Add The Eel to the queue').click();
    await button(page, 'Add The Net to the queue').click();
    await inMenu(page).click();
    await untilQueue(page, ['The Eel', 'The Net']);
    await button(page, 'Add The Storm to the queue').click();
    await button(page, 'Play The Tide next').click();
    await untilQueue(page, ['The Tide', 'The Eel', 'The Net', 'The Storm']);
    await button(page, 'Move The Net').focus();
    await page.keyboard.press('Space');
    await page.getByText('The Net picked up. Position 3 of 4.').waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Space');
    await untilQueue(page, ['The Net', 'The Tide', 'The Eel', 'The Storm']);
    await pointerOf(page).move('The Eel', 'The Net');
    await untilQueue(page, ['The Eel', 'The Net', 'The Tide', 'The Storm']);
    await button(page, 'Remove The Storm from the queue').click();
    await untilQueue(page, ['The Eel', 'The Net', 'The Tide']);
    assert.deepEqual(await violationsOf(page), []);
    assert.deepEqual(await faultsInLooks(page), []);
    await page.reload();
    await untilQueue(page, ['The Eel', 'The Net', 'The Tide']);
  });

  test('a speed is kept for the show, and the needle goes back 15 and on 30 seconds', async () => {
    await button(page, 'Play The Long One').click();
    await hasStatus(page, 'playing');
    await player(page).getByRole('combobox', { name: 'Playback speed' }).selectOption(String(SPEED));
    await waitUntil('the speed', async () =>
      (await page.evaluate('window.sound.playbackRate')) === SPEED ? true : undefined,
    );
    const at = (): Promise<number> => page.evaluate('window.sound.currentTime');
    await player(page).getByRole('button', { name: 'Pause' }).click();
    await hasStatus(page, 'paused');
    const left = await at();
    await player(page).getByRole('button', { name: 'Forward 30 seconds' }).click();
    assert.ok(Math.abs((await at()) - left - 30) < 1, `from ${left} on to ${await at()}`);
    await player(page).getByRole('button', { name: 'Back 15 seconds' }).click();
    assert.ok(Math.abs((await at()) - left - 15) < 1, `from ${left} back to ${await at()}`);
    await page.reload();
    await page
      .getByText(/min left/)
      .first()
      .waitFor();
    await untilQueue(page, ['The Eel', 'The Net', 'The Tide']);
  });

  test('a queue of three plays through by itself, at the speed of the show, and each is played then', async () => {
    await page.evaluate('window.heard = []');
    await button(page, 'Play The Eel').click();
    await waitUntil('the last one', async () => (await heard(page)).length >= 3 || undefined, 60_000);
    await waitUntil('the end of the queue', async () => (await queued(page)).length === 0 || undefined);
    // As in the feed, where The Eel is the second.
    assert.deepEqual(await heard(page), [
      ['1', SPEED, true],
      ['2', SPEED, true],
      ['3', SPEED, true],
    ]);
    await hasStatus(page, 'paused');
    await open(page, `show/${TALES.id}`, TALES.name);
    const episodes = section(page, 'Episodes').getByRole('listitem');
    await episodes.first().waitFor();
    const played = await episodes.filter({ hasText: 'Played' }).locator('h3 bdi').allInnerTexts();
    assert.deepEqual(played, ['The Tide', 'The Net', 'The Eel']);
  });

  test('after signing up all is there once, and a podcast app has the same list', async () => {
    await open(page, 'podcasts', 'Podcasts');
    await page.getByRole('main').getByRole('link', { name: 'Create an account' }).click();
    await register({ page, hand: pointerOf(page) }, NORA);
    await page.getByText('Presets from this browser that are now in your account: 1').waitFor();
    await open(page, 'podcasts', 'Podcasts');
    await page.getByText('Podcast apps such as AntennaPod').waitFor();
    await section(page, 'Latest episodes').getByText(LATEST.title).waitFor();
    assert.deepEqual(await subscriptions(page), [TALES.name]);
    assert.equal(await section(page, 'Latest episodes').getByRole('listitem').count(), EPISODES.length + 1);
    const { body } = await callApi(page, 'POST', 'apps', { app: 'AntennaPod' });
    const { password } = Object.assign({ password: '' }, body);
    const app = async (...args: string[]): Promise<unknown> =>
      JSON.parse(await site.served.house.run('curl', ['-fsS', '-u', `nora:${password}`, ...args]));
    const list = `http://${DIRECTORY}/subscriptions/nora/phone.json`;
    const changes = `http://${DIRECTORY}/api/2/subscriptions/nora/phone.json`;
    assert.deepEqual(await app(list), [TALES.feed]);
    await app('-d', JSON.stringify({ add: [OTHER.feed], remove: [] }), changes);
    await page.reload();
    await section(page, 'Subscriptions').getByText(OTHER.name).waitFor();
    assert.deepEqual(await subscriptions(page), [TALES.name, OTHER.name]);
    await section(page, 'Subscriptions')
      .getByRole('button', { name: `Subscribe to ${TALES.name}`, exact: true })
      .click();
    await waitUntil('one subscription', async () => (await subscriptions(page)).length === 1 || undefined);
    assert.deepEqual(await app(list), [OTHER.feed]);
    assert.deepEqual(listener.complaints.all(), []);
  });
});
