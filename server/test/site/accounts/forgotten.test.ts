import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { type SiteAccount, callApi, makeAccount } from '../browser/account.ts';
import { violationsOf } from '../browser/axe.ts';
import { openPage, settled } from '../browser/every-page.ts';
import { fillSite } from '../browser/fill-site.ts';
import { keyboardOf } from '../browser/hand.ts';
import { MAIL_ENV, type Mailbox, openMail } from './house-mail.ts';
import { faultsInLooks, turnAround } from '../browser/looks.ts';
import { type Listener, type OpenSite, SITE, openSite } from '../browser/open-site.ts';

const SAOIRSE: SiteAccount = {
  username: 'saoirse',
  email: 'saoirse-forgets@mail.example',
  password: 'what-was-it-again-1',
};
const NEW = { password: 'now-i-know-it-again-2' };
const LINK = /https:\/\/\S+\/listen\/new-password#saoirse\.[\w-]{43}(?![\w-])/;
const PHONE = {
  locale: 'de-DE',
  colorScheme: 'dark',
  viewport: { width: 390, height: 844 },
  hasTouch: true,
} as const;

const field = (page: Page, name: string): Locator => page.getByRole('main').getByLabel(name, { exact: true });
const signedInAs = async (page: Page): Promise<unknown> => {
  const { body } = await callApi(page, 'GET', 'session');
  const { account }: { account: { username: string } | null } = JSON.parse(JSON.stringify(body));
  return account?.username;
};

describe('who forgot the password', () => {
  let site: OpenSite;
  let mailbox: Mailbox;
  let earlier: Listener;
  let listener: Listener;
  before(async () => {
    site = await openSite(fillSite, { env: MAIL_ENV });
    mailbox = await openMail(site.served.house);
    earlier = await site.listener();
    await makeAccount(earlier.page, SAOIRSE);
    listener = await site.listener();
  });
  after(() => site?.[Symbol.asyncDispose]());

  /** The first, the second, … */
  const letter = async (number: number): Promise<string> =>
    (await mailbox(SAOIRSE.email, number))[number - 1] ?? '';
  const linkIn = async (number: number): Promise<string> => {
    const text = await letter(number);
    const [link] = LINK.exec(text) ?? assert.fail(`no link in ${text}`);
    return link;
  };

  test('gets a link by mail and chooses another, by the keyboard alone', async () => {
    const { page } = listener;
    const hand = keyboardOf(page);
    await page.goto(`${SITE}sign-in?next=%2Fradios`);
    await hand.press(page.getByRole('link', { name: 'Forgot your password?' }));
    await page.getByRole('heading', { name: 'Forgot your password?', level: 1 }).waitFor();
    await hand.write(field(page, 'User name or e-mail'), 'no such name');
    await page.keyboard.press('Enter');
    await page.getByText('Enter the user name or e-mail address of your account.').waitFor();
    await hand.write(field(page, 'User name or e-mail'), SAOIRSE.email);
    await hand.press(page.getByRole('button', { name: 'Send the link' }));
    await page
      .getByRole('status')
      .getByText(/a link is on its way.*for 60 minutes/)
      .waitFor();

    await page.goto(await linkIn(1));
    await page.getByText('For saoirse.').waitFor();
    assert.equal(page.url(), `${SITE}new-password`, 'the address keeps no secret');
    await hand.write(field(page, 'New password'), NEW.password);
    await hand.press(page.getByRole('button', { name: 'Save and sign in' }));
    await page.waitForURL(`${SITE}presets`);
    assert.equal(await signedInAs(page), 'saoirse');
    assert.equal(await signedInAs(earlier.page), undefined, 'every earlier session is over');
    assert.match(await letter(2), /password of your account has been changed[^]*\/listen\/forgotten/);
  });

  test('signs in with it, and no longer with the old one', async () => {
    const { page } = earlier;
    for (const [password, shown] of [
      [SAOIRSE.password, /Wrong user name or password/],
      [NEW.password, 'No presets yet'],
    ] as const) {
      await page.goto(`${SITE}sign-in`);
      await field(page, 'User name').fill(SAOIRSE.username);
      await field(page, 'Password').fill(password);
      await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
      await page.getByText(shown).first().waitFor();
    }
  });

  test('is told that a link was used, and is led to another', async () => {
    const { page } = listener;
    await page.goto('about:blank');
    await page.goto(await linkIn(1));
    await field(page, 'New password').fill('something-else-3');
    await page.getByRole('button', { name: 'Save and sign in' }).click();
    await page.getByRole('alert').getByText('This link has been used').waitFor();
    assert.deepEqual(await violationsOf(page), []);
    await page.getByRole('alert').getByRole('link', { name: 'Ask for a new link' }).click();
    await page.waitForURL(`${SITE}forgotten`);
    await page.goto(`${SITE}new-password`);
    await page.getByRole('heading', { name: 'This link is incomplete', level: 1 }).waitFor();
    assert.deepEqual(await violationsOf(page), []);
  });

  test('reads it all in German, on a phone in the dark, and nothing is cut or hard to read', async () => {
    await using phone = await site.listener(PHONE);
    const { page } = phone;
    const looksWell = async (): Promise<void> => {
      await settled(page);
      assert.deepEqual(await violationsOf(page), []);
      assert.deepEqual(await faultsInLooks(page), []);
    };
    await openPage(page, { path: 'sign-in' });
    await looksWell();
    await page.getByRole('link', { name: 'Passwort vergessen?' }).click();
    await page.getByRole('button', { name: 'Link senden' }).waitFor();
    await looksWell();
    await field(page, 'Benutzername oder E-Mail').fill(SAOIRSE.username);
    await page.getByRole('button', { name: 'Link senden' }).click();
    await page.getByRole('status').getByText('60 Minuten lang').waitFor();
    await looksWell();
    await page.goto(await linkIn(3));
    await page.getByRole('button', { name: 'Speichern und anmelden' }).waitFor();
    await looksWell();
    await turnAround(page);
    assert.deepEqual(await faultsInLooks(page), [], 'from right to left');
    assert.match(await letter(3), /Guten Tag saoirse,[^]*60 Minuten/);
    assert.deepEqual(phone.complaints.all(), []);
  });

  test('and nothing went wrong in the page', () =>
    assert.deepEqual([...listener.complaints.all(), ...earlier.complaints.all()], []));
});
