import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import { waitFor, waitUntil } from '../../time/wait-until.ts';
import { SHOW, fillSite } from '../browser/fill-site.ts';
import { type Listener, type OpenSite, PLAIN_SITE, openSite } from '../browser/open-site.ts';
import { hasStatus, player } from '../browser/player.ts';
import { installMeter, isAudible, isSilent, position } from '../browser/sound-meter.ts';

/** Of `stream.example.net` in a house, where the seeded topics are. */
const HOST = '127.0.0.2';
const SECONDS = 150;
/** How far from where it was left somebody hears it again. */
const NEAR_SECONDS = 2;
const SLEEP_MS = 15 * 60_000;
/** Of the page's clock, put forward at a time. */
const STEP_MS = 1000;

/** Of the topics, the newest first. */
const playButtons = (page: Page): Locator =>
  page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Episodes', level: 2 }) })
    .getByRole('button', { name: /^Play (?!.* next$)/ });

/** The newest but so many. */
async function play(page: Page, index = 0): Promise<void> {
  await playButtons(page).nth(index).click();
  await hasStatus(page, 'playing');
  await isAudible(page, 'the topic');
}

async function pauseAt(page: Page): Promise<number> {
  await player(page).getByRole('button', { name: 'Pause' }).click();
  await hasStatus(page, 'paused');
  const left = await position(page);
  return left;
}

/** It may have gone on since it was told where it stands, and goes on until it is asked: on a busy machine that is a while. */
async function playAgain(page: Page, left: number, index = 0, sinceMs = performance.now()): Promise<void> {
  await playButtons(page).nth(index).click();
  await goesOnFrom(page, left, sinceMs);
  await isAudible(page, 'again');
}

async function goesOnFrom(page: Page, left: number, sinceMs: number): Promise<void> {
  await hasStatus(page, 'playing');
  const at = await position(page);
  const passed = (performance.now() - sinceMs) / 1000;
  const isNear = at >= left - NEAR_SECONDS && at <= left + passed + NEAR_SECONDS;
  assert.ok(isNear, `left at ${left.toFixed(1)}, heard again from ${at.toFixed(1)} within ${passed} s`);
}

/** By the clock of the page. */
const pageMs = (page: Page): Promise<number> => page.evaluate<number>('performance.now()');

const forward = (page: Page): Promise<void> =>
  player(page)
    .getByRole('button', { name: /30 seconds/ })
    .click();

