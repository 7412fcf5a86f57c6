import assert from 'node:assert/strict';
import type { BrowserContext, Page } from 'playwright-core';
import { OPERATOR_TOKEN } from './fill-site.ts';
import { type OpenSite, SITE } from './open-site.ts';
import { radioIn } from './radio.ts';

type SignedIn = Awaited<ReturnType<BrowserContext['storageState']>>;

export interface SiteAccount {
  username: string;
  email: string;
  password: string;
}

export interface ApiAnswer {
  status: number;
  body: unknown;
}

/** As the site's own pages call it: from a page of it, which has to be open. */
export async function callApi(page: Page, method: string, path: string, body?: unknown): Promise<ApiAnswer> {
  const [address, sent] = [`/listen/api/${path}`, body === undefined ? undefined : JSON.stringify(body)];
  return page.evaluate<ApiAnswer>(`(async () => {
    const answer = await fetch(${JSON.stringify(address)}, {
      method: ${JSON.stringify(method)},
      headers: { 'X-Longwave': '1', 'Content-Type': 'application/json' },
      body: ${JSON.stringify(sent) ?? 'undefined'},
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) };
  })()`);
}

/** An account by one call, for tests that are about something else; its page is signed in afterwards. */
export async function makeAccount(page: Page, account: SiteAccount): Promise<void> {
  if (!page.url().startsWith(SITE)) await page.goto(`${SITE}sign-in`);
  const place = { city: 'Cork', country: 'IE' };
  const { status, body } = await callApi(page, 'POST', 'register', { ...account, place, language: 'en' });
  assert.ok(status < 300, `${status} ${JSON.stringify(body)}`);
}

/** The cookies of an operator with an account, a radio and presets, for any number of windows. */
export async function signedInState(site: OpenSite, account: SiteAccount): Promise<SignedIn> {
  await using listener = await site.listener();
  await makeAccount(listener.page, account);
  for (const guideId of ['s1', 's3', 'p101', 's2', 's5'])
    await wanted(listener.page, 'POST', 'presets', { guideId });
  await wanted(listener.page, 'POST', 'folders', { name: 'Kitchen' });
  await wanted(listener.page, 'POST', 'operator', { token: OPERATOR_TOKEN });
  const radio = radioIn(site.served, `radio-of-${account.username}`);
  await wanted(listener.page, 'POST', 'radios/pair', { code: await radio.showCode() });
  await radio.presets();
  const state = await listener.page.context().storageState();
  return state;
}

async function wanted(page: Page, method: string, path: string, body: unknown): Promise<void> {
  const { status, body: answer } = await callApi(page, method, path, body);
  assert.ok(status < 300, `${path}: ${status} ${JSON.stringify(answer)}`);
}
