import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  codeOf,
  member,
  registrationOf,
  SITE_PASSWORD,
  type SiteApp,
  siteApp,
  Visitor,
} from '../../../../test/apps/site-app.ts';
import { addListToken } from '../../../core/accounts/list-tokens.ts';
import { purge } from '../../../core/accounts/retention.ts';

let site: SiteApp;
before(async () => {
  site = await siteApp();
});
after(() => site[Symbol.asyncDispose]());

const WRONG: [field: string, more: object, status?: number][] = [
  ['username', { username: 'thirteenchars' }],
  ['username', { username: 'admin' }],
  ['username', { username: 'TAKEN' }, 409],
  ['password', { password: 'short 7' }],
  ['password', { password: 'x'.repeat(129) }],
  ['email', { email: 'nobody' }],
  ['email', { email: 'Taken@mail.example' }, 409],
  // In lower case each of these letters is two.
  ['email', { email: `${'İ'.repeat(60)}@${'İ.'.repeat(63)}example` }],
  ['email', { email: `a@${`${'İ'.repeat(60)}.`.repeat(4)}example` }],
  ['password', { password: 'äöüé'.normalize('NFD') }],
  ['language', { language: 'xx' }],
  ['place.city', { place: { city: 'Nowherehausen', country: 'DE' } }],
  ['place.country', { place: { city: 'Hamburg', country: 'Germany' } }],
  ['place.postal', { place: { postal: '1' } }],
  ['place.id', { place: { id: 'r0' } }],
  ['place', { place: 'Hamburg' }],
];
for (const [index, [field, more, status = 400]] of WRONG.entries())
  test(`a registration is refused with its field named: ${JSON.stringify(more).slice(0, 60)}`, async () => {
    if (status === 409) await new Visitor(site).ask('POST', 'register', registrationOf('Taken'));
    const { status: said, json } = await new Visitor(site).ask(
      'POST',
      'register',
      registrationOf(`W${index}`, more),
    );
    assert.deepEqual([said, json.error.field], [status, field]);
    assert.ok(json.error.message.length > 10);
  });

test('who registers is signed in, and finds what was told', async () => {
  const visitor = await member(site, 'Ann');
  const { account, signIn } = await visitor.get('session');
  assert.equal(signIn, 'open');
  assert.partialDeepStrictEqual(account, {
    username: 'Ann',
    email: 'ann@mail.example',
    zone: 'Europe/Berlin',
    language: 'de',
    place: { city: 'Hamburg', country: 'DE' },
    needsPassword: false,
    isOperator: false,
  });
});

test('a place is suggested as it is typed, the largest first, and can be chosen', async () => {
  const visitor = await member(site, 'Placer');
  const { places } = await visitor.get('places?text=san%20fr');
  assert.partialDeepStrictEqual(places[0], { city: 'San Francisco', state: 'California', country: 'US' });
  const { account } = await visitor.send('PATCH', 'me', { place: { id: places[0].id } });
  assert.partialDeepStrictEqual(account, { zone: 'America/Los_Angeles', place: { id: places[0].id } });
  assert.deepEqual((await visitor.get('places?text=x')).places, []);
  assert.ok((await visitor.get('places?text=%C3%9Asti')).places.length > 0, 'accents count for nothing');
});

test('an account is changed field by field', async () => {
  const visitor = await member(site, 'Changing');
  const { account } = await visitor.send('PATCH', 'me', {
    email: 'other@mail.example',
    currentPassword: SITE_PASSWORD,
    zone: 'Asia/Tokyo',
    readByName: false,
    language: 'ja',
  });
  assert.partialDeepStrictEqual(account, {
    email: 'other@mail.example',
    zone: 'Asia/Tokyo',
    readByName: false,
    language: 'ja',
  });
  const url = '/Browse.ashx?c=presets&username=changing&partnerId=maker';
  await visitor.send('POST', 'presets', { guideId: 's1' }, 201);
  assert.doesNotMatch((await site.app.inject({ url, headers: { host: 'radio.test' } })).body, /s1/);
  await member(site, 'Second');
  const { status, json } = await visitor.ask('PATCH', 'me', {
    email: 'SECOND@mail.example',
    currentPassword: SITE_PASSWORD,
  });
  assert.deepEqual([status, json.error.code], [400, 'validation.emailExists']);
  const again = await new Visitor(site).ask(
    'POST',
    'register',
    registrationOf('Third', { email: 'changing@mail.example' }),
  );
  assert.equal(again.status, 201, 'the address that was given up is free');
  assert.equal((await visitor.ask('PATCH', 'me', { zone: 'Mars/Base' })).json.error.field, 'zone');
});

