import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Pool } from 'pg';
import type { Page } from 'playwright-core';
import { bumpCatalogue } from '../../../src/storage/catalog/stations/version.ts';
import { transaction } from '../../../src/storage/db/transaction.ts';
import { saveSetupProgress } from '../../../src/storage/installation.ts';
import { waitUntil } from '../../time/wait-until.ts';
import { makeAccount } from '../browser/account.ts';
import { fillSite, OPERATOR_TOKEN } from '../browser/fill-site.ts';
import { type Listener, type OpenSite, openSite, SITE } from '../browser/open-site.ts';

const NUALA = { username: 'nuala', email: 'nuala@mail.example', password: 'lamp oil and rope 9' };

describe('the first day of an installation', () => {
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
  });
  after(() => site?.[Symbol.asyncDispose]());

  test('the link waits while its reader signs in, is seen by nobody, and makes them the operator', async () => {
    await page.goto(`${SITE}operator#${OPERATOR_TOKEN}`);
    await page.getByText('to look after this installation').waitFor();
    assert.equal(page.url(), `${SITE}operator`);
    await makeAccount(page, NUALA);
    await page.goto(`${SITE}operator`);
    await page.getByText('Cork, Ireland').waitFor();
    assert.equal(await page.getByRole('navigation').getByRole('link', { name: 'Operator' }).count(), 1);
    // It is used up, and a reload does not ask for it again.
    await page.reload();
    await page.getByText('Cork, Ireland').waitFor();
  });

  test('another member is told how to become one, and a used link says so', async () => {
    await using other = await site.listener();
    await makeAccount(other.page, { ...NUALA, username: 'oisin', email: 'oisin@mail.example' });
    await other.page.goto(`${SITE}operator`);
    await other.page.getByText('longwave account operator NAME').waitFor();
    await other.page.goto(`${SITE}operator#${OPERATOR_TOKEN}`);
    await other.page.reload();
    await other.page.getByRole('alert').getByText('already used').waitFor();
  });

  test('an empty directory says how far it is, and shows its stations as soon as they are there', async () => {
    const list = (listed: boolean): Promise<void> =>
      transaction(pool, async (client) => {
        await client.query('UPDATE stations SET listed = $1', [listed]);
        await bumpCatalogue(client);
      });
    await list(false);
    await saveSetupProgress(pool, 'stations', 12_345);
    await waitUntil('an empty directory', async () =>
      (await site.served.get('/Browse.ashx?c=popular&partnerId=maker')).includes('guide_id="s')
        ? undefined
        : true,
    );
    await using visitor = await site.listener();
    await visitor.page.goto(SITE);
    await visitor.page.getByRole('status').getByText('12,345 stations so far').waitFor();
    await list(true);
    await waitUntil(
      'the stations',
      async () =>
        (await site.served.get('/Browse.ashx?c=popular&partnerId=maker')).includes('guide_id="s') ||
        undefined,
    );
    await saveSetupProgress(pool, undefined);
    await visitor.page.getByRole('heading', { name: 'Popular' }).waitFor();
    assert.deepEqual(visitor.complaints.all(), []);
  });
});
