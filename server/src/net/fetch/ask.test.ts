import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FetchRequest, redirected } from './ask.ts';
import { UnsafeAddress } from './fetch-failed.ts';

const get: FetchRequest = {
  address: 'https://radio.example.net/feeds/one?x=1',
  method: 'GET',
  headers: { 'if-none-match': '"1"', authorization: 'Basic eA==' },
};
const post: FetchRequest = {
  address: 'https://hub.example.net/',
  method: 'POST',
  headers: { 'Content-Type': 'application/x-www-form-urlencoded', cookie: 'a=b' },
  body: 'hub.mode=subscribe',
};

test('a redirect is read from where it was found, and no header goes along', () => {
  for (const status of [301, 302, 303, 307, 308])
    assert.deepEqual(redirected(get, status, '../two'), {
      address: 'https://radio.example.net/two',
      method: 'GET',
      headers: {},
    });
  assert.equal(redirected(get, 302, '//other.example.net/x')?.address, 'https://other.example.net/x');
});

test('a body is sent once more only where the redirect asks for the same', () => {
  for (const status of [301, 302, 303])
    assert.equal(redirected(post, status, 'https://other.example.net/'), undefined);
  for (const status of [307, 308])
    assert.deepEqual(redirected(post, status, 'https://other.example.net/'), {
      address: 'https://other.example.net/',
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'hub.mode=subscribe',
    });
});

test('a body that went encrypted never goes on in the open', () => {
  assert.throws(() => redirected(post, 307, 'http://hub.example.net/'), UnsafeAddress);
  assert.equal(redirected({ ...post, address: 'http://a.example.net/' }, 307, '/b')?.method, 'POST');
});

test('a redirect to what is no address is refused', () => {
  for (const location of ['http://', 'https://[::1', 'http://a b/'])
    assert.throws(() => redirected(get, 302, location), UnsafeAddress);
});
