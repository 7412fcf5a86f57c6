import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import type { StationName } from '../../streams/stations.ts';
import { waitUntil } from '../../time/wait-until.ts';
import { freeze } from './freeze.ts';
import { type Listener, PLAIN_SITE, openHeardSite } from '../browser/open-site.ts';
import { hasStatus, isPlaying, player } from '../browser/player.ts';
import { installMeter, interruptions, isAudible, listen } from '../browser/sound-meter.ts';

/** Longer than the browser has sound in store and the player is patient with everything there is, by the clock of the page. */
const GAP_MS = 25_000;
const MAX_MS = 120_000;
/** The player waits half a minute, and nobody else has to: the clock of the page is put forward by so much at a time. */
const STEP_MS = 1000;
const LOOK_MS = 100;

describe('a line that is gone for a while', () => {
  let site: Awaited<ReturnType<typeof openHeardSite>>;
  let listener: Listener;
  before(async () => {
    site = await openHeardSite();
  });
  after(() => site?.[Symbol.asyncDispose]());
  afterEach(() => listener?.[Symbol.asyncDispose]());

  test('is waited for: a station with one stream is heard again', async () => {
    const page = await play('Plain Harbour');
    await using frozen = await freeze(site.farm.house, 'icecast2 -c');
    await saysThatItTries(page);
    await frozen.thaw();
    await isHeardAgain(page, 'Plain Harbour');
  });

  test('is waited for, directory and all, and none of the streams is blamed for it', async () => {
    const page = await play('Either Harbour');
    const { house } = site.farm;
    await using streams = await freeze(house, 'icecast2 -c');
    await using segments = await freeze(house, 'serve-town.ts');
    await using directory = await freeze(house, 'main.ts serve');
    await saysThatItTries(page);
    for (const each of [directory, segments, streams]) await each.thaw();
    await isHeardAgain(page, 'Either Harbour');
    // A report is sent when something is heard again; one that was on its way is here by now.
    await listen(page, 1500);
    const { rows } = await site.farm.pool.query('SELECT address FROM reports');
    assert.deepEqual(rows, []);
  });

  test('is what a clock that is set anew is not taken for', async () => {
    const page = await play('Plain Harbour');
    await interruptions(page);
    await page.evaluate(`(() => { const now = Date.now.bind(Date); Date.now = () => now() + 3_600_000; })()`);
    await listen(page, 2500);
    await isAudible(page, 'an hour later by the clock');
    // The player takes the sound away from a stream that it gives up.
    assert.ok(!(await interruptions(page)).includes('emptied'));
  });

  async function play(name: StationName): Promise<Page> {
    listener = await site.listener();
    const { page } = listener;
    await installMeter(page);
    await page.clock.install();
    await page.goto(`${PLAIN_SITE}station/${site.farm.idOf(name)}`);
    await page
      .getByRole('article')
      .getByRole('button', { name: `Play ${name}` })
      .click();
    await isPlaying(page);
    await isAudible(page, name);
    return page;
  }
});

async function saysThatItTries(page: Page): Promise<void> {
  const tries = player(page).getByRole('status').getByText('Trying again');
  const saysSo = async (): Promise<true | undefined> => {
    await page.clock.fastForward(STEP_MS);
    return (await tries.isVisible()) || undefined;
  };
  await waitUntil('a player that tries again', saysSo, MAX_MS);
  await hasStatus(page, 'loading');
  for (let passedMs = 0; passedMs < GAP_MS; passedMs += STEP_MS) await page.clock.fastForward(STEP_MS);
  assert.notEqual(await player(page).getAttribute('data-status'), 'failed');
}

/** Its pauses are over at once; while it tries a stream, that takes the time it takes. */
async function isHeardAgain(page: Page, what: string): Promise<void> {
  const end = performance.now() + MAX_MS;
  while ((await player(page).getAttribute('data-status')) !== 'playing' && performance.now() < end) {
    if (!(await page.evaluate<boolean>('soundMeter.sounds[0].hasAttribute("src")')))
      await page.clock.fastForward(STEP_MS);
    await sleep(LOOK_MS);
  }
  await hasStatus(page, 'playing');
  await isAudible(page, `${what}, again`);
}
