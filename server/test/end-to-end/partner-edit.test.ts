import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startService, type Service } from './service.ts';

const MAIN = join(import.meta.dirname, '../../src/main.ts');
let service: Service;
before(async () => {
  service = await startService({ PARTNERS: 'registered' });
});
after(() => service[Symbol.asyncDispose]());

function longwave(...args: string[]): string {
  const env = { ...process.env, DATABASE_URL: service.databaseUrl };
  return execFileSync(process.execPath, [MAIN, ...args], { env, encoding: 'utf8' });
}

/** Every call that needs a partner, as it is without any. */
const CALLS = [
  '/Browse.ashx?c=presets&serial=device-of-the-drill',
  '/Preset.ashx?c=listFolders&serial=device-of-the-drill',
  '/Preset.ashx?c=add&id=s1&serial=device-of-the-drill',
  '/Account.ashx?c=query&serial=device-of-the-drill',
];

const bodies = (partnerId: string): Promise<string[]> =>
  Promise.all(
    CALLS.map(async (path) => {
      const response = await fetch(`${service.secureOrigin}${path}&partnerId=${partnerId}`, {
        method: 'POST',
      });
      return response.text();
    }),
  );

const isRefused = (body: string): boolean => body.includes('<fault_code>partner.invalid</fault_code>');

/** How long it takes until all calls are refused, or none. */
async function secondsUntil(refused: boolean): Promise<number> {
  const start = performance.now();
  while ((await bodies('drill')).some((body) => isRefused(body) !== refused)) {
    const seconds = (performance.now() - start) / 1000;
    assert.ok(seconds < 60, `after a minute still ${refused ? 'admitted' : 'refused'}`);
    await sleep(250);
  }
  return (performance.now() - start) / 1000;
}

test('a partner is added, disabled and enabled by command while the service runs', async () => {
  assert.ok((await bodies('drill')).every(isRefused));
  longwave('partner', 'add', 'drill', '--name', 'Drill', '--formats', 'aac');
  process.kill(service.pid, 'SIGHUP');
  assert.ok((await secondsUntil(false)) < 25, 'at once on SIGHUP');
  const tuned = await fetch(`${service.origin}/Tune.ashx?id=s1&partnerId=drill`);
  assert.doesNotMatch(await tuned.text(), /\.mp3$/m, 'its formats count');
  longwave('partner', 'disable', 'drill');
  await secondsUntil(true);
  assert.deepEqual(await bodies('drill'), await bodies('nobody'), 'as one that never was, to the byte');
  longwave('partner', 'enable', 'drill');
  process.kill(service.pid, 'SIGHUP');
  await secondsUntil(false);
});
