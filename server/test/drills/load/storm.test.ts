/**
 * Ten times as many calls as usual, all at once, for some seconds: alarm clocks on the hour, the radios of a region after a power
 * cut, the firmware of one partner that asks again and again. In front of the service is HAProxy with our example. The service has a
 * quarter of a core, so that what calls it, which has a core with HAProxy, can call ten times as often as usual. The long form, alone on
 * a quiet machine: `STORM_SECONDS=60 node scripts/test.ts server/test/drills/load/storm.test.ts`.
 */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import type { Storm, StormReport, Told } from '../../../bench/load/open-loop.ts';
import { addPartner, changePartner } from '../../../src/core/accounts/partners/partners.ts';
import { seededDatabase, type TestDatabase } from '../../database/database.ts';
import { type Haproxy, startHaproxy } from '../../servers/haproxy.ts';
import { type ServiceProcess, startService } from '../../processes/service-process.ts';

const SECONDS = Number(process.env['STORM_SECONDS'] ?? 3);
const IS_STRICT = process.env['STORM_SECONDS'] !== undefined;
/** What usually comes is a seventh of what one process carries, so that the storm is more than it does. */
const USUAL = 1 / 7;
const TIMES = 10;
const CALM_SECONDS = IS_STRICT ? 10 : 1;
/** After which everything is as it was. */
const RECOVERY_SECONDS = 5;
const LEAST_IN_TIME = 0.999;
/** A lower priority: a third of the time of what has the usual one, so a quarter of all. */
const A_THIRD = '5';
const [SERVED_ON, CALLED_ON] = ['0', '1'];
const run = promisify(execFile);
const GENERATOR = join(import.meta.dirname, '../../../bench/load/open-loop.ts');

const ASKED = 'formats=mp3,aac&partnerId=demo';
/** One whose devices may call this often, all together. */
const LOUD = { id: 'loud', perSecond: 50 };
const stations = Array.from({ length: 20 }, (_, index) => `s${index + 1}`);
const devices = Array.from({ length: 200 }, (_, index) => `serial=storm${index}`);
const pathsOf = (page: string, asked = ASKED): string[] =>
  stations.map((id) => `/${page}.ashx?id=${id}&${asked}`);

const STORMS: Record<string, Storm['calls']> = {
  'alarm clocks on the hour': [
    { kind: 'tune', share: 0.7, paths: pathsOf('Tune') },
    {
      kind: 'menu',
      share: 0.2,
      paths: ['music', 'world', 'talk'].map((c) => `/Browse.ashx?c=${c}&${ASKED}`),
    },
    { kind: 'describe', share: 0.1, paths: pathsOf('Describe') },
  ],
  'the radios of a region that start at once': [
    { kind: 'index', share: 0.4, paths: devices.map((device) => `/Browse.ashx?c=index&${ASKED}&${device}`) },
    {
      kind: 'presets',
      share: 0.4,
      paths: devices.map((device) => `/Browse.ashx?c=presets&${ASKED}&${device}`),
    },
    { kind: 'tune', share: 0.2, paths: pathsOf('Tune') },
  ],
  'the firmware of one partner that asks again and again': [
    { kind: 'loud', share: 0.9, paths: pathsOf('Tune', `partnerId=${LOUD.id}`) },
    { kind: 'tune', share: 0.1, paths: pathsOf('Tune') },
  ],
};

let database: TestDatabase;
let service: ServiceProcess;
let proxy: Haproxy;
let usual: number;
let endBusy: (() => void) | undefined;

