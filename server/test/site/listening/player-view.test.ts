import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { StationName } from '../../streams/stations.ts';
import { waitUntil } from '../../time/wait-until.ts';
import { violationsOf } from '../browser/axe.ts';
import { faultsInLooks, turnAround } from '../browser/looks.ts';
import { type Listener, PLAIN_SITE, SITE, openHeardSite } from '../browser/open-site.ts';
import { hasStatus, isPlaying, player } from '../browser/player.ts';
import { installMeter, isAudible } from '../browser/sound-meter.ts';

const SONG = { title: 'First Light', artist: 'The Example Duo' };
const VIEWS: Readonly<Record<string, BrowserContextOptions>> = {
  'on a desktop, in the light': { colorScheme: 'light' },
  'on a tablet, in the light': { colorScheme: 'light', viewport: { width: 820, height: 1180 } },
  'on a phone, in the dark': { colorScheme: 'dark', viewport: { width: 390, height: 844 }, hasTouch: true },
};

/** What the page tells the system, and the keys it takes. */
const WATCH_KEYS = `window.mediaKeys = {};
  const set = MediaSession.prototype.setActionHandler;
  MediaSession.prototype.setActionHandler = function (name, act) {
    window.mediaKeys[name] = act;
    return set.call(this, name, act);
  };`;
/** How many notes a page made by itself. */
const WATCH_NOTES = `window.notes = 0;
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...given) {
    window.notes += 1;
    return start.apply(this, given);
  };`;

