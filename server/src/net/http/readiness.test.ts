import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../../../test/time/wait-until.ts';
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
  assert.equal(readiness.live('public').status, 200);
  readiness.warmed();
  const given = (status: number) => async () => readiness.live('public').status === status || undefined;
  // A busy machine may hold any process up for a second, which is no fault of what is tested.
  await waitUntil('a calm process that is alive', given(200));
  // An answer begins a measurement, which starts with the next tick of its clock and ends with the one after the hang.
  await sleep(50);
  const end = performance.now() + 1300;
  while (performance.now() < end);
  await sleep(30);
  assert.equal(readiness.live('public').status, 503);
  assert.equal(readiness.live('private').status, 503, 'whoever asked elsewhere before');
  await waitUntil('a process that goes on', given(200));
});
