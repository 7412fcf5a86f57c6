import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { waitUntil } from '../../time/wait-until.ts';
import { DIRECTORY } from '../../house/served-house.ts';
import { type SiteAccount, callApi, makeAccount } from '../browser/account.ts';
import { openPage } from '../browser/every-page.ts';
import { fillSite } from '../browser/fill-site.ts';
import { pointerOf } from '../browser/hand.ts';
import { signOut } from '../browser/listeners-way.ts';
import { type Listener, type OpenSite, SITE, openSite } from '../browser/open-site.ts';

const FIONN: SiteAccount = {
  username: 'fionn',
  email: 'fionn-doors@mail.example',
  password: 'salmon of knowledge 1',
};
const NEW_PASSWORD = { password: 'salmon of wisdom 2026' };
/** On the same site as browsers see it, so that its calls carry the cookies that SameSite keeps from strangers. */
const EVIL = 'https://evil.radiotime.com/';

describe('nobody else gets in', () => {
  let site: OpenSite;
  let listener: Listener;
  let page: Page;
  before(async () => {
    site = await openSite(fillSite);
    listener = await site.listener();
    ({ page } = listener);
    await page
      .context()
      .route(`${EVIL}**`, (route) =>
        route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Win a radio</title>' }),
      );
    await makeAccount(page, FIONN);
  });
  after(() => site?.[Symbol.asyncDispose]());

  const cookie = async (): Promise<string> => {
    const [found] = await page.context().cookies(SITE);
    return `${found?.name}=${found?.value}`;
  };
  /** The status of a call with a cookie, made outside of any browser. */
  const statusWith = (sent: string, path: string): Promise<string> => {
    const trusting = ['--cacert', site.served.authorityFile, '-m', '10'];
    const telling = ['-sS', '-o', '/dev/null', '-w', '%{http_code}', '-H', `Cookie: ${sent}`];
    return site.served.house.run('curl', [
      ...trusting,
      ...telling,
      `https://${DIRECTORY}/listen/api/${path}`,
    ]);
  };

  test('the cookie is for this host alone, by HTTPS alone, and no script reads it', async () => {
    const cookies = await page.context().cookies(SITE);
    assert.equal(cookies.length, 1);
    const [{ name, secure, httpOnly, sameSite, path, domain } = {}] = cookies;
    assert.deepEqual(
      { name, secure, httpOnly, sameSite, path, domain },
      {
        name: '__Host-longwave',
        secure: true,
        httpOnly: true,
        sameSite: 'Lax',
        path: '/',
        domain: DIRECTORY,
      },
    );
    assert.equal(await page.evaluate('document.cookie'), '');
  });

  test('a page of another site changes nothing and reads nothing, though the cookie goes along', async () => {
    await callApi(page, 'POST', 'presets', { guideId: 's1' });
    const was = await callApi(page, 'GET', 'presets');
    await using evil = {
      page: await page.context().newPage(),
      [Symbol.asyncDispose]: () => evil.page.close(),
    };
    await evil.page.goto(EVIL);
    const sent: string[] = [];
    evil.page.on('request', (request) => {
      void request.allHeaders().then((headers) => sent.push(headers['cookie'] ?? ''));
    });
    const outcomes = await evil.page.evaluate<string[]>(attacks());
    await waitUntil(
      'a call with the cookie',
      async () => sent.some((each) => each.includes('__Host-longwave=')) || undefined,
    );
    assert.deepEqual([...new Set(outcomes)], ['nothing was read']);
    await evil.page
      .evaluate(`document.body.innerHTML = '<form method=post enctype=text/plain action="${SITE}api/sign-out"><input name=a value=b></form>';
      document.forms[0].submit()`);
    await evil.page.waitForURL(`${SITE}api/sign-out`);
    assert.match(await evil.page.locator('body').innerText(), /site\.otherSite/);
    assert.deepEqual(
      await callApi(page, 'GET', 'presets'),
      was,
      'the presets changed, or nobody is signed in any more',
    );
  });

  test('no page shows the site in a frame', async () => {
    await using evil = {
      page: await page.context().newPage(),
      [Symbol.asyncDispose]: () => evil.page.close(),
    };
    await evil.page.goto(EVIL);
    for (const [address, isShown] of [
      [`${EVIL}own`, true],
      [`${SITE}settings`, false],
      [SITE, false],
    ] as const) {
      await evil.page.evaluate(`new Promise((done) => {
        document.body.innerHTML = '<iframe></iframe>';
        const frame = document.querySelector('iframe');
        frame.onload = done;
        frame.src = ${JSON.stringify(address)};
        setTimeout(done, 5000);
      })`);
      const [, frame] = evil.page.frames();
      assert.equal(frame?.url() === address, isShown, `${address} is at ${frame?.url()}`);
    }
  });

  test('a new password ends every other session', async () => {
    const storageState = await page.context().storageState();
    await using elsewhere = await site.listener({ storageState });
    await openPage(elsewhere.page, { path: 'presets' });
    const old = await cookie();
    assert.equal(await statusWith(old, 'presets'), '200');
    const change = { password: { old: FIONN.password, new: NEW_PASSWORD.password } };
    assert.equal((await callApi(page, 'PATCH', 'me', change)).status, 200);
    assert.equal((await callApi(elsewhere.page, 'GET', 'presets')).status, 401);
    assert.equal((await callApi(page, 'GET', 'presets')).status, 200, 'who changed it is still signed in');
    assert.notEqual(await cookie(), old);
    assert.equal(await statusWith(old, 'presets'), '401');
  });

  test('a session is dead once its owner has signed out, whoever kept the cookie', async () => {
    const kept = await cookie();
    assert.equal(await statusWith(kept, 'presets'), '200');
    await signOut({ page, hand: pointerOf(page) });
    assert.equal(await statusWith(kept, 'presets'), '401');
  });

  test('a session that somebody else began is not taken over by signing in', async () => {
    await using other = await site.listener();
    await other.page.goto(`${SITE}sign-in`);
    const fixed = 'A'.repeat(43);
    await other.page
      .context()
      .addCookies([{ name: '__Host-longwave', value: fixed, url: `https://${DIRECTORY}/`, secure: true }]);
    const answer = await callApi(other.page, 'POST', 'sign-in', {
      username: FIONN.username,
      ...NEW_PASSWORD,
    });
    assert.equal(answer.status, 200);
    const [now] = await other.page.context().cookies(SITE);
    assert.notEqual(now?.value, fixed);
    assert.equal(await statusWith(`__Host-longwave=${fixed}`, 'presets'), '401');
  });
});

/** Every way for a page to call another host with its visitor's cookies. */
const attacks = (): string => `(async () => {
  const calls = [
    ['POST', 'presets', '{"guideId":"s3"}'], ['POST', 'sign-out', '{}'], ['DELETE', 'me', '{}'],
    ['PATCH', 'me', '{"email":"evil@mail.example"}'], ['POST', 'me/device-password', '{}'], ['GET', 'presets'],
    ['GET', 'me/export'], ['GET', 'session'],
  ];
  const outcomes = [];
  for (const [method, path, body] of calls)
    for (const given of [
      { mode: 'no-cors', headers: { 'Content-Type': 'text/plain' } },
      { mode: 'cors', headers: { 'Content-Type': 'text/plain' } },
      { mode: 'cors', headers: { 'Content-Type': 'application/json', 'X-Longwave': '1' } },
    ]) {
      const options = { method, credentials: 'include', ...given, ...(body ? { body } : {}) };
      const read = await fetch('${SITE}api/' + path, options).then((answer) => answer.text(), () => '');
      outcomes.push(read === '' ? 'nothing was read' : method + ' ' + path + ': ' + read);
    }
  return outcomes;
})()`;
