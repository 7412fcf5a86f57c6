import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from './config.ts';
import { openRelayKeys } from './open-relay-links.ts';

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
