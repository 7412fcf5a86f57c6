import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { findSecrets } from './search-logs.ts';
import { secretsInTests } from './secrets-in-tests.ts';

const CHECKOUT = join(import.meta.dirname, '../..');

test('the secrets that tests send are known', () => {
  const secrets = secretsInTests(CHECKOUT);
  for (const secret of ['low-tide-7', 'a-browser-4711', 'canary.listener@canary.example'])
    assert.ok(secrets.includes(secret), secret);
  assert.ok(secrets.length >= 30, `only ${secrets.length} were found`);
});

test('one in a log is found, also as addresses write it', () => {
  const places = [
    { name: 'a log', text: '{"url":"/Account.ashx?password=low-tide-7"}' },
    { name: 'another', text: 'GET /?serial=00%3A11%3A22' },
    { name: 'a third', text: 'nothing' },
  ];
  assert.deepEqual(findSecrets(['low-tide-7', '00:11:22'], places), [
    { secret: 'low-tide-7', where: 'a log' },
    { secret: '00:11:22', where: 'another' },
  ]);
});
