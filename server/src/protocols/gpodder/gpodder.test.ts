import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ANN, addFeed, type AppsApp, appsApp, BO, feedOf } from '../../../test/apps/apps-app.ts';
import { addPreset } from '../../core/accounts/presets/save-preset.ts';
import { removePreset } from '../../core/accounts/presets/arrange-presets.ts';
import { listSavedItems } from '../../core/accounts/presets/presets.ts';
import { gpodder } from './gpodder.ts';

let app: AppsApp;
before(async () => {
  app = await appsApp(gpodder);
});
after(() => app?.[Symbol.asyncDispose]());

const basic = (name: string, password: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
});
const asBo = () => basic('bo', app.passwords.bo);

async function get(url: string, headers = basic('ann', app.passwords.ann)): Promise<any> {
  const { statusCode, body } = await app.ask({ url, headers });
  assert.equal(statusCode, 200, `${url}: ${body}`);
  return JSON.parse(body);
}
async function post(url: string, value: unknown, headers = basic('ann', app.passwords.ann)): Promise<any> {
  // As mygpoclient sends it.
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const payload = JSON.stringify(value);
  const { statusCode, body } = await app.ask({
    url,
    method: 'POST',
    payload,
    headers: { ...headers, ...type },
  });
  assert.equal(statusCode, 200, `${url}: ${body}`);
  return body === '' ? undefined : JSON.parse(body);
}
const saved = async (accountId = ANN): Promise<string[]> =>
  [...(await listSavedItems(app.database.pool, accountId))].filter((id) => id.startsWith('p')).toSorted();

const ELSEWHERE = 'https://elsewhere.example.org/feed';
let since = 0;

test('who has a show as a preset is subscribed to it, and what an app subscribes to is a preset', async () => {
  const first = await get('/api/2/subscriptions/ann/phone.json');
  assert.deepEqual([first.add, first.remove], [[feedOf(101)], []]);
  const told = await post('/api/2/subscriptions/ann/phone.json', {
    add: [
      feedOf(102),
      ` ${ELSEWHERE} `,
      'http://feeds.example.net/p101.xml',
      'ftp://x',
      'https://a:b@x.example/',
    ],
    remove: [],
  });
  assert.deepEqual(told.update_urls, [
    [` ${ELSEWHERE} `, ELSEWHERE],
    ['http://feeds.example.net/p101.xml', feedOf(101)],
    ['ftp://x', ''],
    ['https://a:b@x.example/', ''],
  ]);
  assert.ok(told.timestamp > first.timestamp);
  assert.deepEqual(await saved(), ['p101', 'p102']);
  assert.deepEqual(await get('/subscriptions/ann.json'), [feedOf(101), feedOf(102), ELSEWHERE]);
  const other = await get(`/api/2/subscriptions/ann/tablet.json?since=${first.timestamp}`);
  assert.deepEqual([other.add, other.remove], [[feedOf(102), ELSEWHERE], []]);
  const none = await get(`/api/2/subscriptions/ann/tablet.json?since=${other.timestamp}`);
  assert.deepEqual(none, { add: [], remove: [], timestamp: other.timestamp });
  since = other.timestamp;
});

test('what a radio or the site saves and removes is told to phones', async () => {
  const { pool } = app.database;
  await addPreset(pool, ANN, 2 * 1024 + 7, { kind: 'p', itemId: 103, label: 'Evening 3' });
  await removePreset(pool, ANN, undefined, { kind: 'p', itemId: 101 });
  const changes = await get(`/api/2/subscriptions/ann/phone.json?since=${since}`);
  assert.deepEqual([changes.add, changes.remove], [[feedOf(103)], [feedOf(101)]]);
  assert.deepEqual((await get('/api/2/subscriptions/ann/new.json')).remove, [], 'nothing to remove at first');
  since = changes.timestamp;
});

