import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Readiness } from './readiness.ts';

test('not ready while warming and while draining; a dependency that is away is told and changes nothing', () => {
  const readiness = new Readiness();
  let up = true;
  readiness.watch('database', () => up);
  assert.deepEqual(readiness.ready(), { status: 503, body: '{"state":"warming","database":"up"}\n' });
  readiness.warmed();
  up = false;
  assert.deepEqual(readiness.ready(), { status: 200, body: '{"state":"ready","database":"down"}\n' });
  readiness.drain();
  assert.equal(readiness.ready().status, 503);
  readiness.warmed();
  assert.ok(readiness.isDraining);
});

test('alive while warming; not alive while the process hangs; alive again after', async () => {
  const readiness = new Readiness();
  assert.equal(readiness.live().status, 200);
  readiness.warmed();
  await sleep(50);
  assert.equal(readiness.live().status, 200);
  await sleep(50);
  const end = performance.now() + 1300;
  while (performance.now() < end);
  await sleep(30);
  assert.equal(readiness.live().status, 503);
  await sleep(100);
  assert.equal(readiness.live().status, 200);
});
