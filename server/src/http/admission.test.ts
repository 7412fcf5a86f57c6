import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '../../test/http-server.ts';
import { ManualClock } from '../lib/clock.ts';
import type { PartnerRow } from '../members/partners.ts';
import { admission } from './admission.ts';
import type { Endpoint } from './endpoint.ts';
import { Metrics } from './metrics.ts';

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
  registered_by: 'operator',
};
const findPartner = (id: string) => (id === 'slow' ? slow : undefined);

function limited(callsPerAddress: number) {
  const clock = new ManualClock('2026-01-01T00:00:00Z');
  const metrics = new Metrics();
  const admit = admission({ clock, metrics, callsPerAddress });
  const { app } = testApp([page], { admit, clock, metrics, findPartner });
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

test('a partner with a rate of its own has it whatever address its servers call from', async () => {
  const { metrics, askTimes } = limited(100);
  assert.equal(await askTimes(4, '/Page.ashx?partnerId=slow', '192.0.2.1'), 4);
  assert.equal(await askTimes(4, '/Page.ashx?partnerId=slow', '192.0.2.2'), 1);
  assert.equal(await askTimes(4, '/Page.ashx?partnerId=unknown', '192.0.2.2'), 4);
  assert.match(await metrics.registry.metrics(), /shed_total\{reason="rate_limit"\} 3/);
});

test('0 limits nobody', async () => {
  assert.equal(await limited(0).askTimes(500), 500);
});
