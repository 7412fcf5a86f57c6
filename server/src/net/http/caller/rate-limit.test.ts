import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '../../../../test/apps/http-server.ts';
import type { PartnerRow } from '../../../core/accounts/partners/partners.ts';
import { rateLimit } from './rate-limit.ts';
import type { Endpoint } from '../../../protocols/radiotime/call/endpoint.ts';
import { Metrics } from '../metrics.ts';
import { ManualClock } from '../../../../test/time/manual-clock.ts';

const page: Endpoint = { paths: ['/Page.ashx'], actions: new Map([['', () => ({ outlines: [] })]]) };
const slow: PartnerRow = {
  id: 'slow',
  name: 'Slow',
  state: 'active',
  serial_scope: 'slow',
  contact: null,
  stations_per_group: 50,
  shows_per_group: 10,
  requests_per_second: 1,
  formats: null,
  may_forward_addresses: false,
  device: null,
  relay: false,
  registered_by: 'operator',
};

function limited(callsPerAddress: number, perSecond = 1) {
  const partner = { ...slow, requests_per_second: perSecond };
  const findPartner = (id: string) => (id === 'slow' ? partner : undefined);
  const clock = new ManualClock('2026-01-01T00:00:00Z');
  const metrics = new Metrics();
  const limit = rateLimit({ clock, metrics, callsPerAddress });
  const { app } = testApp([page], { rateLimit: limit, clock, metrics, findPartner });
  const ask = async (url = '/Page.ashx', remoteAddress = '192.0.2.1') =>
    (await app.inject({ url, remoteAddress })).statusCode;
  const askTimes = async (times: number, ...call: Parameters<typeof ask>) => {
    const statuses: number[] = [];
    for (let n = 0; n < times; n++) statuses.push(await ask(...call));
    return statuses.filter((status) => status === 200).length;
  };
  return { app, clock, metrics, ask, askTimes };
}

test('an address has its burst, then its rate, and is told how long to wait', async () => {
  const { app, clock, askTimes } = limited(2);
  assert.equal(await askTimes(15), 10);
  const refused = await app.inject({ url: '/Page.ashx?render=json', remoteAddress: '192.0.2.1' });
  assert.equal(refused.statusCode, 429);
  assert.equal(refused.headers['retry-after'], '1');
  assert.deepEqual(refused.json().head.fault_code, 'request.tooMany');
  clock.advance({ seconds: 1 });
  assert.equal(await askTimes(5), 2);
});

test('addresses are apart; those of one IPv6 subscriber are together', async () => {
  const { askTimes } = limited(1);
  assert.equal(await askTimes(6, '/Page.ashx', '192.0.2.1'), 5);
  assert.equal(await askTimes(6, '/Page.ashx', '192.0.2.2'), 5);
  assert.equal(await askTimes(6, '/Page.ashx', '2001:db8:1:2:aaaa:0:0:1'), 5);
  assert.equal(await askTimes(1, '/Page.ashx', '2001:db8:1:2:bbbb:0:0:2'), 0);
  assert.equal(await askTimes(6, '/Page.ashx', '2001:db8:3::1:2:3'), 5);
  assert.equal(await askTimes(1, '/Page.ashx', '2001:db8:3::4:5:6'), 0);
  assert.equal(await askTimes(1, '/Page.ashx', '2001:db8:3:0:7:8:9:a'), 0);
  assert.equal(await askTimes(6, '/Page.ashx', 'fe80::1%eth0'), 5);
});

const PARTNER = '/Page.ashx?partnerId=slow';

test('a partner with a rate of its own is limited by it, from one address or from many', async () => {
  const { clock, metrics, askTimes } = limited(100, 8);
  const many = Array.from({ length: 60 }, (_, n) => `192.0.2.${n}`);
  let answered = 0;
  for (const address of many) answered += await askTimes(1, PARTNER, address);
  assert.equal(answered, 40, 'five times as many at once');
  assert.match(await metrics.registry.metrics(), /shed_total\{reason="rate_limit"\} 20/);
  assert.equal(await askTimes(4, '/Page.ashx?partnerId=unknown', '192.0.2.2'), 4);
  clock.advance({ seconds: 60 });
  await askTimes(100, PARTNER, '192.0.2.1');
  let lone = 0;
  for (let n = 0; n < 20; n++) {
    clock.advance({ seconds: 1 });
    lone += await askTimes(20, PARTNER, '192.0.2.1');
  }
  assert.equal(lone, 160, 'its one server has the whole rate in the long run');
});

test('one address that calls without end does not keep the others of its partner away', async () => {
  const { clock, askTimes } = limited(100, 8);
  const noisy = '203.0.113.1';
  assert.ok((await askTimes(500, PARTNER, noisy)) >= 20);
  for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'])
    assert.equal(await askTimes(5, PARTNER, address), 5, address);
  let [quiet, loud] = [0, 0];
  for (let n = 0; n < 20; n++) {
    clock.advance({ seconds: 1 });
    loud += await askTimes(50, PARTNER, noisy);
    quiet += await askTimes(1, PARTNER, '192.0.2.9');
  }
  assert.equal(quiet, 20);
  assert.ok(loud + quiet <= 8 * 20, `${loud} and ${quiet}`);
});

test('a partner of one call a second answers its first callers too', async () => {
  const { askTimes } = limited(100);
  await askTimes(50, PARTNER, '203.0.113.1');
  assert.equal(await askTimes(2, PARTNER, '192.0.2.2'), 1);
});

test('a proxy is told whether it was the limit of a partner or of an address', async () => {
  const { app, askTimes } = limited(2);
  const told = async (url: string): Promise<unknown[]> => {
    await askTimes(15, url);
    const { statusCode, headers } = await app.inject({ url, remoteAddress: '192.0.2.1' });
    return [statusCode, headers['x-longwave-limit']];
  };
  assert.deepEqual(await told(PARTNER), [429, 'partner']);
  assert.deepEqual(await told('/Page.ashx?partnerId=unknown'), [429, undefined]);
});

test('0 limits nobody', async () => {
  assert.equal(await limited(0).askTimes(500), 500);
});
