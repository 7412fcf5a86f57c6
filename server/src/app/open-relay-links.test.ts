import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from './config.ts';
import { listRelays, openRelayKeys } from './open-relay-links.ts';

const MEMBER_KEY = 'the key of accounts, forty characters 12';
const RELAY_KEY = 'the key of the relay, forty characters 1';
const stream = { streamId: 7, variant: 'c', who: 'abcdefgh', format: 'mp3' } as const;
const NOW = Date.now();

test('off by default, whatever keys there are', () => {
  assert.equal(openRelayKeys(readConfig({ MEMBER_KEY, RELAY_KEY })), undefined);
});

test('serve and relay need the same key of accounts, or one of their own', () => {
  const home = openRelayKeys(readConfig({ RELAY: 'home', MEMBER_KEY }));
  const other = openRelayKeys(readConfig({ RELAY: 'home', MEMBER_KEY: `${MEMBER_KEY}x` }));
  const own = openRelayKeys(readConfig({ RELAY: 'home', RELAY_KEY }));
  const path = home?.sign(stream, NOW + 60_000) ?? '';
  assert.equal(home?.read(path, NOW)?.streamId, 7);
  assert.equal(other?.read(path, NOW), undefined);
  assert.equal(own?.read(path, NOW), undefined);
  // Once there is a key of its own, addresses from before stay good.
  const both = openRelayKeys(readConfig({ RELAY: 'home', MEMBER_KEY, RELAY_KEY }));
  assert.equal(both?.read(path, NOW)?.streamId, 7);
  assert.notEqual(both?.sign(stream, NOW + 60_000), path);
});

test('for partners it must be known where the relay is', () => {
  const partners = { RELAY: 'partners', RELAY_KEY };
  assert.throws(() => readConfig(partners), /needs RELAY_COUNTRY/);
  assert.throws(() => readConfig({ ...partners, RELAY_COUNTRY: 'Germany' }), /such as DE/);
  assert.equal(readConfig({ ...partners, RELAY_COUNTRY: 'DE' }).relay, 'partners');
});

test('without any key it is told what to set', () => {
  assert.throws(() => readConfig({ RELAY: 'home' }), /set RELAY_KEY or MEMBER_KEY too/);
});

test('of several relays each is asked where it says, and pages reach them by one proxy or by their own', () => {
  const home = { RELAY: 'home', RELAY_KEY };
  const places = (settings: Record<string, string>): unknown =>
    listRelays(readConfig({ ...home, ...settings })).map(({ origin, secureOrigin, asked }) => [
      origin,
      secureOrigin,
      asked,
    ]);
  assert.deepEqual(places({}), [[undefined, undefined, 'http://127.0.0.1:8704']]);
  const two = { RELAY_ADDRESS: 'http://a:1/, http://b:2' };
  assert.deepEqual(places({ ...two, RELAY_SITE_ADDRESS: 'https://site' }), [
    ['http://a:1', 'https://site', 'http://a:1'],
    ['http://b:2', 'https://site', 'http://b:2'],
  ]);
  const own = { RELAY_READY_ADDRESS: 'http://c,http://d', RELAY_SITE_ADDRESS: 'https://a,https://b' };
  assert.deepEqual(places({ ...two, ...own }), [
    ['http://a:1', 'https://a', 'http://c'],
    ['http://b:2', 'https://b', 'http://d'],
  ]);
  assert.throws(
    () => places({ ...two, RELAY_READY_ADDRESS: 'http://c' }),
    /as many addresses as RELAY_ADDRESS/,
  );
  assert.throws(
    () => places({ ...two, RELAY_SITE_ADDRESS: 'https://a,https://b,https://c' }),
    /one address, or/,
  );
  assert.throws(() => places({ RELAY_ADDRESS: 'http://a,b' }), /separated by commas/);
});
