import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { testApp } from '../../../test/apps/http-server.ts';
import type { Answer, Endpoint } from '../../protocols/radiotime/call/endpoint.ts';
import { inTime } from '../../storage/cache/in-time.ts';

const pages: Endpoint = { paths: ['/Browse.ashx'], actions: new Map([['', () => ({ outlines: [] })]]) };

test('with as many calls waiting as may wait, the next is shed, and one later is not', async () => {
  const gate = Promise.withResolvers<Answer>();
  const waiting: Endpoint = { paths: ['/Wait.ashx'], actions: new Map([['', () => gate.promise]]) };
  const full = testApp([waiting, pages], { maxInFlight: 2 });
  const held = [full.app.inject('/Wait.ashx'), full.app.inject('/Wait.ashx')];
  await sleep(20);
  const shed = await full.app.inject('/Browse.ashx?render=json');
  assert.equal(shed.statusCode, 503);
  assert.equal(shed.headers['retry-after'], '5');
  assert.equal(shed.json().head.fault_code, 'request.overloaded');
  assert.equal((await full.app.inject('/livez')).statusCode, 200);
  assert.match(await full.options.metrics.registry.metrics(), /shed_total\{reason="in_flight"\} 1/);
  gate.resolve({ outlines: [] });
  for (const { statusCode } of await Promise.all(held)) assert.equal(statusCode, 200);
  assert.equal((await full.app.inject('/Browse.ashx')).statusCode, 200);
});

test('calls that wait for a silent database leave places to those that need none', async () => {
  const silent = Promise.withResolvers<Answer>();
  const saving: Endpoint = {
    paths: ['/Wait.ashx'],
    actions: new Map([['', () => inTime(() => silent.promise, 10_000)]]),
  };
  const { app } = testApp([saving, pages], { maxInFlight: 4 });
  const save = async (): Promise<string> => (await app.inject('/Wait.ashx')).body;
  const waiting = [save(), save()];
  await sleep(20);
  for (let time = 0; time < 8; time += 1) assert.match(await save(), /<status>503<.*service\.unavailable/s);
  assert.match((await app.inject('/Browse.ashx')).body, /<status>200/);
  silent.resolve({ outlines: [] });
  for (const body of await Promise.all(waiting)) assert.match(body, /<status>200/);
});
