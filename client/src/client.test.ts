import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callUrl } from './client.ts';

test('a call repeats who is asking after its own parameters', () => {
  const options = { baseUrl: 'http://radio.test', partnerId: 'demo', formats: ['mp3', 'aac'] };
  const url = callUrl(options, '/Browse.ashx', { c: 'local' });
  assert.equal(
    url.pathname + decodeURIComponent(url.search),
    '/Browse.ashx?c=local&formats=mp3,aac&partnerId=demo',
  );
});

test('what is not known is not sent', () => {
  assert.equal(
    callUrl({ baseUrl: 'http://radio.test' }, '/Browse.ashx', {}).href,
    'http://radio.test/Browse.ashx',
  );
});
