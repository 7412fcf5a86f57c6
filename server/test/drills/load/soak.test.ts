/**
 * The same mix of calls for a while, after which the service holds what it held before: memory after a collection, sockets, timers and
 * connections to the database. `SOAK_SECONDS=300 node scripts/test.ts server/test/drills/load/soak.test.ts`, or days of it.
 */
import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { addPartner } from '../../../src/core/accounts/partners/partners.ts';
import { seededDatabase, type TestDatabase } from '../../database/database.ts';
import { type Held, INSPECTABLE, Inspected } from '../../processes/inspected.ts';
import { type ServiceProcess, startService } from '../../processes/service-process.ts';

const SECONDS = Number(process.env['SOAK_SECONDS'] ?? 6);
const IS_LONG = process.env['SOAK_SECONDS'] !== undefined;
const CALLERS = 8;
const DEVICES = 50;
const PAUSE_MS = 10;
/** Until everything has been compiled and every cache has what it will have; then the time is measured. */
const WARM_UP = 0.5;
/** Of the heap; a short run is also let off what the engine compiled late. */
const GROWTH = 0.02;
const LATE_BYTES = IS_LONG ? 0 : 4e6;
const MEMBER_KEY = 'a key for drills, which protects nobody';
const PARTNER = 'drill';
const LEAK_BYTES = 200_000;

const asked = (device: number): string =>
  `formats=mp3,aac&partnerId=${PARTNER}&serial=soak${device % DEVICES}`;
const PATHS: readonly ((call: number) => string)[] = [
  (call) => `/Browse.ashx?${asked(call)}`,
  (call) => `/Browse.ashx?c=music&${asked(call)}`,
  (call) => `/Browse.ashx?c=local&latlon=${(call % 60) - 30},${call % 170}&${asked(call)}`,
  (call) => `/Search.ashx?query=${['jazz', 'news', 'harbour', 'folk', 'zzzz'][call % 5]}&${asked(call)}`,
  (call) => `/Tune.ashx?id=s${1 + (call % 20)}&${asked(call)}`,
  (call) => `/Describe.ashx?id=s${1 + (call % 20)}&${asked(call)}`,
  (call) => `/Browse.ashx?c=presets&${asked(call)}`,
  (call) => `/Preset.ashx?c=${call % 16 < 8 ? 'add' : 'remove'}&id=s${1 + (call % 20)}&${asked(call)}`,
  (call) => `/lists/popular.m3u?limit=${1 + (call % 50)}`,
];

let database: TestDatabase;
let service: ServiceProcess;
let inside: Inspected;
before(async () => {
  database = await seededDatabase();
  await addPartner(database.pool, { id: PARTNER, name: 'A drill' });
  service = await startService(database.url, { ...INSPECTABLE, MEMBER_KEY });
  inside = await Inspected.open(service);
});
after(async () => {
  inside?.[Symbol.dispose]();
  await service?.[Symbol.asyncDispose]();
  await database?.[Symbol.asyncDispose]();
});

test(`after ${SECONDS} s of calls nothing more is held than after half of them`, async (t) => {
  const half = await soak(SECONDS * WARM_UP);
  const whole = await soak(SECONDS * (1 - WARM_UP));
  const calls = half.calls + whole.calls;
  t.diagnostic(
    `${calls} calls; heap ${megabytes(half.held)} and ${megabytes(whole.held)} MB, ${JSON.stringify(whole.held.resources)}, ${whole.connections} connections to the database`,
  );
  assert.ok(calls > CALLERS * 10, `${calls} calls`);
  assert.ok(!hasGrown(half.held, whole.held), `${megabytes(half.held)} to ${megabytes(whole.held)} MB`);
  for (const kind of ['TCPSocketWrap', 'TCPServerWrap'])
    assert.ok((whole.held.resources[kind] ?? 0) <= (half.held.resources[kind] ?? 0) + 2, kind);
  assert.ok(whole.connections <= half.connections + 2, `${half.connections}, ${whole.connections}`);
});

test('the same look sees a leak', async () => {
  const sound = await inside.held();
  await inside.evaluate(
    `globalThis.leaked = []; setInterval(() => leaked.push('x'.repeat(${LEAK_BYTES}).split('')), 100).unref()`,
  );
  await sleep(3000);
  assert.ok(hasGrown(sound, await inside.held()));
});

const hasGrown = (earlier: Held, now: Held): boolean =>
  now.heapBytes > earlier.heapBytes * (1 + GROWTH) + LATE_BYTES;

const megabytes = ({ heapBytes }: Held): string => (heapBytes / 1e6).toFixed(1);

/** Every caller over connections of its own, which are closed at the end. */
async function soak(seconds: number): Promise<{ calls: number; held: Held; connections: number }> {
  const agent = new Agent({ keepAlive: true, maxSockets: CALLERS });
  const until = performance.now() + seconds * 1000;
  let calls = 0;
  const caller = async (): Promise<void> => {
    while (performance.now() < until) {
      const call = calls++;
      const path = PATHS[call % PATHS.length]?.(Math.floor(call / PATHS.length)) ?? '/';
      const sent = request(`${service.origin}${path}`, { agent }).end();
      const [response] = await once(sent, 'response');
      response.resume();
      await once(response, 'end');
      assert.ok(response.statusCode < 500, `${path}: ${response.statusCode}`);
      await sleep(PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  agent.destroy();
  // What was noted of calls is written down within seconds.
  await sleep(Math.min(5000, seconds * 500));
  const { rows } = await database.pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND application_name <> 'test'`,
  );
  return { calls, held: await inside.held(), connections: rows[0]?.count ?? 0 };
}
