import assert from 'node:assert/strict';
import { test } from 'node:test';
import { restMs } from './password-workers.ts';

test('a worker rests while menus keep the service busy, and only then', () => {
  assert.equal(restMs(20, 0.99), 80);
  assert.equal(restMs(20, 0.5), 0);
});
