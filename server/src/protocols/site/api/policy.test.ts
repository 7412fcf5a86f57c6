import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MEMBER_KEY } from '../../../../test/apps/account-app.ts';
import { type MailServer, openMailServer } from '../../../../test/servers/mail-server.ts';
import {
  codeOf,
  member,
  ORIGIN,
  OWN_PAGE,
  registrationOf,
  type SiteApp,
  siteApp,
  Visitor,
} from '../../../../test/apps/site-app.ts';
import { findAccountIdByUsername } from '../../../core/accounts/accounts.ts';
import { memberKeys } from '../../../core/accounts/keys.ts';
import { offerLink } from '../../../core/accounts/mail/password-by-mail.ts';
import { makeOperator, offerOperatorLink } from '../../../core/accounts/operators.ts';
import type { SiteRoute } from './deps.ts';
import { ROUTES } from './routes.ts';

const FORGOTTEN = { password: 'net-mended-at-noon-3' };

let mail: MailServer;
let site: SiteApp;
let ann: Visitor;
let bo: Visitor;
/** What is Bo's, by the part of a path or body that names it. */
const his = { preset: '', folder: '', radio: '', app: '' };

before(async () => {
  mail = await openMailServer();
  site = await siteApp({ mailer: mail.mailer });
  ann = await member(site, 'Ann');
  bo = await member(site, 'Bo');
  const { id } = await bo.send('POST', 'folders', { name: 'Kitchen' }, 201);
  his.folder = id;
  const { folders } = await bo.send('POST', 'presets', { guideId: 's1' }, 201);
  his.preset = folders[0].presets[0].id;
  const { radios } = await bo.send('POST', 'radios/pair', { code: await codeOf(site, 'his') }, 201);
  his.radio = radios[0].id;
  his.app = (await bo.send('POST', 'apps', { app: 'phone' }, 201)).apps[0].id;
});
after(async () => {
  await site?.[Symbol.asyncDispose]();
  await mail?.[Symbol.asyncDispose]();
});

const nameOf = ({ method, path }: SiteRoute): string => `${method} ${path}`;
let count = 0;
const isWrite = ({ method }: SiteRoute): boolean => method !== 'GET';

