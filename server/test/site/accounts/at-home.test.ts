import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DIRECTORY } from '../../house/served-house.ts';
import type { SiteAccount } from '../browser/account.ts';
import { violationsOf } from '../browser/axe.ts';
import { fillSite } from '../browser/fill-site.ts';
import { pointerOf } from '../browser/hand.ts';
import { register } from '../browser/listeners-way.ts';
import { openSite } from '../browser/open-site.ts';

const CONOR: SiteAccount = {
  username: 'conor',
  email: 'conor-home@mail.example',
  password: 'only within these walls 2',
};
const HOME = 'http://127.0.0.1/listen/';

test('at home, where the operator allows it, people sign up over plain HTTP and are told what that means', async () => {
  await using site = await openSite(fillSite, { env: { HOME_SIGN_IN: 'allow', PUBLIC_HOSTS: '' } });
  await using listener = await site.listener();
  const { page } = listener;
  await page.goto(`${HOME}register?next=%2Fpresets`);
  await page.getByText('This connection isn’t encrypted').waitFor();
  assert.deepEqual(await violationsOf(page), []);
  await register({ page, hand: pointerOf(page) }, CONOR);
  await page.getByRole('link', { name: 'conor: Settings' }).waitFor();
  const cookies = await page.context().cookies(HOME);
  assert.deepEqual(
    cookies.map(({ name, secure, httpOnly, sameSite }) => ({ name, secure, httpOnly, sameSite })),
    [{ name: 'longwave', secure: false, httpOnly: true, sameSite: 'Lax' }],
  );
  // The same box under a public name, as a page that rebinds its name would call it.
  await page.goto(`http://${DIRECTORY}/listen/sign-in`);
  await page.getByText('For your security, sign-in needs HTTPS').waitFor();
  assert.deepEqual(listener.complaints.all(), []);
});
