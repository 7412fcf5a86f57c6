import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  member,
  OWN_PAGE,
  registrationOf,
  SITE_PASSWORD,
  type SiteApp,
  siteApp,
  Visitor,
} from '../../../../test/apps/site-app.ts';
import { BUDGETS } from '../../../core/accounts/budgets.ts';
import { FAILURES } from '../../../core/accounts/login/login-limits.ts';
import { MAX_SESSIONS } from '../../../core/accounts/login/sessions.ts';
import { purge } from '../../../core/accounts/retention.ts';

let site: SiteApp;
before(async () => {
  site = await siteApp();
});
after(() => site[Symbol.asyncDispose]());

const credentials = (username: string, password = SITE_PASSWORD) => ({ username, password });
const sessionsOf = async (): Promise<number> => {
  const { rows } = await site.database.pool.query('SELECT count(*) FROM site_sessions');
  return rows[0].count;
};
const nameIn = async (visitor: Visitor): Promise<string | undefined> =>
  (await visitor.get('session')).account?.username;

const plainPage = (host: string) => ({ ...OWN_PAGE, origin: `http://${host}` });

test('the cookie is for this host, HTTPS and scripts of nobody', async () => {
  const visitor = await member(site, 'Flags');
  const { response } = await visitor.ask('POST', 'sign-in', credentials('flags'));
  const set = String(response.headers['set-cookie']);
  assert.match(set, /^__Host-longwave=[\w-]{43}; /);
  assert.deepEqual(set.split('; ').slice(1).toSorted(), [
    'HttpOnly',
    'Max-Age=2592000',
    'Path=/',
    'SameSite=Lax',
    'Secure',
  ]);
  const { rows } = await site.database.pool.query('SELECT token_hash::text, agent FROM site_sessions');
  assert.ok(!JSON.stringify(rows).includes(visitor.cookie?.split('=')[1] ?? 'x'), 'only a hash is kept');
});

test('over plain HTTP, where the operator allows it, the cookie has the bare name', async () => {
  await using home = await siteApp({ legacyCredentials: true });
  const visitor = new Visitor(home, { host: 'radio.test' });
  const { status, response } = await visitor.ask(
    'POST',
    'register',
    registrationOf('Home'),
    plainPage('radio.test'),
  );
  assert.equal(status, 201);
  assert.match(String(response.headers['set-cookie']), /^longwave=[\w-]{43}; (?!.*Secure)/);
  assert.equal(await nameIn(visitor), 'Home');
  const secure = new Visitor(home);
  secure.cookie = visitor.cookie;
  assert.equal(await nameIn(secure), undefined, 'over HTTPS only the name with the prefix counts');
});

test('at home, where the operator allows it, nobody needs HTTPS; elsewhere everybody does', async () => {
  await using home = await siteApp({ homeSignIn: true, publicHosts: [] });
  const from = (host: string, more: Record<string, string> = {}): Visitor =>
    new Visitor(home, { host, ...more });
  const visitor = from('192.168.1.5:8700');
  const { status, response } = await visitor.ask(
    'POST',
    'register',
    registrationOf('House'),
    plainPage('192.168.1.5:8700'),
  );
  assert.equal(status, 201);
  assert.match(String(response.headers['set-cookie']), /^longwave=[\w-]{43}; .*HttpOnly; SameSite=Lax$/);
  assert.partialDeepStrictEqual(await visitor.get('session'), {
    signIn: 'open',
    isPlain: true,
    account: { username: 'House' },
  });
  for (const other of [
    from('rebind.attacker.example'),
    from('192.168.1.5.nip.io:8700'),
    from('radio.example.org'),
    from('192.168.1.5:8700', { 'x-forwarded-for': '8.8.8.8' }),
  ]) {
    other.cookie = visitor.cookie;
    assert.deepEqual(await other.get('session'), { account: null, signIn: 'insecure' });
    assert.equal((await other.ask('GET', 'presets')).status, 403);
  }
  const rebound = await from('rebind.attacker.example').ask(
    'POST',
    'sign-in',
    credentials('house'),
    plainPage('rebind.attacker.example'),
  );
  assert.equal(rebound.json.error.code, 'site.insecure');
});