/** A call that would do its work, made anew each time: most of them can be made once. */
const RIGHT: Readonly<Record<string, () => Promise<{ as?: Visitor; path?: string; body?: unknown }>>> = {
  'GET session': async () => ({}),
  'POST sign-in': async () => ({
    as: new Visitor(site),
    body: { username: 'ann', password: 'a long enough password' },
  }),
  'POST sign-out': async () => ({ as: new Visitor(site) }),
  'POST register': async () => ({ as: new Visitor(site), body: registrationOf('Newcomer') }),
  'POST forgotten': async () => ({ as: new Visitor(site), body: { who: 'ann' } }),
  'POST new-password': async () => {
    const username = `Forgot${count++}`;
    await member(site, username);
    return { as: new Visitor(site), body: { username, token: await tokenOf(username), ...FORGOTTEN } };
  },
  'PATCH me': async () => ({ body: { readByName: false } }),
  'DELETE me': async () => ({
    as: await member(site, `Leaver${count++}`),
    body: { password: 'a long enough password' },
  }),
  'GET me/export': async () => ({}),
  'POST me/device-password': async () => ({}),
  'GET apps': async () => ({}),
  'POST apps': async () => ({ body: { app: 'AntennaPod' } }),
  'DELETE apps/:id': async () => {
    const { apps } = await ann.send('POST', 'apps', { app: 'phone' }, 201);
    return { path: `apps/${apps.at(-1).id}` };
  },
  'GET presets': async () => ({}),
  'POST presets': async () => ({ body: { guideId: 's2' } }),
  'PUT presets/order': async () => {
    const { folders } = await ann.get('presets');
    return { body: { folderId: folders[0].id, ids: folders[0].presets.map(({ id }: { id: string }) => id) } };
  },
  'POST presets/merge': async () => ({ body: { guideIds: ['s1'] } }),
  'POST presets/import': async () => ({ body: { text: '#EXTM3U\nhttp://stream.example.net/1\n' } }),
  'GET presets/export': async () => ({}),
  'PATCH presets/:id': async () => {
    const { id: folderId } = await ann.send('POST', 'folders', { name: 'Office' }, 201);
    return { path: `presets/${await presetOf(ann, 's4')}`, body: { folderId } };
  },
  'DELETE presets/:id': async () => ({ path: `presets/${await presetOf(ann, 's5')}` }),
  'POST folders': async () => ({ body: { name: 'Garden' } }),
  'PATCH folders/:id': async () => {
    const { id } = await ann.send('POST', 'folders', { name: 'Attic' }, 201);
    return { path: `folders/${id}`, body: { name: 'Cellar' } };
  },
  'DELETE folders/:id': async () => {
    const { id } = await ann.send('POST', 'folders', { name: 'Shed' }, 201);
    return { path: `folders/${id}` };
  },
  'GET radios': async () => ({}),
  'POST radios/pair': async () => ({ body: { code: await codeOf(site, 'fresh') } }),
  'PATCH radios/:id': async () => ({ path: `radios/${await radioOf(ann, 'named')}`, body: { name: 'Bath' } }),
  'DELETE radios/:id': async () => ({ path: `radios/${await radioOf(ann, 'gone')}` }),
  'POST radios/:id/undo': async () => ({ path: `radios/${await radioOf(ann, 'undone')}/undo` }),
  'GET radios/:id/requests': async () => ({ path: `radios/${await radioOf(ann, 'asked')}/requests` }),
  'GET places': async () => ({ path: 'places?text=hamb' }),
  'GET episodes': async () => ({ path: 'episodes?shows=p1,p2' }),
  'GET stations': async () => ({ path: 'stations?in=r0' }),
  'POST suggestions': async () => ({
    as: new Visitor(site),
    body: { name: 'Quay Radio', address: `http://quay${count++}.example.net/live` },
  }),
  'GET suggestions/:id': async () => ({ as: new Visitor(site), path: `suggestions/${await suggested()}` }),
  'GET map': async () => ({}),
  'GET map/names': async () => ({}),
  'GET map/labels': async () => ({}),
  'GET setup': async () => ({}),
  'POST operator': async () => ({ body: { token: await offerOperatorLink(site.database.pool) } }),
  'GET operator': async () => {
    return { as: await keeper() };
  },
  'GET operator/suggestions': async () => ({ as: await keeper() }),
  'POST operator/suggestions/:id': async () => {
    const id = await suggested();
    await site.database.pool.query("UPDATE suggestions SET state = 'heard' WHERE address_key = $1", [id]);
    return { as: await keeper(), path: `operator/suggestions/${id}`, body: { accept: true } };
  },
};

/** Somebody who looks after the installation. */
async function keeper(): Promise<Visitor> {
  const username = `Keeper${count++}`;
  const as = await member(site, username);
  const { pool } = site.database;
  await makeOperator(pool, (await findAccountIdByUsername(pool, username)) ?? assert.fail());
  return as;
}

/** The id of a suggestion. */
async function suggested(): Promise<string> {
  // A network may suggest a few stations an hour.
  site.clock.advance({ hours: 1 });
  const body = { name: 'Quay Radio', address: `http://quay${count++}.example.net/live` };
  return (await new Visitor(site).send('POST', 'suggestions', body, 201)).id;
}

/** What a link in a letter would hold. */
async function tokenOf(username: string): Promise<string> {
  const { pool } = site.database;
  const id = (await findAccountIdByUsername(pool, username)) ?? assert.fail();
  return offerLink(pool, memberKeys(MEMBER_KEY), { id, now: site.clock.now() });
}

async function presetOf(who: Visitor, guideId: string): Promise<string> {
  const { folders } = await who.send('POST', 'presets', { guideId }, 201);
  return folders[0].presets.find((preset: { guideId: string }) => preset.guideId === guideId).id;
}

async function radioOf(who: Visitor, serial: string): Promise<string> {
  // Codes may be tried a few times an hour.
  site.clock.advance({ hours: 1 });
  const had = await who.get('radios');
  const code = await codeOf(site, `${serial} ${count++}`);
  const { radios } = await who.send('POST', 'radios/pair', { code }, 201);
  const known = new Set(had.radios.map(({ id }: { id: string }) => id));
  return radios.find(({ id }: { id: string }) => !known.has(id)).id;
}