test('an ended subscription leaves every folder, with the count of presets', async () => {
  const { pool } = app.database;
  await post('/api/2/subscriptions/ann/phone.json', { remove: [feedOf(103), feedOf(112)] });
  assert.deepEqual(await saved(), ['p102']);
  const changes = await get(`/api/2/subscriptions/ann/phone.json?since=${since}`);
  assert.deepEqual([changes.add, changes.remove], [[], [feedOf(103)]]);
  const { rows } =
    await pool.query(`SELECT preset_count, (SELECT count(*) FROM presets JOIN folders f ON f.id = folder_id
    AND f.account_id = presets.account_id AND removed_at IS NULL WHERE presets.account_id = ${ANN}) AS rows FROM accounts WHERE id = ${ANN}`);
  assert.equal(rows[0].preset_count, rows[0].rows);
});

test('a feed that the directory comes to have becomes a preset by itself', async () => {
  await addFeed(app.database.pool, 120, ELSEWHERE);
  assert.deepEqual(await get('/subscriptions/ann/phone.json'), [feedOf(102), ELSEWHERE]);
  assert.deepEqual(await saved(), ['p102', 'p120']);
});

test('a whole list is put and read in three formats', async () => {
  const headers = asBo();
  const put = async (format: string, payload: string) =>
    app.ask({ url: `/subscriptions/bo/pc.${format}`, method: 'PUT', payload, headers });
  for (const [format, payload] of [
    ['txt', `${feedOf(105)}\r\n\r\n${ELSEWHERE}?a=1&b=2\n`],
    ['json', JSON.stringify([feedOf(106), `${ELSEWHERE}?a=1&b=2`])],
    [
      'opml',
      `<opml><body><outline text="x" url="https://evening.example.net/" xmlUrl="${feedOf(107)}"/><outline text="y" xmlUrl="${ELSEWHERE}?a=1&amp;b=2"/></body></opml>`,
    ],
  ] as const) {
    const { statusCode, body } = await put(format, payload);
    assert.deepEqual([statusCode, body], [200, '']);
    const { body: read } = await app.ask({ url: `/subscriptions/bo/pc.${format}`, headers });
    const { body: again } = await app.ask({ url: `/subscriptions/bo.${format}`, headers });
    assert.equal(read, again);
    assert.equal((await put(format, read)).statusCode, 200);
    assert.equal(
      (await app.ask({ url: `/subscriptions/bo.${format}`, headers })).body,
      read,
      'it reads its own',
    );
  }
  assert.deepEqual(await saved(BO), ['p107']);
  assert.deepEqual((await put('opml', '<rss/>')).statusCode, 400);
  assert.deepEqual((await put('json', '{')).statusCode, 400);
  assert.deepEqual((await put('json', '[5]')).statusCode, 400);
});

test('devices are what apps say of them, and fifty at most', async () => {
  await post('/api/2/devices/bo/phone.json', { caption: "Bo's phone", type: 'mobile' }, asBo());
  await post('/api/2/devices/bo/phone.json', {}, asBo());
  const devices = await get('/api/2/devices/bo.json', asBo());
  assert.deepEqual(devices, [
    { id: 'pc', caption: '', type: 'other', subscriptions: 2 },
    { id: 'phone', caption: "Bo's phone", type: 'mobile', subscriptions: 2 },
  ]);
  for (const body of ['{"type":"toaster"}', '{"caption":5}', '[]', '"x"']) {
    const answer = await app.ask({
      url: '/api/2/devices/bo/x.json',
      method: 'POST',
      payload: body,
      headers: asBo(),
    });
    assert.equal(answer.statusCode, 400, body);
  }
  for (let n = 0; n < 48; n++) await post(`/api/2/devices/bo/n${n}.json`, {}, asBo());
  const full = await app.ask({
    url: '/api/2/devices/bo/more.json',
    method: 'POST',
    payload: '{}',
    headers: asBo(),
  });
  assert.deepEqual([full.statusCode, full.body.slice(0, 27)], [400, 'An account can have 50 devi']);
});

