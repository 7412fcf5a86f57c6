import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { fillSite } from '../browser/fill-site.ts';
import { type OpenSite, SITE, openSite } from '../browser/open-site.ts';

/** Every state the results were drawn in, with the words that stood in the field at that moment. */
const WATCH = `window.seen = [];
  new MutationObserver(() => {
    const field = document.querySelector('input[type=search]');
    const found = document.querySelector('main [data-query]');
    const links = [...(found?.querySelectorAll('li a') ?? [])];
    window.seen.push({ typed: field?.value.trim() ?? '', names: links.map((link) => link.textContent) });
  }).observe(document, { childList: true, subtree: true, characterData: true });`;

interface Seen {
  typed: string;
  names: string[];
}

/** Typed one after the other; the answers to the first ones come last. */
const TYPED = ['harbour', 'lantern', 'town'];
const HELD_UP_MS: Readonly<Record<string, number>> = { harbour: 1500, lantern: 700 };

describe('a search as it is typed', () => {
  let site: OpenSite;
  before(async () => {
    site = await openSite(fillSite);
  });
  after(() => site?.[Symbol.asyncDispose]());

  test('never shows what was found for other words, however late that comes', async () => {
    const answers = new Map<string, string>();
    for (const query of TYPED) answers.set(query, await site.served.get(`/Search.ashx?query=${query}`));
    // What a page asks is not told, and not held up, once a service worker has taken it over.
    await using listener = await site.listener({ serviceWorkers: 'block' });
    const { page } = listener;
    await page.addInitScript(WATCH);
    await page.goto(`${SITE}search`);
    const late = await holdUp(page);
    for (const query of TYPED) {
      const asked = page.waitForRequest((request) => queryOf(request.url()) === query);
      await page.getByRole('searchbox').fill(query);
      await asked;
    }
    await page.getByRole('main').getByRole('link', { name: 'Town FM 97.9' }).waitFor();
    await sleep(1800);
    assert.ok(late() >= 2, 'no answer was late');
    const seen = await page.evaluate<Seen[]>('window.seen');
    const shown = seen.filter(({ typed, names }) => names.length > 0 && TYPED.includes(typed));
    for (const { typed, names } of shown)
      for (const name of names)
        assert.ok(answers.get(typed)?.includes(escaped(name)), `${name} for ${typed}`);
    assert.ok(
      shown.some(({ typed }) => typed === 'town'),
      'nothing was shown for the last words',
    );
    assert.deepEqual(listener.complaints.all(), []);
  });

  test('shows what is found for each letter', async () => {
    await using listener = await site.listener();
    const { page } = listener;
    await page.goto(SITE);
    await page.getByRole('searchbox').click();
    await page.keyboard.type('lantern', { delay: 150 });
    await page.getByRole('main').getByRole('link', { name: 'Lantern Jazz', exact: true }).waitFor();
    assert.equal(new URL(page.url()).searchParams.get('q'), 'lantern');
  });
});

/** The real answers, some of them later. Gives how many were held up so far, given up by the page or not. */
async function holdUp(page: Page): Promise<() => number> {
  let count = 0;
  await page.route('**/Search.ashx?*', async (route) => {
    const heldUpMs = HELD_UP_MS[queryOf(route.request().url()) ?? ''] ?? 0;
    if (heldUpMs > 0) count += 1;
    await sleep(heldUpMs);
    await route.continue().catch(() => undefined);
  });
  return () => count;
}

const queryOf = (address: string): string | null => new URL(address).searchParams.get('query');

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
