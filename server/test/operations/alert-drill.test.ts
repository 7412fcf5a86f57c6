import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { scaleRules } from '../../../scripts/scale-rules.ts';
import { migrate } from '../../src/storage/db/migrate.ts';
import { waitUntil } from '../time/wait-until.ts';
import { closedPort, portOf } from '../servers/port-of.ts';
import { type PrivatePostgres, startPrivatePostgres } from '../database/private-postgres.ts';
import { type ServiceProcess, startService } from '../processes/service-process.ts';
import { PROMETHEUS_FOLDER, RULE_FILES } from './alert-rules.ts';
import { startWorker, type WorkerProcess } from './running-directory.ts';

/** An hour is a minute, and two minutes of patience are two seconds. */
const RULE_SCALE = 60;
/** Far more than it takes; a machine that runs other tests beside this one is slow. */
const PATIENCE_MS = 240_000;

const folder = mkdtempSync(join(tmpdir(), 'longwave-drill-'));
/** Names of alerts that the webhook was told of, by state. */
const received = { firing: new Set<string>(), resolved: new Set<string>() };
const programs: ChildProcess[] = [];
let postgres: PrivatePostgres;
let service: ServiceProcess;
let worker: WorkerProcess;
let prometheus: string;

const webhook = createServer((request, response) => {
  let body = '';
  request.on('data', (bytes: Buffer) => (body += bytes.toString()));
  request.on('end', () => {
    const told: { alerts: { status: 'firing' | 'resolved'; labels: { alertname: string } }[] } =
      JSON.parse(body);
    for (const { status, labels } of told.alerts) received[status].add(labels.alertname);
    response.end();
  });
});

before(async () => {
  postgres = await startPrivatePostgres();
  await migrate(postgres.url);
  service = await startService(postgres.url);
  worker = await startWorker(postgres.url);
  webhook.listen(0, '127.0.0.1');
  await once(webhook, 'listening');
  prometheus = await startPrometheus(await startAlertmanager());
});

after(async () => {
  for (const program of programs) {
    program.kill('SIGKILL');
    await once(program, 'exit');
  }
  webhook.close();
  await worker[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

function start(program: string, ...args: string[]): void {
  const child = spawn(program, args, { cwd: folder, stdio: 'ignore' });
  programs.push(child);
}

/** With our configuration, but at once, to our webhook, and without leaving out what another alert explains. */
async function startAlertmanager(): Promise<number> {
  const own = readFileSync(join(PROMETHEUS_FOLDER, 'alertmanager.yml'), 'utf8');
  const [config = ''] = own
    .replace(/http:\/\/127\.0\.0\.1:9095\/alerts/, `http://127.0.0.1:${portOf(webhook)}/alerts`)
    .replace(/group_wait: \w+/, 'group_wait: 1s')
    .replace(/group_interval: \w+/, 'group_interval: 1s')
    .split('# A database that is away');
  writeFileSync(join(folder, 'alertmanager.yml'), config);
  const listenPort = await closedPort();
  start(
    'prometheus-alertmanager',
    '--config.file=alertmanager.yml',
    '--storage.path=alerts',
    `--web.listen-address=127.0.0.1:${listenPort}`,
    '--cluster.listen-address=',
  );
  return listenPort;
}

/** With our rules, scaled, and our configuration with the ports of this test; every second. */
async function startPrometheus(alertmanagerPort: number): Promise<string> {
  for (const file of RULE_FILES)
    writeFileSync(
      join(folder, file),
      scaleRules(readFileSync(join(PROMETHEUS_FOLDER, file), 'utf8'), RULE_SCALE),
    );
  const config = readFileSync(join(PROMETHEUS_FOLDER, 'prometheus.yml'), 'utf8')
    .replace(/_interval: \w+/g, '_interval: 1s')
    .replace('127.0.0.1:9093', `127.0.0.1:${alertmanagerPort}`)
    .replace('127.0.0.1:8701', new URL(service.privateOrigin).host)
    .replace('127.0.0.1:8702', new URL(worker.privateOrigin).host);
  writeFileSync(join(folder, 'prometheus.yml'), config);
  const port = await closedPort();
  const listen = `--web.listen-address=127.0.0.1:${port}`;
  start('prometheus', '--config.file=prometheus.yml', '--storage.tsdb.path=series', listen);
  return `http://127.0.0.1:${port}`;
}

/** The sum of a query's values; undefined while there is none. */
async function ask(query: string): Promise<number | undefined> {
  const response = await fetch(`${prometheus}/api/v1/query?query=${encodeURIComponent(query)}`);
  const { data }: { data: { result: { value: [number, string] }[] } } = JSON.parse(await response.text());
  return data.result.length === 0
    ? undefined
    : data.result.reduce((sum, { value }) => sum + Number(value[1]), 0);
}

let searches = 0;

/** Other words each time: what was asked before is answered from memory while the database is away. */
async function search(): Promise<void> {
  searches += 1;
  await (await fetch(`${service.origin}/Search.ashx?query=jazz${searches}&partnerId=demo`)).text();
}

const told = (state: 'firing' | 'resolved', alert: string): Promise<true> =>
  waitUntil(
    `${alert} ${state}, of ${[...received[state]].join()}`,
    async () => {
      await Promise.all([search(), search(), search()]);
      return received[state].has(alert) || undefined;
    },
    PATIENCE_MS,
  );

test('a healthy directory is scraped, and nobody is told of anything', async () => {
  for (const job of ['longwave', 'longwave-work'])
    await waitUntil(
      `${job} is up`,
      async () => ((await ask(`up{job="${job}"}`)) === 1 ? true : undefined),
      PATIENCE_MS,
    );
  await waitUntil(
    'calls are counted',
    async () => {
      await search();
      const rate = await ask('longwave:requests:rate1h{objective="menus"}');
      return (rate ?? 0) > 0.02 || undefined;
    },
    PATIENCE_MS,
  );
  assert.equal(await ask('longwave:errors:ratio_rate1h{objective="menus"}'), 0);
  assert.deepEqual([...received.firing], []);
});

test('a worker that is killed is told of', async () => {
  worker.process.kill('SIGKILL');
  await told('firing', 'LongwaveWorkerDown');
  assert.ok(!received.firing.has('LongwaveDatabaseAway'));
});

test('a database that is away is told of, and so are the calls that fail with it', async () => {
  await postgres.crash();
  await told('firing', 'LongwaveDatabaseAway');
  await told('firing', 'LongwaveErrorsFast');
  assert.ok(!received.firing.has('LongwaveServerDown'), 'the server itself answers');
});

test('when the database is back, that is told too', async () => {
  await postgres.restart();
  await told('resolved', 'LongwaveDatabaseAway');
});
