import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { waitUntil } from '../../time/wait-until.ts';
import type { SiteAccount } from './account.ts';
import { type Hand, keys } from './hand.ts';
import { SITE } from './open-site.ts';
import type { Radio } from './radio.ts';

/** The steps of a listener's way through the site, whichever hand takes them. */
export interface Walker {
  page: Page;
  hand: Hand;
}

const field = (page: Page, name: string): Locator => page.getByRole('main').getByLabel(name, { exact: true });
const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });

/** On the page of registration, wherever the link to it came from. */
export async function register({ page, hand }: Walker, account: SiteAccount): Promise<void> {
  await hand.write(field(page, 'User name'), account.username);
  await hand.write(field(page, 'E-mail'), account.email);
  await hand.write(field(page, 'Password'), account.password);
  const place = page.getByRole('combobox', { name: 'Town or postal code' });
  await hand.write(place, 'Cork');
  await page.getByRole('option', { name: /^Cork.*Ireland/ }).waitFor();
  await place.press('Enter');
  await hand.press(button(page, 'Create account'));
  await page.waitForURL(/\/listen\/(radios|presets|podcasts)$/);
}

export async function pair({ page, hand }: Walker, radio: Radio): Promise<void> {
  await hand.write(page.getByRole('textbox', { name: 'The code on the radio' }), await radio.showCode());
  await hand.press(button(page, 'Pair'));
  await page.getByText('Paired. Its presets are now in your account').waitFor();
}

export const openPresets = async ({ page, hand }: Walker): Promise<void> => {
  await hand.press(page.getByRole('banner').getByRole('link', { name: 'Presets' }));
  await page
    .getByRole('button', { name: /^Move / })
    .first()
    .waitFor();
};

/** Moves one onto another, and waits until the radio has it so. */
export async function reorder(
  walker: Walker,
  radio: Radio,
  [name, onto]: [string, string],
): Promise<string[]> {
  const was = await keys(walker.page);
  const wanted = was.toSpliced(was.indexOf(name), 1).toSpliced(was.indexOf(onto), 0, name);
  await walker.hand.move(name, onto);
  await waitUntil(
    `the keys as ${wanted.join(', ')}`,
    async () => same(await keys(walker.page), wanted),
    10_000,
  );
  await waitUntil(
    `the radio with ${wanted.join(', ')}`,
    async () => same(await radio.presets(), wanted),
    10_000,
  );
  return wanted;
}

/** Lists write more around a name, such as its frequency and genre. */
const same = (shown: readonly string[], wanted: readonly string[]): true | undefined =>
  (shown.length === wanted.length && shown.every((text, at) => text.includes(wanted[at] ?? '?'))) ||
  undefined;

export async function exportOpml({ page, hand }: Walker): Promise<string> {
  await hand.press(button(page, 'Export'));
  const downloading = page.waitForEvent('download');
  await hand.press(page.getByRole('dialog').getByRole('link', { name: /OPML/ }));
  const file = await (await downloading).path();
  await hand.press(page.getByRole('dialog').getByRole('button', { name: 'Close' }));
  return readFileSync(file, 'utf8');
}

export async function importText({ page, hand }: Walker, text: string): Promise<void> {
  await hand.press(button(page, 'Import'));
  const dialog = page.getByRole('dialog');
  await hand.write(dialog.getByRole('textbox', { name: 'Or paste text' }), text);
  await hand.press(dialog.getByRole('button', { name: 'Preview' }));
  await dialog.getByText('Recognised: ').waitFor();
  await hand.press(dialog.getByRole('button', { name: 'Import' }));
  await dialog.getByText('Imported: ').waitFor();
  await hand.press(dialog.getByRole('button', { name: 'Close' }).last());
}

export async function signOut({ page, hand }: Walker): Promise<void> {
  await page.goto(`${SITE}settings`);
  await hand.press(button(page, 'Sign out'));
  await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).waitFor();
  const cookies = await page.context().cookies();
  assert.deepEqual(
    cookies.filter(({ name }) => name.includes('longwave')),
    [],
    'the cookie outlives the session',
  );
}
