import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import type { Pool } from 'pg';
import { type SiteAccount, callApi, makeAccount } from '../browser/account.ts';
import { fillSite } from '../browser/fill-site.ts';
import { freeze } from '../listening/freeze.ts';
import { type OpenSite, SITE, openSite } from '../browser/open-site.ts';

const ORLA: SiteAccount = {
  username: 'orla',
  email: 'orla-trouble@mail.example',
  password: 'the ferry is late again 3',
};

const me = (page: Page): Locator => page.getByRole('link', { name: 'orla: Settings' });
const note = (page: Page): Locator => page.getByText('Could not check whether you are signed in');
const key = (page: Page): Locator => page.getByRole('button', { name: 'Move Harbour Folk', exact: true });

describe('a service that does not say who is signed in', () => {
  let site: OpenSite;
  let pool: Pool;
  before(async () => {
    site = await openSite(async (filled) => {
      pool = filled;
      await fillSite(filled);
    });
    await using listener = await site.listener();
    await makeAccount(listener.page, ORLA);
    await callApi(listener.page, 'POST', 'presets', { guideId: 's1' });
  });
  after(() => site?.[Symbol.asyncDispose]());

  test('leaves what is known on the page, says so, and is asked again until it does', async () => {
    await using listener = await site.listener({ serviceWorkers: 'block' });
    const { page } = listener;
    await signedIn(page);
    await using ill = await without(pool, 'site_sessions');
    assert.equal((await callApi(page, 'GET', 'session')).status, 500);
    // Back from a tunnel, which is when the page asks again.
    await page.context().setOffline(true);
    await page.context().setOffline(false);
    await note(page).waitFor();
    assert.ok(await me(page).isVisible());
    assert.ok(await key(page).isVisible());
    await ill.mend();
    await note(page).waitFor({ state: 'hidden' });
    assert.ok(await me(page).isVisible());
    assert.deepEqual(listener.complaints.all(), []);
  });

  test('signs nobody out who opens the site meanwhile', async () => {
    await using listener = await site.listener({ serviceWorkers: 'block' });
    const { page } = listener;
    await signedIn(page);
    await using ill = await without(pool, 'site_sessions');
    await page.reload();
    await page.getByRole('main').getByRole('button', { name: 'Try again' }).waitFor();
    await note(page).waitFor();
    assert.equal(await page.getByRole('main').getByRole('link', { name: 'Sign in' }).count(), 0);
    // Everything that needs nobody's name is there.
    await page.getByRole('banner').getByRole('link', { name: 'Longwave' }).click();
    await page.getByRole('main').getByRole('link', { name: 'Harbour Folk', exact: true }).first().waitFor();
    await page.goBack();
    await ill.mend();
    await key(page).waitFor();
    await me(page).waitFor();
    assert.equal(await note(page).isVisible(), false);
  });

  test('shows the presets as they were last seen, where a worker has them', async () => {
    await using listener = await site.listener();
    const { page } = listener;
    await signedIn(page);
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    await page.reload();
    await key(page).waitFor();
    await using ill = await without(pool, 'site_sessions');
    await page.reload();
    await key(page).waitFor();
    await me(page).waitFor();
    await note(page).waitFor();
    await ill.mend();
    await note(page).waitFor({ state: 'hidden' });
    assert.deepEqual(listener.complaints.all(), []);
  });

  test('and so they are where it takes every call and never answers', async () => {
    await using listener = await site.listener();
    const { page } = listener;
    await signedIn(page);
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    await page.reload();
    await key(page).waitFor();
    await using frozen = await freeze(site.served.house, 'main.ts serve');
    await page.goto(`${SITE}presets`, { timeout: 30_000 });
    await key(page).waitFor({ timeout: 30_000 });
    await note(page).waitFor();
    await frozen.thaw();
    await note(page).waitFor({ state: 'hidden', timeout: 30_000 });
  });

  test('is asked again by who comes back to a page after signing out in another', async () => {
    await using listener = await site.listener();
    const { page } = listener;
    await signedIn(page);
    const other = await page.context().newPage();
    await other.goto(`${SITE}presets`);
    await callApi(other, 'POST', 'sign-out');
    // Both pages are seen as far as a browser without windows knows.
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await page.getByRole('main').getByRole('link', { name: 'Sign in', exact: true }).waitFor();
    assert.equal(await page.getByText('Harbour Folk').count(), 0);
  });
});

async function signedIn(page: Page): Promise<void> {
  await page.goto(`${SITE}sign-in`);
  const { username, password } = ORLA;
  assert.equal((await callApi(page, 'POST', 'sign-in', { username, password })).status, 200);
  await page.goto(`${SITE}presets`);
  await key(page).waitFor();
}

interface Ill extends AsyncDisposable {
  mend(): Promise<void>;
}

/** A database that lacks a table, as in the middle of a bad upgrade. */
async function without(pool: Pool, table: string): Promise<Ill> {
  await pool.query(`ALTER TABLE ${table} RENAME TO ${table}_away`);
  let isIll = true;
  const mend = async (): Promise<void> => {
    if (isIll) await pool.query(`ALTER TABLE ${table}_away RENAME TO ${table}`);
    isIll = false;
  };
  return { mend, [Symbol.asyncDispose]: mend };
}