test('and no page of another host signs in there', async () => {
  await using home = await siteApp({ homeSignIn: true, publicHosts: [] });
  const visitor = new Visitor(home, { host: 'localhost:8700' });
  const elsewhere = { ...OWN_PAGE, origin: 'http://localhost:9000' };
  const { json } = await visitor.ask('POST', 'sign-in', credentials('house'), elsewhere);
  assert.equal(json.error.code, 'site.otherSite');
});

test('signing in always begins another session, whatever cookie comes with it', async () => {
  const visitor = await member(site, 'Fixed');
  const first = visitor.cookie;
  const chosen = `__Host-longwave=${'A'.repeat(43)}`;
  const victim = new Visitor(site);
  victim.cookie = chosen;
  await victim.send('POST', 'sign-in', credentials('fixed'));
  assert.notEqual(victim.cookie, chosen);
  assert.notEqual(victim.cookie, first);
  const attacker = new Visitor(site);
  attacker.cookie = chosen;
  assert.equal(await nameIn(attacker), undefined);
  const earlier = victim.cookie;
  await victim.send('POST', 'sign-in', credentials('fixed'));
  const old = new Visitor(site);
  old.cookie = earlier;
  assert.equal(await nameIn(old), undefined, 'the one before is over');
  assert.equal(await nameIn(visitor), 'Fixed', 'those of other browsers go on');
});

test('signing out ends the session for every copy of the cookie, and can be said twice', async () => {
  const visitor = await member(site, 'Outgoing');
  const copy = new Visitor(site);
  copy.cookie = visitor.cookie;
  const had = await sessionsOf();
  await visitor.send('POST', 'sign-out');
  assert.equal(visitor.cookie, undefined);
  assert.equal(await sessionsOf(), had - 1);
  assert.equal((await copy.ask('GET', 'presets')).status, 401);
  await copy.send('POST', 'sign-out');
});

test('another password ends all sessions but the new one of who changed it', async () => {
  const here = await member(site, 'Changer');
  const there = new Visitor(site);
  await there.send('POST', 'sign-in', credentials('changer'));
  const { status } = await here.ask('PATCH', 'me', {
    password: { old: 'wrong wrong', new: 'another long one' },
  });
  assert.equal(status, 403);
  const old = here.cookie;
  await here.send('PATCH', 'me', { password: { old: SITE_PASSWORD, new: 'another long one' } });
  assert.notEqual(here.cookie, old);
  assert.deepEqual([await nameIn(here), await nameIn(there)], ['Changer', undefined]);
  assert.equal((await there.ask('POST', 'sign-in', credentials('changer'))).status, 401);
  await there.send('POST', 'sign-in', credentials('changer', 'another long one'));
});

test('a session that is not used for thirty days is over, one that is used goes on', async () => {
  await using own = await siteApp();
  const idle = await member(own, 'Idle');
  const busy = await member(own, 'Busy');
  for (let day = 0; day < 31; day++) {
    own.clock.advance({ hours: 24 });
    assert.equal(await nameIn(busy), 'Busy', `day ${day}`);
  }
  assert.equal(await nameIn(idle), undefined);
  assert.equal(idle.cookie, undefined, 'a cookie that opens nothing is taken away');
  await own.database.pool.query(
    "UPDATE site_sessions SET expires_at = now() - interval '1 day' WHERE agent IS NOT NULL",
  );
  await purge(own.database.pool);
  const { rows } = await own.database.pool.query('SELECT count(*) FROM site_sessions');
  assert.equal(rows[0].count, 0);
});

test('an account has some sessions and no more; the one seen longest ago goes', async () => {
  await using own = await siteApp();
  const first = await member(own, 'Many');
  for (let n = 0; n < MAX_SESSIONS; n++) {
    own.clock.advance({ seconds: 1 });
    await new Visitor(own).send('POST', 'sign-in', credentials('many'));
  }
  const { rows } = await own.database.pool.query('SELECT count(*) FROM site_sessions');
  assert.equal(rows[0].count, MAX_SESSIONS);
  assert.equal(await nameIn(first), undefined);
});

