import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Service, startService } from './service.ts';

const run = promisify(execFile);
const MAIN = join(import.meta.dirname, '../../src/main.ts');

/** One of every call there is; each is answered where its partner is known. */
const CALLS = [
  '/?x',
  '/Browse.ashx?x',
  '/Index.aspx?x',
  '/Browse.ashx?c=local&latlon=51.9,-8.5',
  '/Browse.ashx?c=presets&serial=4711',
  '/Browse.ashx?id=g1000',
  '/Search.ashx?query=harbour',
  '/Tune.ashx?id=s1',
  '/Tune.ashx?c=ebrowse&id=s1',
  '/Describe.ashx?id=s1',
  '/Describe.ashx?c=nowplaying&id=s1',
  '/NowPlaying.aspx?id=s1',
  '/Config.ashx?c=time',
  '/AlbumArt.ashx?artist=a&title=b',
  '/Options.ashx?id=s1',
  '/Recommend.ashx?a[0]=x',
  '/Preset.ashx?c=listFolders&serial=4711',
  '/Account.ashx?c=query&serial=4711',
  '/Report.ashx?c=stream&id=s1&error=1',
];

const ask = async ({ secureOrigin }: Service, path: string): Promise<string> =>
  (await fetch(`${secureOrigin}${path}`)).text();
const isInvalid = (body: string): boolean => body.includes('<fault_code>partner.invalid</fault_code>');

/** Not waited for at a standstill: connections that the service closes meanwhile are seen to be closed. */
const commandOf =
  ({ databaseUrl }: Service) =>
  async (...args: string[]): Promise<string> => {
    const env = { ...process.env, DATABASE_URL: databaseUrl };
    return (await run(process.execPath, [MAIN, ...args], { env })).stdout;
  };

async function refusedBy(service: Service, partnerId: string): Promise<string[]> {
  const bodies = await Promise.all(CALLS.map((path) => ask(service, `${path}&partnerId=${partnerId}`)));
  return CALLS.filter((_path, index) => isInvalid(bodies[index] ?? ''));
}

test('where partners are registered, every call with another id is refused, and none without one', async () => {
  await using service = await startService({ PUBLIC_HOSTS: 'radio.test' });
  const longwave = commandOf(service);
  assert.deepEqual(await refusedBy(service, 'nobody'), CALLS);
  assert.deepEqual(await refusedBy(service, 'kit'), []);
  for (const builtIn of ['15', 'HyzqumNX', '%21EALLOjB', 'Bose'])
    assert.deepEqual(await refusedBy(service, builtIn), []);
  const anonymous = await Promise.all(CALLS.map((path) => ask(service, path)));
  assert.ok(anonymous.every((body) => !isInvalid(body)));
  assert.match(
    await ask(service, '/Browse.ashx?partnerId=nobody&render=json'),
    /"status":"403","fault":"This partnerId is not registered here; ask the operator/,
  );
  const logo = await fetch(`${service.origin}/logos/s1q.png?partnerId=nobody`);
  assert.equal(logo.headers.get('content-type'), 'image/png', 'a picture is for anyone');
  assert.doesNotMatch(await longwave('partner', 'list'), /nobody/);
});

test('in a house an unknown id registers itself, is listed as such, and is refused once it is disabled', async () => {
  await using service = await startService();
  const longwave = commandOf(service);
  assert.deepEqual(await refusedBy(service, 'Kitchen-Radio'), []);
  assert.match(await longwave('partner', 'list'), /^Kitchen-Radio +active .* itself +Kitchen-Radio$/m);
  assert.match(
    await longwave('partner', 'show', 'Kitchen-Radio'),
    /^registered by +automatically: a device called/m,
  );
  const saved = await ask(service, '/Preset.ashx?c=add&id=s1&serial=4711&partnerId=Kitchen-Radio');
  assert.match(saved, /<status>200</);
  assert.match(await ask(service, `${CALLS[4]}&partnerId=Kitchen-Radio`), /guide_id="s1"/);
  assert.deepEqual(await refusedBy(service, 'no%20such%20id'), CALLS, 'no id of a device');
  await longwave('partner', 'disable', 'Kitchen-Radio');
  process.kill(service.pid, 'SIGHUP');
  const deadline = performance.now() + 60_000;
  while ((await refusedBy(service, 'Kitchen-Radio')).length < CALLS.length) {
    assert.ok(performance.now() < deadline, 'a disabled partner is still admitted after a minute');
    await sleep(100);
  }
});