const play = (episode: number, position: number, timestamp: string, device = 'phone') => ({
  podcast: feedOf(102),
  episode: `https://feeds.example.net/${episode}.mp3`,
  device,
  action: 'play',
  timestamp,
  started: 0,
  position,
  total: 600,
});

test('actions are kept, the last of each kind, and told since a timestamp', async () => {
  const url = '/api/2/episodes/ann.json';
  const { timestamp } = await post(url, [
    play(1, 60, '2026-04-02T10:00:00'),
    play(2, 5, '2026-04-02T10:01:00'),
  ]);
  assert.deepEqual((await get(url)).actions, [
    play(1, 60, '2026-04-02T10:00:00'),
    play(2, 5, '2026-04-02T10:01:00'),
  ]);
  assert.deepEqual(await get(`${url}?since=${timestamp}`), { actions: [], timestamp });
  const late = play(1, 10, '2026-04-02T09:00:00');
  await post(url, [late, play(1, 90, '2026-04-02T11:00:00', 'tablet'), { ...late, action: 'DELETE' }]);
  const { actions } = await get(`${url}?since=${timestamp}`);
  assert.deepEqual(
    actions.map(({ action, device, position }: Record<string, unknown>) => [action, device, position]),
    [
      ['play', 'tablet', 90],
      ['delete', 'phone', undefined],
    ],
    'what happened before is not told after',
  );
  const ofTablet = await get(`${url}?device=tablet`);
  assert.equal(ofTablet.actions.length, 1);
  assert.equal((await get(`${url}?podcast=${encodeURIComponent(feedOf(101))}`)).actions.length, 0);
  assert.equal((await get(`${url}?aggregated=true`)).actions.length, 2);
  const { update_urls: refused } = await post(url, [
    { ...late, episode: 'no address' },
    { ...late, podcast: 'https://half.example/\ud800', timestamp: '+275760-09-13T00:00:00Z' },
  ]);
  assert.equal(refused.length, 2);
  await post(url, [{ ...play(3, 1, '+275760-09-13T00:00:00Z') }]);
  for (const wrong of [
    '{}',
    '[5]',
    '[{"action":"play"}]',
    '[{"action":"eat","podcast":"https://x.example/","episode":"https://x.example/1"}]',
  ])
    assert.equal(
      (await app.ask({ url, method: 'POST', payload: wrong, headers: basic('ann', app.passwords.ann) }))
        .statusCode,
      400,
      wrong,
    );
});

test('many actions come in pages, and the oldest go', async () => {
  const url = '/api/2/episodes/bo.json';
  for (let part = 0; part < 6; part++)
    await post(
      url,
      Array.from({ length: 1900 }, (_, n) => play(part * 1900 + n, n, '2026-04-02T10:00:00')),
      asBo(),
    );
  const seen = new Set<string>();
  let [timestamp, pages] = [0, 0];
  for (;;) {
    const page = await get(`${url}?since=${timestamp}`, asBo());
    if (page.actions.length === 0) break;
    for (const { episode } of page.actions) seen.add(episode);
    [timestamp, pages] = [page.timestamp, pages + 1];
  }
  assert.deepEqual([seen.size, pages], [10_000, 5]);
  assert.ok(
    !seen.has('https://feeds.example.net/1.mp3') && seen.has(`https://feeds.example.net/${6 * 1900 - 1}.mp3`),
  );
});

