import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InjectOptions } from 'fastify';
import { testApp } from '../../../../test/apps/http-server.ts';
import { ALL_FORMATS, formatNames } from '../../../lib/stream-format.ts';
import type { PartnerRow } from '../../../core/accounts/partners/partners.ts';
import { parseNetwork } from '../../../net/http/caller/addresses.ts';
import type { Caller } from './caller.ts';
import type { ServerOptions } from '../../../app/server.ts';

const proxy = parseNetwork('10.0.0.0/8') ?? assert.fail();

async function callerOf(request: InjectOptions, options: Partial<ServerOptions> = {}): Promise<Caller> {
  const callers: Caller[] = [];
  const whoami = ({ caller }: { caller: Caller }): { outlines: [] } => {
    callers.push(caller);
    return { outlines: [] };
  };
  const { app } = testApp([{ paths: ['/Who.ashx'], actions: new Map([['', whoami]]) }], options);
  await app.inject({ url: '/Who.ashx', ...request });
  return callers[0] ?? assert.fail('the call was refused');
}

test('nothing said: every format, English, wherever the peer is', async () => {
  const caller = await callerOf({ remoteAddress: '198.51.100.7' });
  assert.equal(caller.formats, ALL_FORMATS);
  assert.equal(caller.locale, 'en');
  assert.equal(caller.securityIp, '198.51.100.7');
  assert.equal(caller.geoIp, '198.51.100.7');
  assert.deepEqual(caller.links, { origin: 'http://radio.test', suffix: '', isPersonal: false });
  for (const name of ['partnerId', 'username', 'serial', 'latlon'] as const)
    assert.equal(caller[name], undefined);
});

test('global parameters in any spelling, and as links repeat them', async () => {
  const caller = await callerOf({
    url: '/who.ashx?PARTNERID=!x&Serial=00:11&UserName=ann&FORMATS=mp3,zzz,hls&latlon=51.5,-0.1&locale=enGB&render=json&password=p',
  });
  assert.equal(caller.partnerId, '!x');
  assert.equal(caller.serial, '00:11');
  assert.equal(caller.username, 'ann');
  assert.deepEqual(formatNames(caller.formats), ['mp3', 'hls']);
  assert.deepEqual(caller.latlon, { latitude: 51.5, longitude: -0.1 });
  assert.equal(caller.locale, 'en-GB');
  const suffix = '&formats=mp3,zzz,hls&partnerId=!x&serial=00:11&locale=en-GB&username=ann&latlon=51.5,-0.1';
  assert.equal(caller.links.suffix, suffix);
  assert.equal(caller.links.isPersonal, true);
});

test('a partner’s devices play what its row says, unless a call says otherwise', async () => {
  const partner = { ...MAKER, formats: 'mp3,aac' };
  const findPartner = (id: string): PartnerRow | undefined => (id === partner.id ? partner : undefined);
  const formatsOf = async (query: string): Promise<string[]> =>
    formatNames((await callerOf({ url: `/Who.ashx?${query}` }, { findPartner })).formats);
  assert.deepEqual(await formatsOf('partnerId=maker'), ['mp3', 'aac']);
  assert.deepEqual(await formatsOf('partnerId=maker&formats=ogg'), ['ogg']);
  assert.deepEqual(await formatsOf('partnerId=other'), formatNames(ALL_FORMATS));
  const { links } = await callerOf({ url: '/Who.ashx?partnerId=maker' }, { findPartner });
  assert.equal(links.suffix, '&partnerId=maker', 'the row decides anew with every call');
});

const MAKER: PartnerRow = {
  id: 'maker',
  name: 'Maker',
  state: 'active',
  serial_scope: 'maker',
  contact: null,
  stations_per_group: 50,
  shows_per_group: 10,
  requests_per_second: null,
  formats: null,
  may_forward_addresses: true,
  device: null,
  relay: false,
  registered_by: 'operator',
};

const locales: [url: string, acceptLanguage: string, locale: string][] = [
  ['/Who.ashx?locale=de&lang=fr', 'nl', 'de'],
  ['/Who.ashx?lang=de-de', 'nl', 'de-DE'],
  ['/Who.ashx?locale=nonsense!', 'nl', 'nl'],
  ['/Who.ashx', 'de', 'de'],
  ['/Who.ashx', '', 'en'],
];
for (const [url, acceptLanguage, locale] of locales) {
  test(`${url} with Accept-Language '${acceptLanguage}' reads ${locale}`, async () => {
    assert.equal((await callerOf({ url, headers: { 'accept-language': acceptLanguage } })).locale, locale);
  });
}

test('a stranger can move where it is, not who it is', async () => {
  const headers = {
    'x-forwarded-for': '8.8.8.8',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'evil.example',
    'x-real-ip': '9.9.9.9',
    forwarded: 'for=9.9.9.9',
  };
  const caller = await callerOf({ remoteAddress: '198.51.100.7', headers }, { trustedProxies: [proxy] });
  assert.equal(caller.securityIp, '198.51.100.7');
  assert.equal(caller.geoIp, '8.8.8.8');
  assert.equal(caller.links.origin, 'http://radio.test');
});

test('a device that does not know where it is, and says 0,0, stands where its address is', async () => {
  for (const latlon of ['0,0', '0.0,0.0', '-0.000000,0.000000'])
    assert.equal((await callerOf({ url: `/Who.ashx?latlon=${latlon}` })).latlon, undefined, latlon);
  const { latlon } = await callerOf({ url: '/Who.ashx?latlon=0,6.7' });
  assert.deepEqual(latlon, { latitude: 0, longitude: 6.7 });
});

test('a partner that may not forward addresses stands where its calls come from', async () => {
  const headers = { 'x-forwarded-for': '8.8.8.8' };
  for (const [mayForward, geoIp] of [
    [true, '8.8.8.8'],
    [false, '198.51.100.7'],
  ] as const) {
    const caller = await callerOf(
      { url: '/Who.ashx?partnerId=maker', remoteAddress: '198.51.100.7', headers },
      { findPartner: () => ({ ...MAKER, may_forward_addresses: mayForward }) },
    );
    assert.equal(caller.geoIp, geoIp);
  }
});

test('a trusted proxy names who calls and by which scheme', async () => {
  const headers = { 'x-forwarded-for': '8.8.8.8, 198.51.100.7', 'x-forwarded-proto': 'http, https' };
  const caller = await callerOf({ remoteAddress: '10.0.0.9', headers }, { trustedProxies: [proxy] });
  assert.equal(caller.securityIp, '198.51.100.7');
  assert.equal(caller.geoIp, '8.8.8.8');
  assert.equal(caller.scheme, 'https');
  assert.equal(caller.links.origin, 'https://radio.test');
});

const hosts: [publicHosts: string[], host: string, origin: string][] = [
  [['a.test', 'b.test:8700'], 'b.test:8700', 'http://b.test:8700'],
  [['a.test'], 'a.test:80', 'http://a.test'],
  [['a.test'], 'evil.test', 'http://a.test'],
  [[], 'Box.local:8700', 'http://box.local:8700'],
  [[], 'evil"><script>', 'http://127.0.0.1'],
];
for (const [publicHosts, host, origin] of hosts) {
  test(`host ${host} of [${publicHosts.join()}] gives links to ${origin}`, async () => {
    assert.equal((await callerOf({ headers: { host } }, { publicHosts })).links.origin, origin);
  });
}
