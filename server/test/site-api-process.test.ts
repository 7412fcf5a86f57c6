import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addPartner } from '../src/members/partners.ts';
import { MEMBER_KEY } from './account-app.ts';
import { type TestDatabase, testDatabaseWithPlaces } from './database.ts';
import { type ServiceProcess, startService } from './service-process.ts';
import { registrationOf } from './site-app.ts';

let database: TestDatabase;
let service: ServiceProcess;
before(async () => {
  database = await testDatabaseWithPlaces();
  await addPartner(database.pool, { id: 'maker', name: 'A maker' });
  service = await startService(database.url, { MEMBER_KEY, LEGACY_CREDENTIALS: 'allow' });
});
after(async () => {
  await service[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

async function ask(method: string, path: string, cookie = '', body?: unknown): Promise<Response> {
  const own = { origin: service.origin, 'content-type': 'application/json', 'x-longwave': '1' };
  const sent = method === 'GET' ? {} : { ...own };
  const more = body === undefined ? {} : { body: JSON.stringify(body) };
  return fetch(`${service.origin}/listen/api/${path}`, { method, headers: { cookie, ...sent }, ...more });
}

const radio = (page: string, query: string): Promise<Response> =>
  fetch(`${service.origin}/${page}.ashx?partnerId=maker&serial=abc&${query}`);

test('longwave serve: register, pair a radio by its code, see what it asked', async () => {
  const registered = await ask('POST', 'register', '', registrationOf('Whole'));
  assert.equal(registered.status, 201, await registered.text());
  const [cookie = ''] = registered.headers.get('set-cookie')?.split(';') ?? [];
  const claim = await (await radio('Account', 'c=claim')).text();
  const [, code = ''] = /Code (\w{8})/.exec(claim) ?? [];
  const paired = await ask('POST', 'radios/pair', cookie, { code });
  assert.equal(paired.status, 201, claim);
  await radio('Browse', 'c=presets');
  const { radios } = JSON.parse(await paired.text());
  const path = `radios/${radios[0]?.id}/requests`;
  let requests: { what: string }[] = [];
  for (const end = Date.now() + 15_000; requests.length < 2 && Date.now() < end; await pause())
    ({ requests } = JSON.parse(await (await ask('GET', path, cookie)).text()));
  assert.deepEqual(
    requests.map(({ what }) => what),
    ['Browse presets', 'Account claim'],
  );
});

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 250));

test('longwave serve: the map and the places need nobody', async () => {
  const map = await ask('GET', 'map');
  assert.equal(map.status, 200);
  const etag = map.headers.get('etag') ?? '';
  const again = await fetch(`${service.origin}/listen/api/map`, { headers: { 'if-none-match': etag } });
  assert.equal(again.status, 304);
  const { places } = JSON.parse(await (await ask('GET', 'places?text=lond')).text());
  assert.equal(places[0]?.city, 'London');
});