before(async () => {
  database = await seededDatabase();
  await addPartner(database.pool, { id: LOUD.id, name: 'A loud one' });
  await changePartner(database.pool, LOUD.id, { requests_per_second: LOUD.perSecond });
  service = await startService(database.url, { TRUSTED_PROXIES: '127.0.0.1', PARTNERS: 'any' });
  for (const thread of readdirSync(`/proc/${service.process.pid}/task`))
    await run('renice', ['-n', A_THIRD, '-p', thread]);
  await run('taskset', ['-acp', SERVED_ON, `${service.process.pid}`]);
  proxy = await startHaproxy(Number(new URL(service.origin).port), { core: Number(CALLED_ON) });
  const busy = spawn('taskset', ['-c', SERVED_ON, process.execPath, '-e', 'for (;;);'], { stdio: 'ignore' });
  endBusy = () => busy.kill('SIGKILL');
  const most = await carried(proxy.port);
  usual = Math.max(20, Math.round(most * USUAL));
  console.log(`${most} calls a second are carried; usual are ${usual}, in a storm ${usual * TIMES}`);
});
after(async () => {
  endBusy?.();
  await proxy?.[Symbol.asyncDispose]();
  await service?.[Symbol.asyncDispose]();
  await database?.[Symbol.asyncDispose]();
});

for (const [name, calls] of Object.entries(STORMS))
  describe(`${name}: ten times as many calls as usual`, () => {
    let told: StormReport;
    const of = (phase: string): Told[] => told.filter((each) => each.phase === phase);

    before(async () => {
      told = await play(proxy.port, {
        phases: [
          { name: 'before', seconds: CALM_SECONDS, perSecond: usual },
          { name: 'storm', seconds: SECONDS, perSecond: usual * TIMES },
          { name: 'recovery', seconds: RECOVERY_SECONDS, perSecond: usual },
          { name: 'after', seconds: CALM_SECONDS, perSecond: usual },
        ],
        calls,
      });
      for (const { phase, kind, sent, served, servedInTime, toldWhen, failed, p50, p99, p999 } of told)
        console.log(
          `${phase}, ${kind}: ${sent} sent, ${served} served (${servedInTime} in time; ${p50.toFixed(1)}, ${p99.toFixed(1)}, ${p999.toFixed(1)} ms), ${toldWhen} told when to come again, ${failed} failed`,
        );
    });

    test('everybody is served or told when to come again', () => {
      for (const { phase, kind, sent, served, toldWhen, failed } of told) {
        assert.equal(failed, 0, `${phase}, ${kind}`);
        assert.equal(served + toldWhen, sent, `${phase}, ${kind}`);
      }
    });

    test('who is admitted to hear something is served in time, and goes before the others', () => {
      const tune = of('storm').find(({ kind }) => kind === 'tune');
      assert.ok(tune && tune.served > 0);
      for (const other of of('storm'))
        if (other.toldWhen > 0)
          assert.ok(refused(tune) <= refused(other), `${refused(tune)}, ${refused(other)}`);
      // On a machine with much else to do the time says nothing about the service.
      if (IS_STRICT)
        assert.ok(tune.servedInTime / tune.served >= LEAST_IN_TIME, `${tune.servedInTime} of ${tune.served}`);
    });

    test(`${RECOVERY_SECONDS} seconds after its end it is as before`, () => {
      for (const { kind, sent, served, servedInTime } of of('after').filter((each) => each.kind !== 'loud')) {
        assert.ok(served >= (IS_STRICT ? sent : sent / 2), `${kind}: ${served} of ${sent}`);
        if (IS_STRICT) assert.ok(servedInTime / sent >= LEAST_IN_TIME, `${kind}: ${servedInTime} of ${sent}`);
      }
    });
  });

const refused = ({ sent, toldWhen }: Told): number => toldWhen / sent;

/** How many of these calls a second it answers when it is asked as fast as it answers. */
async function carried(port: number): Promise<number> {
  const seconds = IS_STRICT ? 5 : 2;
  const url = `http://127.0.0.1:${port}${pathsOf('Tune')[0]}`;
  const ask = (forSeconds: number): Promise<{ stdout: string }> =>
    run('taskset', ['-c', CALLED_ON, 'wrk', '-t1', '-c16', `-d${forSeconds}s`, url]);
  await ask(2);
  const { stdout } = await ask(seconds);
  return Math.round(Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]));
}

async function play(port: number, storm: Storm): Promise<StormReport> {
  const args = ['-c', CALLED_ON, process.execPath, GENERATOR, `${port}`, JSON.stringify(storm)];
  const { stdout } = await run('taskset', args, { maxBuffer: 2 ** 20 });
  return JSON.parse(stdout);
}