test('wrong passwords at the site and from radios are counted together', async () => {
  await using own = await siteApp();
  await member(own, 'Guessed');
  const outcomes: number[] = [];
  for (let n = 0; n < FAILURES.strangers.burst; n++) {
    const headers = { ...OWN_PAGE, 'x-forwarded-for': `203.0.${n}.9` };
    outcomes.push(
      (await new Visitor(own).ask('POST', 'sign-in', credentials('guessed', `guess ${n}`), headers)).status,
    );
  }
  assert.deepEqual(new Set(outcomes), new Set([401]));
  const headers = { host: 'radio.test', 'x-forwarded-proto': 'https', 'x-forwarded-for': '198.51.100.9' };
  const payload = 'c=auth&partnerId=maker&username=guessed&password=one+more';
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const radio = await own.app.inject({
    method: 'POST',
    url: '/Account.ashx',
    headers: { ...headers, ...type },
    payload,
  });
  assert.equal(radio.statusCode, 429);
  const page = { ...OWN_PAGE, 'x-forwarded-for': '192.0.2.9' };
  const { status, response, json } = await new Visitor(own).ask(
    'POST',
    'sign-in',
    credentials('guessed'),
    page,
  );
  assert.deepEqual([status, json.error.code], [429, 'request.tooMany']);
  assert.ok(Number(response.headers['retry-after']) > 0);
});

test('new accounts at the site and from radios are counted together', async () => {
  await using own = await siteApp({ budgets: { ...BUDGETS } });
  const [perHour] = BUDGETS.create;
  for (let n = 0; n < perHour.burst; n++)
    await own.radio('Account', {
      c: 'create',
      username: `r${n}`,
      password: 'Secret1!',
      email: `r${n}@mail.example`,
      postalCode: '90210',
    });
  const { status } = await new Visitor(own).ask('POST', 'register', registrationOf('Late'));
  assert.equal(status, 429);
});

test('the device password opens the site until there is one of its own, and never after', async () => {
  await site.radio('Account', {
    c: 'create',
    username: 'Radio',
    password: 'Short1!',
    email: 'radio@mail.example',
    postalCode: '90210',
  });
  const visitor = new Visitor(site);
  const { account } = await visitor.send('POST', 'sign-in', credentials('radio', 'Short1!'));
  assert.equal(account.needsPassword, true);
  assert.equal((await visitor.ask('POST', 'me/device-password')).json.error.code, 'site.needsPassword');
  await visitor.send('PATCH', 'me', { password: { old: 'Short1!', new: SITE_PASSWORD } });
  const auth = (password: string) => site.radio('Account', { c: 'auth', username: 'radio', password });
  assert.match(await auth('Short1!'), /<status>200</, 'radios keep theirs');
  assert.match(await auth(SITE_PASSWORD), /validation\.credentials/);
  assert.equal((await new Visitor(site).ask('POST', 'sign-in', credentials('radio', 'Short1!'))).status, 401);
  const { password } = await visitor.send('POST', 'me/device-password');
  assert.match(password, /^[!-~]{12}$/);
  assert.match(await auth(password), /<status>200</);
  assert.match(await auth('Short1!'), /validation\.credentials/);
  assert.equal(
    await nameIn(visitor),
    'Radio',
    "another password of radios is no concern of the site's sessions",
  );
});

test("the protocol's pages know no cookie", async () => {
  const visitor = await member(site, 'Cookie');
  await visitor.send('POST', 'presets', { guideId: 's1' }, 201);
  const url = '/Preset.ashx?c=listFolders&partnerId=maker&render=json';
  const headers = { host: 'radio.test', 'x-forwarded-proto': 'https' };
  const without = await site.app.inject({ url, headers });
  const cookie = visitor.cookie ?? '';
  assert.equal((await site.app.inject({ url, headers: { ...headers, cookie } })).body, without.body);
  const src = join(import.meta.dirname, '../../..');
  const readers = globSync('**/*.ts', { cwd: src }).filter(
    (file) =>
      !file.endsWith('.test.ts') &&
      /headers\.cookie|\['cookie'\]|cookies?\b\s*\(/.test(readFileSync(join(src, file), 'utf8')),
  );
  assert.deepEqual(readers.toSorted(), [
    'protocols/gpodder/sign-in.ts',
    'protocols/site/session/site-exchange.ts',
  ]);
});

test('no password, no token and no e-mail address is in the log', async () => {
  const visitor = await member(site, 'Logged');
  const log = site.logLines.join('\n');
  for (const secret of [SITE_PASSWORD, 'logged@mail.example', visitor.cookie?.split('=')[1] ?? ''])
    assert.ok(secret !== '' && !log.includes(secret));
});