test('every call says whom it is for, and every one is tried here', () => {
  for (const route of ROUTES)
    assert.ok(['anyone', 'visitor', 'member', 'operator'].includes(route.who), nameOf(route));
  assert.deepEqual(ROUTES.map(nameOf).toSorted(), Object.keys(RIGHT).toSorted());
});

const without = (...names: string[]) =>
  Object.fromEntries(Object.entries(OWN_PAGE).filter(([key]) => !names.includes(key)));

for (const route of ROUTES) {
  const name = nameOf(route);
  const made = async () => {
    const { as = ann, path = route.path.replace(':id', '1'), body = {} } = (await RIGHT[name]?.()) ?? {};
    return { as, path, body: isWrite(route) ? body : undefined };
  };

  test(`${name} does its work for a page of this host`, async () => {
    const { as, path, body } = await made();
    const { status, text, response } = await as.ask(route.method, path, body);
    assert.ok(status === 200 || status === 201, `${status} ${text}`);
    assert.equal(response.headers['access-control-allow-origin'], undefined);
    assert.equal(response.headers['cross-origin-resource-policy'], 'same-origin');
    if (route.who !== 'anyone') assert.match(String(response.headers['cache-control']), /no-store/);
  });

  test(`${name} is refused to a page of another site`, async () => {
    const { as, path, body } = await made();
    const wrongs: Record<string, string>[] = [{ ...OWN_PAGE, 'sec-fetch-site': 'cross-site' }];
    if (isWrite(route))
      wrongs.push(
        { ...OWN_PAGE, origin: 'https://evil.test' },
        { ...OWN_PAGE, origin: 'null' },
        { ...OWN_PAGE, origin: 'http://radio.test' },
        { ...OWN_PAGE, origin: `${ORIGIN}.evil.test` },
        { ...OWN_PAGE, origin: `${ORIGIN}:8443` },
        { ...OWN_PAGE, 'sec-fetch-site': 'same-site' },
      );
    for (const headers of wrongs) {
      const { status, json } = await as.ask(route.method, path, body, headers);
      assert.deepEqual([status, json.error.code], [403, 'site.otherSite'], JSON.stringify(headers));
    }
  });

  if (isWrite(route))
    test(`${name} is refused without the header, the type, or a word on where it comes from`, async () => {
      const { as, path, body } = await made();
      const form = { ...OWN_PAGE, 'content-type': 'text/plain' };
      const tries: [headers: Record<string, string>, status: number, code: string][] = [
        [without('x-longwave'), 403, 'site.header'],
        [form, 415, 'site.notJson'],
        [{ ...OWN_PAGE, 'content-type': 'application/x-www-form-urlencoded' }, 415, 'site.notJson'],
        [without('origin', 'sec-fetch-site'), 403, 'site.otherSite'],
      ];
      for (const [headers, expected, code] of tries) {
        const { status, json } = await as.ask(route.method, path, body, headers);
        assert.deepEqual([status, json.error.code], [expected, code], JSON.stringify(headers));
      }
    });

  if (route.who === 'operator')
    test(`${name} is refused to other members`, async () => {
      const { status, json } = await bo.ask(route.method, route.path);
      assert.deepEqual([status, json.error.code], [403, 'site.notOperator']);
    });

  if (route.who === 'member' || route.who === 'operator')
    test(`${name} is refused without a session, and with one that never was`, async () => {
      const { path, body } = await made();
      for (const cookie of [
        undefined,
        `__Host-longwave=${'x'.repeat(43)}`,
        '__Host-longwave=1',
        'longwave=1',
      ]) {
        const stranger = new Visitor(site);
        stranger.cookie = cookie;
        const { status, json } = await stranger.ask(route.method, path, body);
        assert.deepEqual([status, json.error.code], [401, 'site.signedOut']);
      }
    });

  if (route.who !== 'anyone')
    test(`${name} is refused over plain HTTP`, async () => {
      const { path, body } = await made();
      const plain = new Visitor(site, { host: 'radio.test' });
      const { status, json } = await plain.ask(route.method, path, body, {
        ...OWN_PAGE,
        origin: 'http://radio.test',
      });
      assert.deepEqual([status, json.error.code], [403, 'site.insecure']);
    });
}

const allOfBo = async () => [await bo.get('presets'), await bo.get('radios'), await bo.get('apps')];

