import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { violationsOf } from '../browser/axe.ts';
import { openPage, settled } from '../browser/every-page.ts';
import { STATION, fillSite } from '../browser/fill-site.ts';
import { faultsInLooks, turnAround } from '../browser/looks.ts';
import { type Listener, type OpenSite, openSite } from '../browser/open-site.ts';

const VIEWS: Readonly<Record<string, BrowserContextOptions>> = {
  'at a desk': { colorScheme: 'light' },
  'on a phone, in the dark': { colorScheme: 'dark', viewport: { width: 390, height: 844 }, hasTouch: true },
};

/** As `stream-health.sql` has it: each stream's days by number, and what is said of them. */
const MONTHS = [
  {
    address: 'harbourfolk-128.mp3',
    days: { heard: 26, mixed: 1, silent: 1, unknown: 2 },
    sums: ['heard on 26 of the last 30 days', 'intermittent on 1', 'silent on 1', 'no data for 2'],
    failure: 'Its server does not answer',
    place: 'Best for this browser',
  },
  {
    address: 'harbourfolk-64.aac',
    days: { heard: 8, mixed: 2, silent: 4, unknown: 16 },
    sums: ['heard on 8 of the last 30 days', 'intermittent on 2', 'silent on 4', 'no data for 16'],
    failure: 'Its server does not have this stream',
    place: 'Last resort',
  },
];

describe('how the streams of a station did in the last thirty days', () => {
  let site: OpenSite;
  before(async () => {
    site = await openSite(fillSite);
  });
  after(() => site?.[Symbol.asyncDispose]());

  for (const [name, view] of Object.entries(VIEWS))
    test(`is drawn and said, ${name}`, async () => {
      await using listener = await site.listener(view);
      const { page } = listener;
      await openStreams(listener);
      for (const month of MONTHS) await hasMonth(page, month);
      assert.deepEqual(await violationsOf(page), []);
      assert.deepEqual(await faultsInLooks(page), []);
      const [first, last] = await edgesOf(page);
      assert.ok(first < last, 'today is at the end');
      await turnAround(page);
      assert.deepEqual(await faultsInLooks(page), [], 'from right to left');
      const [turnedFirst, turnedLast] = await edgesOf(page);
      assert.ok(turnedFirst > turnedLast, 'and the days go the way the page is read');
      assert.deepEqual(listener.complaints.all(), []);
    });
});

async function openStreams({ page }: Listener): Promise<void> {
  await openPage(page, { path: `station/${STATION.id}` });
  await page.getByText('Stream status').click();
  await page.getByText('Last failure').first().waitFor();
  await settled(page);
}

async function hasMonth(
  page: Page,
  { address, days, sums, failure, place }: (typeof MONTHS)[number],
): Promise<void> {
  const stream = page.locator('main li').filter({ hasText: address });
  for (const [health, count] of Object.entries(days))
    assert.equal(await dots(stream, `[data-day=${health}]`).count(), count, `${address} ${health}`);
  // A reader of screens is told the words alone.
  assert.deepEqual(await stream.getByRole('listitem').allTextContents(), sums);
  const text = await stream.innerText();
  assert.match(text, new RegExp(`${place}[^]*Last failure: .+${failure}`));
}

const dots = (within: Locator, selector = ''): Locator =>
  within.locator(`[aria-hidden] > [data-day]${selector}`);

/** Where the oldest day and today begin, from the left. */
async function edgesOf(page: Page): Promise<[number, number]> {
  const all = dots(page.locator('main li').filter({ hasText: 'harbourfolk-128' }));
  const [first, last] = await Promise.all([all.first().boundingBox(), all.last().boundingBox()]);
  assert.ok(first && last);
  assert.ok(last.width >= 7, `a dot of ${last.width} px is seen`);
  return [first.x, last.x];
}
