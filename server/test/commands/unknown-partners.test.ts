import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startService } from '../end-to-end/service.ts';
import { runLongwave } from '../processes/run-longwave.ts';

const MAX_WAIT_MS = 90_000;

test('a running server tells of the radios that it refuses, and no more once they are registered', async () => {
  await using service = await startService({ PUBLIC_HOSTS: 'radio.test' }, { isFresh: true });
  const longwave = (...args: string[]): string =>
    runLongwave(args, { DATABASE_URL: service.databaseUrl, PUBLIC_HOSTS: 'radio.test' }).stdout;
  const call = async (): Promise<string> => {
    const headers = { 'User-Agent': 'KitchenRadio/2.1 (serial 0011)' };
    return (await fetch(`${service.origin}/Browse.ashx?c=local&partnerId=k1tchen`, { headers })).text();
  };
  for (let n = 0; n < 3; n += 1) assert.match(await call(), /<status>403<\/status>/);
  const end = Date.now() + MAX_WAIT_MS;
  while (!longwave('partner', 'unknown').includes('k1tchen')) {
    assert.ok(Date.now() < end, 'the id is not listed');
    await sleep(500);
  }
  assert.match(longwave('partner', 'unknown'), /^k1tchen +3 .* unknown +KitchenRadio$/m);
  longwave('partner', 'add', 'k1tchen');
  assert.match(longwave('partner', 'unknown'), /^no id was refused/);
});
