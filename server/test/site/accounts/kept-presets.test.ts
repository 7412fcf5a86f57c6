import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { Pool } from 'pg';
import { waitUntil } from '../../time/wait-until.ts';
import { type SiteAccount, callApi, makeAccount } from '../browser/account.ts';
import { fillSite } from '../browser/fill-site.ts';
import { type Listener, type OpenSite, SITE, openSite } from '../browser/open-site.ts';

const MAEVE: SiteAccount = {
  username: 'maeve',
  email: 'maeve-kept@mail.example',
  password: 'no line to the island 9',
};
const PRESETS = '/listen/api/presets';

/** What the worker would show somebody without a network. */
const isKept = (page: Page, path: string): Promise<boolean> =>
  page.evaluate<boolean>(`caches.match('${path}').then((kept) => kept !== undefined)`);

/** Begins a call without waiting for its answer, which `ended` waits for. */
const begin = (page: Page, path: string, method = 'GET'): Promise<unknown> =>
  page.evaluate(`void (window.began = fetch('${path}', {
    method: '${method}', headers: { 'X-Longwave': '1', 'Content-Type': 'application/json' },
    body: ${method === 'GET' ? 'undefined' : "'{}'"} }).then((answer) => answer.text().then(() => answer.status)))`);
const ended = (page: Page): Promise<number> => page.evaluate<number>('window.began');

describe('what the worker keeps of a listener', () => {
  let site: OpenSite;
  let pool: Pool;
  let listener: Listener;
  let page: Page;
  before(async () => {
    site = await openSite(async (filled) => {
      pool = filled;
      await fillSite(filled);
    });
    listener = await site.listener();
    ({ page } = listener);
    await makeAccount(page, MAEVE);
    await callApi(page, 'POST', 'presets', { guideId: 's1' });
    await page.goto(`${SITE}presets`);
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    // From its second opening on the page is the worker's.
    await page.reload();
    await page.getByRole('button', { name: 'Move Harbour Folk', exact: true }).waitFor();
    assert.ok(await isKept(page, PRESETS));
  });
  after(() => site?.[Symbol.asyncDispose]());

  test('is nothing that was still on its way when they signed out', async () => {
    await using held = await hold(pool, 'presets', 'ACCESS EXCLUSIVE');
    await begin(page, PRESETS);
    await held.waited();
    assert.equal((await callApi(page, 'POST', 'sign-out')).status, 200);
    await held.release();
    assert.equal(await ended(page), 200, 'whoever asked before gets the answer');
    assert.equal(await isKept(page, PRESETS), false);
  });

  test('is nothing that was asked for while they signed out', async () => {
    await signIn(page);
    await using held = await hold(pool, 'site_sessions', 'SHARE');
    await begin(page, '/listen/api/sign-out', 'POST');
    await held.waited();
    assert.equal((await callApi(page, 'GET', 'presets')).status, 200);
    await held.release();
    assert.equal(await ended(page), 200);
    assert.equal(await isKept(page, PRESETS), false);
  });

  test('is nothing once the session is over, whoever ended it', async () => {
    await signIn(page);
    await callApi(page, 'GET', 'presets');
    assert.ok(await isKept(page, PRESETS));
    await pool.query('DELETE FROM site_sessions');
    await callApi(page, 'GET', 'session');
    assert.equal(await isKept(page, PRESETS), false);
  });

  test('is nothing where they signed out on a page that the browser opened without the worker', async () => {
    await signIn(page);
    await page.goto(`${SITE}settings`);
    await callApi(page, 'GET', 'presets');
    const reloaded = page.waitForEvent('load');
    const browser = await page.context().newCDPSession(page);
    await browser.send('Page.reload', { ignoreCache: true });
    await reloaded;
    assert.equal(await page.evaluate('navigator.serviceWorker.controller'), null);
    assert.ok(await isKept(page, PRESETS));
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('main').getByRole('link', { name: 'Sign in', exact: true }).waitFor();
    assert.equal(await isKept(page, PRESETS), false);
    await page.goto(`${SITE}presets`);
  });

  test('and a browser that has no room for it shows the site all the same', async () => {
    await signIn(page);
    const browser = await page.context().newCDPSession(page);
    await browser.send('Storage.overrideQuotaForOrigin', { origin: new URL(SITE).origin, quotaSize: 1 });
    await page.goto(`${SITE}presets`);
    await page.getByRole('button', { name: 'Move Harbour Folk', exact: true }).waitFor();
    // A page whose file was not kept before.
    await page.goto(`${SITE}radios`);
    await page.getByRole('textbox', { name: 'The code on the radio' }).waitFor();
    await browser.send('Storage.overrideQuotaForOrigin', { origin: new URL(SITE).origin });
    assert.deepEqual(listener.complaints.all(), []);
  });
});

async function signIn(page: Page): Promise<void> {
  const { username, password } = MAEVE;
  assert.equal((await callApi(page, 'POST', 'sign-in', { username, password })).status, 200);
}

interface Held extends AsyncDisposable {
  /** Until somebody waits for the table. */
  waited(): Promise<true>;
  release(): Promise<void>;
}

/** Holds a table, so that a call takes as long as the test wants. */
async function hold(pool: Pool, table: string, mode: string): Promise<Held> {
  const client = await pool.connect();
  let isHeld = true;
  await client.query('BEGIN');
  await client.query(`LOCK TABLE ${table} IN ${mode} MODE`);
  const release = async (): Promise<void> => {
    if (!isHeld) return;
    isHeld = false;
    await client.query('ROLLBACK');
    client.release();
  };
  return {
    waited: () => waitUntil('a call that waits', async () => (await isWaitedFor(pool)) || undefined),
    release,
    [Symbol.asyncDispose]: release,
  };
}

async function isWaitedFor(pool: Pool): Promise<true | undefined> {
  const { rowCount } = await pool.query(
    'SELECT FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())',
  );
  return (rowCount ?? 0) > 0 || undefined;
}