describe('a topic', () => {
  let site: OpenSite;
  before(async () => {
    site = await openSite(fillSite);
    const { house } = site.served;
    const file = join(house.folder, 'topic.mp3');
    const tone = `sine=frequency=440:duration=${SECONDS}`;
    await house.run('ffmpeg', ['-loglevel', 'error', '-f', 'lavfi', '-i', tone, '-b:a', '64k', file]);
    const host = house.start(process.execPath, [join(import.meta.dirname, 'serve-topic.ts'), file, HOST]);
    await waitFor(host, 'the host of the topics', async () => host.said().includes('open') || undefined);
  });
  after(() => site?.[Symbol.asyncDispose]());

  const openShow = async (): Promise<Listener> => {
    const listener = await site.listener();
    await installMeter(listener.page);
    await listener.page.goto(`${PLAIN_SITE}show/${SHOW.id}`);
    return listener;
  };

  test('goes on where it was when the page was left in the middle of it', async () => {
    await using listener = await openShow();
    const { page } = listener;
    await play(page);
    await forward(page);
    await forward(page);
    // Just before five seconds are full again: what is only kept now and then is kept worst here.
    const near = 5 * Math.ceil(((await position(page)) + 1) / 5) - 0.6;
    await waitUntil(`second ${near}`, async () => (await position(page)) >= near || undefined, 10_000);
    const leftMs = performance.now();
    const left = await position(page);
    assert.ok(left > 60, `it was left at ${left}`);
    await page.reload();
    await playAgain(page, left, 0, leftMs);
    assert.deepEqual(listener.complaints.all(), []);
  });

  test('goes on where it was paused, after another one was heard and the window was closed', async () => {
    await using listener = await openShow();
    const { page } = listener;
    await play(page);
    await forward(page);
    await sleep(1300);
    await player(page).getByRole('button', { name: 'Pause' }).click();
    await hasStatus(page, 'paused');
    const left = await position(page);
    assert.ok(left > 30, `it was left at ${left}`);
    await play(page, 1);
    assert.ok((await position(page)) < left - NEAR_SECONDS, 'the other one begins at its beginning');
    const context = page.context();
    await page.close();
    const again = await context.newPage();
    await installMeter(again);
    await again.goto(`${PLAIN_SITE}show/${SHOW.id}`);
    await playAgain(again, left);
  });

  test('keeps its place in each of two windows that are open at once', async () => {
    await using listener = await openShow();
    const { page: one } = listener;
    await play(one);
    const other = await one.context().newPage();
    await installMeter(other);
    await other.goto(`${PLAIN_SITE}show/${SHOW.id}`);
    await play(other, 1);
    // Each says now what it knows, first the one that has known the least.
    await forward(one);
    await forward(other);
    const left = await pauseAt(one);
    const otherLeft = await pauseAt(other);
    await one.reload();
    await other.reload();
    await playAgain(one, left);
    await playAgain(other, otherLeft, 1);
  });

  test('is where it was heard last, whichever window with it is closed last', async () => {
    await using listener = await openShow();
    const { page: one } = listener;
    await play(one);
    await pauseAt(one);
    const other = await one.context().newPage();
    await installMeter(other);
    await other.goto(`${PLAIN_SITE}show/${SHOW.id}`);
    await play(other);
    await forward(other);
    await forward(other);
    const left = await pauseAt(other);
    await one.reload();
    await playAgain(one, left);
  });

  test('is paused by the sleep timer when its time is over, not before, and goes on from there', async () => {
    await using listener = await openShow();
    const { page } = listener;
    await page.clock.install();
    await page.reload();
    await play(page);
    const earliestMs = (await pageMs(page)) + SLEEP_MS;
    await player(page).getByRole('combobox', { name: /sleep/i }).selectOption('15');
    await player(page)
      .getByRole('combobox', { name: /15 min/ })
      .waitFor();
    const latestMs = (await pageMs(page)) + SLEEP_MS;
    await page.clock.fastForward('10:00');
    await isAudible(page, 'minutes before');
    await page.evaluate(
      `soundMeter.sounds[0].addEventListener('pause', () => (soundMeter.pausedMs = performance.now()))`,
    );
    // By the clock of the page, which goes on meanwhile: what is asked first is never later than what is asked next.
    let playedMs = await pageMs(page);
    while (!(await page.evaluate<boolean>('soundMeter.sounds[0].paused'))) {
      assert.ok(playedMs < latestMs, 'it plays though its time is over');
      await page.clock.fastForward(STEP_MS);
      playedMs = await pageMs(page);
    }
    await hasStatus(page, 'paused');
    const pausedMs = await page.evaluate<number>('soundMeter.pausedMs');
    assert.ok(pausedMs >= earliestMs, `it was paused ${earliestMs - pausedMs} ms before its time`);
    await isSilent(page, 'paused by the sleep timer');
    const left = await position(page);
    const startedMs = performance.now();
    await player(page)
      .getByRole('button', { name: /^Play (?!.* next$)/ })
      .click();
    await goesOnFrom(page, left, startedMs);
  });

  test('plays on when the sleep timer was turned off again', async () => {
    await using listener = await openShow();
    const { page } = listener;
    await page.clock.install();
    await page.reload();
    await play(page);
    await player(page).getByRole('combobox', { name: /sleep/i }).selectOption('15');
    await player(page)
      .getByRole('combobox', { name: /15 min/ })
      .selectOption('0');
    await page.clock.fastForward('16:00');
    await sleep(700);
    await hasStatus(page, 'playing');
    await isAudible(page, 'after it would have been over');
  });
});
