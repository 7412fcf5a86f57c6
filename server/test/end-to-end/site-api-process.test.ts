import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { addPartner } from '../../src/core/accounts/partners/partners.ts';
import { MEMBER_KEY } from '../apps/account-app.ts';
import { type TestDatabase, testDatabaseWithPlaces } from '../database/database.ts';
import { type MailServer, openMailServer } from '../servers/mail-server.ts';
import { runLongwave } from '../processes/run-longwave.ts';
import { type ServiceProcess, startService } from '../processes/service-process.ts';
import { SITE_PASSWORD, registrationOf } from '../apps/site-app.ts';

let database: TestDatabase;
let service: ServiceProcess;
let mail: MailServer;
const settings = { MEMBER_KEY, LEGACY_CREDENTIALS: 'allow' };
before(async () => {
  mail = await openMailServer();
  database = await testDatabaseWithPlaces();
  await addPartner(database.pool, { id: 'maker', name: 'A maker' });
  service = await startService(database.url, {
    ...settings,
    MAIL_URL: `smtp://127.0.0.1:${mail.port}`,
    MAIL_FROM: 'radio@radio.test',
    SITE_HOST: 'listen.test',
  });
});
after(async () => {
  await service[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
  await mail[Symbol.asyncDispose]();
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

test('longwave account password: when what the operator made is used, the owner is told', async () => {
  const made = await ask('POST', 'register', '', registrationOf('Told'));
  assert.equal(made.status, 201, await made.text());
  const { stdout } = runLongwave(['account', 'password', 'told'], {
    DATABASE_URL: database.url,
    ...settings,
  });
  const [password = ''] = stdout.split(' ');
  const isTold = (): boolean => mail.received.some(({ to }) => to.includes('told@mail.example'));
  for (const tried of [SITE_PASSWORD, password]) {
    assert.equal(isTold(), false, 'until then nothing has changed');
    assert.equal((await ask('POST', 'sign-in', '', { username: 'told', password: tried })).status, 200);
  }
  const [letter] = await mail.letters('told@mail.example');
  assert.match(
    letter?.text ?? '',
    /das Passwort Ihres Kontos[^]*http:\/\/listen\.test\/listen\/forgotten\r\n$/,
  );
  assert.ok(!letter?.text.includes(password));
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

test('longwave serve: letters that were asked for are sent before it stops', async () => {
  const made = await ask('POST', 'register', '', registrationOf('Leaving'));
  assert.equal(made.status, 201, await made.text());
  mail.delayMs = 1000;
  for (let n = 0; n < 3; n++)
    assert.equal((await ask('POST', 'forgotten', '', { who: 'leaving' })).status, 200);
  service.process.kill('SIGTERM');
  if (service.process.exitCode === null) await once(service.process, 'exit');
  const letters = mail.received.filter(({ to }) => to.includes('leaving@mail.example'));
  assert.equal(letters.length, 3);
});