describe('the player, opened', () => {
  let site: Awaited<ReturnType<typeof openHeardSite>>;
  before(async () => {
    site = await openHeardSite();
  });
  after(() => site?.[Symbol.asyncDispose]());

  for (const [name, view] of Object.entries(VIEWS))
    test(`has everything in its place ${name}`, async () => {
      await using listener = await open('Plain Harbour', view);
      const { page } = listener;
      await play(page, 'Plain Harbour');
      const dialog = await openView(page, 'Plain Harbour');
      for (const control of ['Pause', 'Add to presets', 'Share', 'Set alarm', 'Close'])
        await dialog.getByRole('button', { name: control, exact: true }).waitFor();
      await dialog.getByRole('combobox', { name: 'Sleep timer' }).waitFor();
      await dialog.getByText('a browser can’t wake a device that sleeps').waitFor();
      await dialog.getByRole('heading', { name: 'Recently played' }).waitFor();
      await picture(page, name);
      assert.deepEqual(await violationsOf(page), []);
      assert.deepEqual(await faultsInLooks(page), []);
      await turnAround(page);
      assert.deepEqual(await faultsInLooks(page), [], 'from right to left');
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await isAudible(page, 'behind it');
      assert.deepEqual(listener.complaints.all(), []);
    });

  test('is opened, used and closed by the keyboard alone, and gives the focus back', async () => {
    await using listener = await open('Plain Harbour');
    const { page } = listener;
    await play(page, 'Plain Harbour');
    await opener(page, 'Plain Harbour').focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await dialog.getByRole('button', { name: 'Pause', exact: true }).focus();
    await page.keyboard.press('Space');
    await hasStatus(page, 'paused');
    await dialog.getByRole('link', { name: 'Station page' }).focus();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    assert.match(
      await page.evaluate<string>('document.activeElement.getAttribute("aria-label") ?? ""'),
      /^Open the player/,
    );
  });

  test('shows the song, on the lock screen too, and what was heard before it', async () => {
    const { icecast } = site.farm;
    await icecast.setTitle('/mp3', `${SONG.artist} - ${SONG.title}`);
    await using listener = await open('Plain Harbour');
    const { page } = listener;
    await play(page, 'Plain Harbour');
    const shown = (): Promise<(string | undefined)[]> =>
      page.evaluate<(string | undefined)[]>(`(({ title, artist, album, artwork }) =>
        [title, artist, album, artwork.at(-1)?.src])(navigator.mediaSession.metadata)`);
    await waitUntil(
      'the song on the lock screen',
      async () => (await shown())[0] === SONG.title || undefined,
    );
    const logo = `/logos/${site.farm.idOf('Plain Harbour')}g.png`;
    const [, artist, album, art] = await shown();
    assert.deepEqual([artist, album, art?.endsWith(logo)], [SONG.artist, 'Plain Harbour', true]);
    const dialog = await openView(page, 'Plain Harbour');
    await dialog.getByText(SONG.title, { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Like this song' }).click();
    await icecast.setTitle('/mp3', 'The Others - Last Light');
    await dialog.getByText('Last Light', { exact: true }).waitFor({ timeout: 90_000 });
    await picture(page, 'with a song');
    const played = dialog.getByRole('listitem').filter({ hasText: SONG.title });
    assert.equal(
      await played.getByRole('button', { name: /^Like / }).getAttribute('aria-pressed'),
      'true',
      'what was liked while it was on',
    );
  });

  test('goes to the next preset and back, by media keys and by its own', async () => {
    await using listener = await open('Plain Harbour');
    const { page } = listener;
    await page.getByRole('article').getByRole('button', { name: 'Add to presets' }).click();
    await page.getByRole('article').getByRole('button', { name: 'In your presets' }).waitFor();
    await page.goto(`${PLAIN_SITE}station/${site.farm.idOf('Vorbis Harbour')}`);
    await play(page, 'Vorbis Harbour');
    assert.equal(await page.evaluate('window.mediaKeys.seekto'), null, 'a station cannot be wound');
    await page.evaluate('window.mediaKeys.nexttrack({})');
    await opener(page, 'Plain Harbour').waitFor();
    await isPlaying(page);
    await player(page).getByRole('button', { name: 'Save Plain Harbour as a preset' }).waitFor();
    await page.goto(`${PLAIN_SITE}station/${site.farm.idOf('Vorbis Harbour')}`);
    await page.getByRole('article').getByRole('button', { name: 'Add to presets' }).click();
    const dialog = await openView(page, 'Plain Harbour');
    await dialog.getByRole('button', { name: 'Next preset: Vorbis Harbour' }).click();
    // It is called by what it shows.
    await page.getByRole('dialog', { name: 'Vorbis Harbour' }).waitFor();
    await page.evaluate('window.mediaKeys.previoustrack({})');
    await page.getByRole('dialog', { name: 'Plain Harbour' }).waitFor();
  });

  test('copies a link to its station, and says so, by HTTPS and without', async () => {
    for (const base of [PLAIN_SITE, SITE]) {
      await using listener = await open(
        'Secure Harbour',
        { permissions: ['clipboard-read', 'clipboard-write'] },
        base,
      );
      const { page } = listener;
      const share = page.getByRole('article').getByRole('button', { name: 'Share' });
      await share.click();
      await page.getByRole('article').getByRole('button', { name: 'Link copied' }).waitFor();
      const search = page.getByRole('searchbox');
      await search.focus();
      await page.keyboard.press('Control+V');
      assert.equal(await search.inputValue(), `${base}station/${site.farm.idOf('Secure Harbour')}`);
    }
  });

  test('offers a similar station where one cannot be heard, and plays it', async () => {
    await using listener = await open('Dead Harbour');
    const { page } = listener;
    await page.getByRole('article').getByRole('button', { name: 'Play Dead Harbour' }).click();
    await player(page).getByText('No sound from this station yet.').waitFor();
    await picture(page, 'nothing heard');
    await player(page).getByRole('button', { name: 'Try a similar station' }).click();
    await player(page)
      .getByRole('button', { name: /^Open the player: (?!Dead Harbour)/ })
      .waitFor();
  });

  test('a similar station that is found late does not take the player from what was chosen meanwhile', async () => {
    await using listener = await open('Dead Harbour');
    const { page } = listener;
    const chosen = Promise.withResolvers<void>();
    await page.route(/Browse\.ashx.*recommendation/, async (route) => {
      await chosen.promise;
      return route.continue();
    });
    await page.getByRole('article').getByRole('button', { name: 'Play Dead Harbour' }).click();
    await player(page).getByText('No sound from this station yet.').waitFor();
    const answer = page.waitForResponse(/Browse\.ashx.*recommendation/);
    await player(page).getByRole('button', { name: 'Try a similar station' }).click();
    await page.getByRole('searchbox').fill('Plain Harbour');
    await page.getByRole('button', { name: 'Play Plain Harbour' }).first().click();
    await opener(page, 'Plain Harbour').waitFor();
    chosen.resolve();
    await (await answer).finished();
    await isPlaying(page);
    await isAudible(page, 'what was chosen');
    await opener(page, 'Plain Harbour').waitFor();
  });

  test('wakes with a station, after a reload too', async () => {
    await using listener = await open('Plain Harbour');
    const { page } = listener;
    await atNight(page);
    await play(page, 'Plain Harbour');
    await setAlarm(page, 'Plain Harbour');
    await player(page).getByRole('button', { name: 'Close the player' }).click();
    await page.reload();
    const note = page.getByRole('status').getByText('7:30: Plain Harbour');
    await note.waitFor();
    await picture(page, 'alarm set');
    // A click, without which a browser may keep the page silent.
    await page.getByRole('heading', { level: 1 }).click();
    await page.clock.fastForward('08:25:00');
    await note.waitFor();
    await page.clock.fastForward('05:30');
    const ringing = page.getByRole('dialog', { name: /7:30/ });
    await ringing.waitFor();
    await isAudible(page, 'the alarm');
    await picture(page, 'alarm rings');
    assert.deepEqual(await violationsOf(page), []);
    await ringing.getByRole('button', { name: '10 more minutes' }).click();
    await hasStatus(page, 'paused');
    await page.clock.fastForward('10:30');
    await isAudible(page, 'again');
    await page.getByRole('dialog', { name: /7:4\d/ }).getByRole('button', { name: 'Stop' }).click();
    await hasStatus(page, 'paused');
    assert.deepEqual(listener.complaints.all(), []);
  });

  test('wakes with a tone where the station fails', async () => {
    await using listener = await open('Dead Harbour');
    const { page } = listener;
    await atNight(page);
    await page.getByRole('article').getByRole('button', { name: 'Play Dead Harbour' }).click();
    await setAlarm(page, 'Dead Harbour');
    await player(page).getByRole('button', { name: 'Pause' }).click();
    assert.equal(await page.evaluate('window.notes'), 0);
    await page.clock.fastForward('08:30:10');
    await page.getByRole('dialog', { name: /7:30/ }).waitFor();
    for (let second = 0; second < 20; second++) await page.clock.fastForward(1000);
    await page.getByRole('dialog').getByText('so a tone plays instead').waitFor();
    assert.ok((await page.evaluate<number>('window.notes')) >= 2);
    await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
    const notes = await page.evaluate<number>('window.notes');
    await page.clock.fastForward(10_000);
    assert.equal(await page.evaluate<number>('window.notes'), notes);
  });

  test('says so where the alarm was slept through', async () => {
    await using listener = await open('Plain Harbour');
    const { page } = listener;
    await atNight(page);
    await play(page, 'Plain Harbour');
    await setAlarm(page, 'Plain Harbour');
    await page.clock.fastForward('10:00:00');
    await page.getByRole('alert').getByText('did not ring').waitFor();
    assert.equal(await page.getByRole('dialog').count(), 0);
  });

  async function open(
    name: StationName,
    view: BrowserContextOptions = {},
    base: string = PLAIN_SITE,
  ): Promise<Listener> {
    const listener = await site.listener(view);
    const { page } = listener;
    await installMeter(page);
    await page.addInitScript(WATCH_KEYS + WATCH_NOTES);
    await page.goto(`${base}station/${site.farm.idOf(name)}`);
    await page.getByRole('article').waitFor();
    return listener;
  }
});

const opener = (page: Page, name: StationName): Locator =>
  player(page).getByRole('button', { name: `Open the player: ${name}` });

async function play(page: Page, name: StationName): Promise<void> {
  await page
    .getByRole('article')
    .getByRole('button', { name: `Play ${name}` })
    .click();
  await isPlaying(page);
}

async function openView(page: Page, name: StationName): Promise<Locator> {
  await opener(page, name).click();
  const dialog = page.getByRole('dialog', { name });
  await dialog.waitFor();
  return dialog;
}

/** At eleven, by the clock of the page, which then goes on by itself. */
async function atNight(page: Page): Promise<void> {
  await page.clock.install({ time: new Date(2026, 10, 18, 23, 0) });
  await page.reload();
  await page.getByRole('article').waitFor();
}

async function setAlarm(page: Page, name: StationName): Promise<void> {
  const dialog = await openView(page, name);
  await dialog.getByLabel('Wake me at').fill('07:30');
  await dialog.getByRole('button', { name: 'Set alarm' }).click();
  await dialog.getByText(`7:30: ${name}`).waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
}

/** For whoever wants to look: `SITE_PICTURES=FOLDER`. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['SITE_PICTURES'];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name.replaceAll(/\W+/g, '-')}.png`) });
}