test('another e-mail address wants the password: who found a browser signed in has none', async () => {
  const visitor = await member(site, 'Mailing');
  const email = 'mallory@mail.example';
  const [without, wrong] = [{ email }, { email, currentPassword: 'not this one' }];
  assert.partialDeepStrictEqual(await visitor.ask('PATCH', 'me', without), {
    status: 400,
    json: { error: { field: 'currentPassword' } },
  });
  assert.equal((await visitor.ask('PATCH', 'me', wrong)).status, 403);
  assert.equal((await visitor.get('session')).account.email, 'mailing@mail.example');
});

test('everything kept about an account is exported, and no hash', async () => {
  const visitor = await member(site, 'Exporter');
  await visitor.send('POST', 'presets', { guideId: 's1' }, 201);
  await visitor.send('POST', 'radios/pair', { code: await codeOf(site, 'exported') }, 201);
  const { text, response } = await visitor.ask('GET', 'me/export');
  assert.match(String(response.headers['content-disposition']), /^attachment/);
  const data = JSON.parse(text);
  assert.partialDeepStrictEqual(data, {
    account: { email: 'exporter@mail.example' },
    sessions: [{}],
    radios: [{}],
  });
  assert.equal(data.folders[0].presets[0].guideId, 's1');
  assert.doesNotMatch(text, /argon|hash/i);
});

test('a closed account is hidden at once, back when its owner signs in, and gone after thirty days', async () => {
  const { pool } = site.database;
  const visitor = await member(site, 'Leaver');
  await visitor.send('POST', 'presets', { guideId: 's1' }, 201);
  await visitor.send('POST', 'radios/pair', { code: await codeOf(site, 'left') }, 201);
  const { password } = await visitor.send('POST', 'me/device-password', {});
  await visitor.send('POST', 'apps', { app: 'phone' }, 201);
  const auth = () => site.radio('Account', { c: 'auth', username: 'leaver', password });
  assert.match(await auth(), /<status>200</);
  assert.equal((await visitor.ask('DELETE', 'me', { password: 'not this one' })).status, 403);
  const other = new Visitor(site);
  await other.send('POST', 'sign-in', { username: 'leaver', password: SITE_PASSWORD });
  assert.deepEqual(await visitor.send('DELETE', 'me', { password: SITE_PASSWORD }), { deletedInDays: 30 });
  assert.equal((await other.get('session')).account, null);
  assert.match(await auth(), /validation\.credentials/);
  const url = '/Browse.ashx?c=presets&username=leaver&partnerId=maker';
  assert.doesNotMatch((await site.app.inject({ url, headers: { host: 'radio.test' } })).body, /s1/);
  assert.doesNotMatch(await site.radio('Browse', { c: 'presets', serial: 'left' }), /s1/);

  await purge(pool);
  const { wasClosed } = await other.send('POST', 'sign-in', { username: 'leaver', password: SITE_PASSWORD });
  assert.equal(wasClosed, true);
  assert.equal((await other.get('presets')).folders[0].presets[0].guideId, 's1');

  await other.send('DELETE', 'me', { password: SITE_PASSWORD });
  const { rows } = await pool.query("SELECT id FROM accounts WHERE username = 'Leaver'");
  await addListToken(pool, rows[0].id);
  await pool.query(`INSERT INTO app_devices VALUES (${rows[0].id}, 'phone', '', 'mobile');
    INSERT INTO feed_subscriptions VALUES (${rows[0].id}, gen_random_uuid(), 'https://a.example/', NULL, false, 1);
    INSERT INTO episode_actions (account_id, episode_key, device, action, podcast, episode, serial)
      VALUES (${rows[0].id}, gen_random_uuid(), 'phone', 'play', 'https://a.example/', 'https://a.example/1', 1)`);
  await pool.query("UPDATE accounts SET closed_at = now() - interval '31 days' WHERE id = $1", [rows[0].id]);
  await purge(pool);
  const tables = [
    'presets',
    'folders',
    'known_networks',
    'account_devices',
    'site_sessions',
    'list_tokens',
    'app_passwords',
    'app_devices',
    'feed_subscriptions',
    'episode_actions',
    'usernames',
    'emails',
    'devices',
  ];
  for (const table of tables) {
    const left = await pool.query(`SELECT count(*) FROM ${table} WHERE account_id = $1`, [rows[0].id]);
    assert.equal(left.rows[0].count, 0, table);
  }
  assert.equal((await pool.query('SELECT FROM accounts WHERE id = $1', [rows[0].id])).rowCount, 0);
  await member(site, 'Leaver');
});