test('the directory is found by apps: the most popular, a search, a genre, a feed', async () => {
  const top = await get('/toplist/3.json', {});
  assert.deepEqual(top[0], {
    url: feedOf(101),
    title: 'Evening 1',
    description: 'An hour of old songs, number 1',
    author: '',
    subscribers: 99,
    subscribers_last_week: 99,
    logo_url: 'http://radio.test/logos/p101q.png',
    scaled_logo_url: 'http://radio.test/logos/p101q.png',
    website: '',
    mygpo_link: 'http://radio.test/listen/show/p101',
  });
  assert.equal(top.length, 3);
  assert.match(
    (await app.ask({ url: '/toplist/2.opml' })).body,
    /xmlUrl="https:\/\/feeds\.example\.net\/p102\.xml"/,
  );
  assert.ok((await get('/search.json?q=evening', {})).length > 5);
  assert.deepEqual(await get('/search.json?q=', {}), []);
  assert.ok((await get('/api/2/tags/10.json', {})).some(({ tag }: { tag: string }) => tag === 'folk'));
  assert.equal((await get('/api/2/tag/folk/4.json', {})).length, 4);
  assert.equal((await get(`/api/2/data/podcast.json?url=${feedOf(104)}`, {})).title, 'Evening 4');
  assert.deepEqual(
    (await get('/suggestions/2.json')).map(({ url }: { url: string }) => url),
    [feedOf(101), feedOf(103)],
    'p102 is subscribed to',
  );
  assert.equal((await get('/clientconfig.json', {})).mygpo.baseurl, 'http://radio.test/');
  for (const url of ['/toplist/0.json', '/toplist/x.json'])
    assert.equal((await app.ask({ url })).statusCode, 400);
  for (const url of [
    '/toplist/5.exe',
    '/api/2/tag/nothing/5.json',
    '/api/2/data/podcast.json?url=x',
    '/api/2/x.json',
    '/api/2/',
  ])
    assert.equal((await app.ask({ url })).statusCode, 404, url);
});

test('who is asked for a password gets a cookie, and needs no password again', async () => {
  const url = '/subscriptions/ann/phone.json';
  const challenge = await app.ask({ url });
  assert.equal(challenge.statusCode, 401);
  assert.equal(challenge.headers['www-authenticate'], 'Basic realm="Longwave", charset="UTF-8"');
  const login = await app.ask({
    url: '/api/2/auth/Ann/login.json',
    method: 'POST',
    headers: basic('ann', app.passwords.ann),
  });
  assert.equal(login.statusCode, 200);
  const [cookie = ''] = String(login.headers['set-cookie']).split(';');
  assert.match(
    String(login.headers['set-cookie']),
    /^sessionid=[\w.-]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age/,
  );
  assert.equal((await app.ask({ url, headers: { cookie } })).statusCode, 200);
  assert.equal((await app.ask({ url: '/subscriptions/bo/phone.json', headers: { cookie } })).statusCode, 403);
  assert.equal((await app.ask({ url, headers: { cookie: `${cookie}x` } })).statusCode, 401);
  const out = await app.ask({ url: '/api/2/auth/ann/logout.json', method: 'POST', headers: { cookie } });
  assert.match(String(out.headers['set-cookie']), /^sessionid=; .*Max-Age=0/);
  assert.equal((await app.ask({ url, headers: basic('ann', app.passwords.bo) })).statusCode, 401);
});

test('nothing of an account is told without HTTPS, unless it is allowed', async () => {
  await using strict = await appsApp(gpodder, { legacyCredentials: false });
  const headers = basic('ann', strict.passwords.ann);
  assert.equal((await strict.ask({ url: '/subscriptions/ann.json', headers })).statusCode, 403);
  assert.equal((await strict.ask({ url: '/toplist/5.json' })).statusCode, 200);
});

test('passwords are in no log, and a thousand podcasts are the end', async () => {
  const many = Array.from({ length: 1001 }, (_, n) => `https://many.example.org/${n}`);
  const payload = JSON.stringify({ add: many });
  const url = '/api/2/subscriptions/bo/phone.json';
  const full = await app.ask({ url: url.replace('phone', 'pc'), method: 'POST', payload, headers: asBo() });
  assert.deepEqual([full.statusCode, full.body.slice(0, 30)], [400, 'An account can have 1000 podca']);
  assert.equal((await get('/subscriptions/bo.json', asBo())).length, 2, 'all or none');
  assert.equal(
    (await app.ask({ url, method: 'POST', payload: 'x'.repeat(2 ** 20 + 1), headers: asBo() })).statusCode,
    413,
  );
  const log = app.logLines.join('\n');
  for (const secret of Object.values(app.passwords)) assert.ok(!log.includes(secret));
});