test("nobody reads or changes what is another account's", async () => {
  const tries: [method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown][] = [
    ['DELETE', `presets/${his.preset}`],
    ['PATCH', `presets/${his.preset}`, { folderId: (await ann.get('presets')).folders[0].id }],
    ['PUT', 'presets/order', { folderId: his.folder, ids: [] }],
    ['POST', 'presets', { guideId: 's9', folderId: his.folder }],
    ['PATCH', `folders/${his.folder}`, { name: 'Mine' }],
    ['DELETE', `folders/${his.folder}`],
    ['PATCH', `radios/${his.radio}`, { name: 'Mine' }],
    ['DELETE', `radios/${his.radio}`],
    ['POST', `radios/${his.radio}/undo`],
    ['GET', `radios/${his.radio}/requests`],
    ['DELETE', `apps/${his.app}`],
  ];
  const had = await allOfBo();
  for (const [method, path, body] of tries) {
    const { status, json } = await ann.ask(method, path, method === 'GET' ? undefined : (body ?? {}));
    assert.deepEqual([status, json.error.code], [404, 'site.notFound'], `${method} ${path}`);
  }
  assert.deepEqual(await allOfBo(), had);
  const { folders } = await ann.get('presets');
  const order = { folderId: folders[0].id, ids: [his.preset] };
  assert.equal((await ann.ask('PUT', 'presets/order', order)).status, 409);
});

test('what is no call, no JSON, or too much is told as JSON', async () => {
  const tries: [path: string, body: string, status: number, code: string][] = [
    ['nothing', '{}', 404, 'site.unknownCall'],
    ['folders', '{"name":', 400, 'site.notJson'],
    ['folders', `${'[1,'.repeat(20_000)}1`, 400, 'site.tooDeep'],
    ['folders', '[]', 400, 'site.invalid'],
    ['folders', '{"name": 5}', 400, 'site.invalid'],
    ['folders', '{"name": "a\\u0000b"}', 400, 'site.invalid'],
    ['folders', JSON.stringify({ name: 'x'.repeat(70_000) }), 413, 'site.tooLarge'],
  ];
  for (const [path, body, expected, code] of tries) {
    const { status, json } = await ann.ask('POST', path, body);
    assert.deepEqual([status, json.error.code], [expected, code], body.slice(0, 40));
    assert.equal(typeof json.error.message, 'string');
  }
});

test('a browser that asks for leave first gets none', async () => {
  const headers = {
    host: 'radio.test',
    origin: 'https://evil.test',
    'access-control-request-method': 'POST',
  };
  const { headers: answered } = await site.app.inject({
    method: 'OPTIONS',
    url: '/listen/api/presets',
    headers,
  });
  assert.deepEqual(
    Object.keys(answered).filter((name) => name.startsWith('access-control')),
    [],
  );
});

test('who changes very much in a minute waits', async () => {
  const busy = await member(site, 'Busy');
  const statuses = new Set<number>();
  for (let n = 0; n < 130; n++) statuses.add((await busy.ask('POST', 'folders', { name: 'One' })).status);
  assert.deepEqual([...statuses], [201, 429]);
});

test('pages of a site with a host of its own may write, whether radios know that host or not', async () => {
  await using housed = await siteApp({ publicHosts: ['radio.test'], siteHost: 'listen.test' });
  const own = { ...OWN_PAGE, origin: 'https://listen.test' };
  const visitor = new Visitor(housed, { host: 'listen.test', 'x-forwarded-proto': 'https' });
  assert.equal((await visitor.ask('POST', 'register', registrationOf('Housed'), own)).status, 201);
  assert.equal((await visitor.ask('POST', 'presets', { guideId: 's1' }, own)).status, 201);
  const { text } = await visitor.ask('GET', '/Browse.ashx');
  assert.match(text, /https:\/\/listen\.test\//, 'and links of the protocol stay there');
  for (const [host, origin] of [
    ['listen.test', 'https://evil.test'],
    ['evil.test', 'https://evil.test'],
    ['radio.test', 'https://listen.test'],
  ] as const) {
    const stranger = new Visitor(housed, { host, 'x-forwarded-proto': 'https' });
    const { status } = await stranger.ask('POST', 'sign-out', undefined, { ...OWN_PAGE, origin });
    assert.equal(status, 403, `${origin} at ${host}`);
  }
});
