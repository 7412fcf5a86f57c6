import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../../../../scripts/services/service.ts';
import { bumpCatalogue } from '../../../src/storage/catalog/stations/version.ts';
import { transaction } from '../../../src/storage/db/transaction.ts';
import { median } from '../../../bench/load/rounds.ts';
import { cpuSecondsOf } from '../../../bench/load/wrk.ts';
import { writeCertificate } from '../../servers/certificates.ts';
import { startRedis } from '../../servers/redis-server.ts';
import { seededDatabase, type TestDatabase } from '../../database/database.ts';
import { closedPort } from '../../servers/port-of.ts';
import { type ServiceProcess, startService } from '../../processes/service-process.ts';

/** The long form: `SERVE_SECONDS=8 node scripts/test.ts server/test/drills/load/serve-processes.test.ts`, with REQUESTS_PER_SECOND=2000 for more. */
const RATE = Number(process.env['REQUESTS_PER_SECOND'] ?? 200);
const SECONDS = Number(process.env['SERVE_SECONDS'] ?? 2);
const LOOK_MS = 5;
/** So many that no process is left asleep: of twenty, one or two of four take nearly all on a quiet machine. */
const CALLS_AT_ONCE = 100;
const [WARM_UP_TURNS, TURNS_A_SECOND] = [8, 4];
const PAGES = [
  '/Browse.ashx?id=r0',
  '/Browse.ashx?c=music',
  '/Browse.ashx?id=g1000',
  '/Describe.ashx?c=countries',
  '/Browse.ashx',
];

let database: TestDatabase;
before(async () => {
  database = await seededDatabase();
});
after(() => database[Symbol.asyncDispose]());

/** Everything that a service of several processes says of them. */
class Processes {
  readonly service: ServiceProcess;
  constructor(service: ServiceProcess) {
    this.service = service;
  }

  /** Of those at work, by their place; as `ps` shows them. */
  pids(): Map<string, number> {
    const { stdout: out } = spawnSync(
      'ps',
      ['--ppid', String(this.service.process.pid), '-o', 'pid=,args='],
      {
        encoding: 'utf8',
      },
    );
    return new Map(
      out.split('\n').flatMap((line): [string, number][] => {
        const [, pid = '', place = ''] = /^\s*(\d+) .*main\.ts serve (\d+\/\d+)/.exec(line) ?? [];
        return place ? [[place, Number(pid)]] : [];
      }),
    );
  }

  /** How many lines of its log begin their message so. */
  said(message: string): number {
    return this.saidBy(message).length;
  }

  /** The processes that said it, once for each line. */
  saidBy(message: string): number[] {
    return this.service.log
      .filter((line) => line.includes(`"msg":"${message}`))
      .map((line): number => JSON.parse(line).pid);
  }

  async metrics(): Promise<Map<string, number>> {
    const text = await (await fetch(`${this.service.privateOrigin}/metrics`)).text();
    return new Map(
      text
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('#'))
        .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
    );
  }

  memory(metrics: ReadonlyMap<string, number>): string {
    return [...metrics]
      .filter(([name]) => name.startsWith('longwave_memory_bytes'))
      .map(([name, bytes]) => `${/"(.*)"/.exec(name)?.[1]}: ${Math.round(bytes / 2 ** 20)} MB`)
      .join(', ');
  }
}

async function serve(processes: number, more: NodeJS.ProcessEnv = {}): Promise<Processes> {
  const service = await startService(database.url, { SERVE_PROCESSES: `${processes}`, ...more });
  const all = new Processes(service);
  await waitUntil('all processes', async () => all.said('serving') === processes, 120_000);
  return all;
}

/** Calls at a steady rate, whatever becomes of them: half over connections that are kept, half each over a new one. */
class Calls {
  readonly failures: string[] = [];
  answered = 0;
  #sent = 0;
  readonly #origin: string;
  readonly #kept = new Agent({ keepAlive: true, maxSockets: 32 });
  readonly #underWay = new Set<Promise<void>>();

  constructor(origin: string) {
    this.#origin = origin;
  }

  async during(work: () => Promise<void>): Promise<void> {
    const started = performance.now();
    const timer = setInterval(() => {
      const due = ((performance.now() - started) * RATE) / 1000;
      while (this.#sent < due) this.#send(this.#sent++);
    }, LOOK_MS);
    try {
      await work();
    } finally {
      clearInterval(timer);
      await Promise.all(this.#underWay);
      this.#kept.destroy();
    }
  }

  #send(number: number): void {
    const one = this.#ask(number).finally(() => this.#underWay.delete(one));
    this.#underWay.add(one);
  }

  async #ask(number: number): Promise<void> {
    const page = PAGES[number % PAGES.length] ?? '';
    try {
      const agent = number % 2 === 0 ? this.#kept : false;
      const request = get(`${this.#origin}${page}`, { agent });
      const [response] = await once(request, 'response');
      let text = '';
      for await (const chunk of response.setEncoding('utf8')) text += chunk;
      if (response.statusCode !== 200 || !text.includes('</opml>'))
        this.failures.push(`${page}: ${response.statusCode} ${text.slice(0, 100)}`);
      this.answered += 1;
    } catch (error) {
      this.failures.push(`${page}: ${String(error)}`);
    }
  }
}

describe('longwave serve in two processes', () => {
  let all: Processes;
  const folder = mkdtempSync(join(tmpdir(), 'longwave-processes-'));
  before(async () => {
    all = await serve(2, { HTTPS_PORT: '0', ...writeCertificate(folder) });
  });
  after(async () => {
    await all.service[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  test('both answer, and whichever is asked tells the metrics of both', async (t) => {
    const calls = new Calls(all.service.origin);
    await calls.during(() => sleep(SECONDS * 1000));
    assert.deepEqual(calls.failures, []);
    const metrics = await all.metrics();
    const answered = [...metrics]
      .filter(([name]) => name.startsWith('longwave_http_requests_total{'))
      .reduce((sum, [, value]) => sum + value, 0);
    assert.equal(answered, calls.answered);
    assert.equal(metrics.get('longwave_directory_stations'), metrics.get('directory_stations'));
    const { rows } = await database.pool.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM stations WHERE listed',
    );
    assert.equal(
      metrics.get('longwave_directory_stations'),
      rows[0]?.count,
      'what both know is not added up',
    );
    assert.equal([...metrics.keys()].filter((name) => name.startsWith('longwave_memory_bytes')).length, 2);
    t.diagnostic(`${calls.answered} calls; ${all.memory(metrics)}`);
  });

  test('one is killed while calls come: only calls it had fail, it is replaced, and what it counted stays', async (t) => {
    const earlier = (await all.metrics()).get('longwave_http_request_duration_seconds_count{route="Browse"}');
    const calls = new Calls(all.service.origin);
    const killed = all.pids().get('1/2') ?? 0;
    assert.ok(killed > 0);
    await calls.during(async () => {
      await sleep((SECONDS * 1000) / 2);
      process.kill(killed, 'SIGKILL');
      await waitUntil('another process', async () => all.said('serving') === 3, 60_000);
      await sleep((SECONDS * 1000) / 2);
    });
    t.diagnostic(`${calls.failures.length} of ${calls.answered + calls.failures.length} failed`);
    // At most what can be in one process at a time: its connections that are kept, and as many that are new.
    assert.ok(calls.failures.length <= 64, calls.failures.slice(0, 5).join('\n'));
    assert.ok(calls.failures.every((failure) => /ECONNRESET|socket hang up|aborted/.test(failure)));
    assert.notEqual(all.pids().get('1/2'), killed);
    const later = (await all.metrics()).get('longwave_http_request_duration_seconds_count{route="Browse"}');
    assert.ok((later ?? 0) >= (earlier ?? 0), 'no count falls');
    assert.equal(all.said('a process ended; another starts'), 1);
  });

  test('the directory is swapped and every process replaced under load, and no call fails', async (t) => {
    const calls = new Calls(all.service.origin);
    const [old, served] = [all.pids(), all.said('serving')];
    const reloaded = all.said('the directory was reloaded');
    await calls.during(async () => {
      await transaction(database.pool, bumpCatalogue);
      await waitUntil(
        'a swap in both',
        async () => all.said('the directory was reloaded') >= reloaded + 2,
        60_000,
      );
      all.service.process.kill('SIGUSR2');
      await waitUntil('both replaced', async () => all.said('serving') === served + 2, 120_000);
      await waitUntil('the old ones gone', async () => all.pids().size === 2 && gone(old), 60_000);
      await sleep((SECONDS * 1000) / 2);
    });
    t.diagnostic(`${calls.answered} answered, ${calls.failures.length} failed`);
    assert.deepEqual(calls.failures.slice(0, 5), []);
    assert.ok(new Set(all.saidBy('the directory was reloaded')).size >= 2, 'each reloaded its own');
  });

  test('SIGHUP reaches every process, and SIGTERM ends all of them in order', async () => {
    const pids = [...all.pids().values()];
    assert.equal(pids.length, 2);
    const renewed = 'the TLS certificate was reloaded';
    all.service.process.kill('SIGHUP');
    await waitUntil(
      'both have the certificate anew',
      async () => pids.every((pid) => all.saidBy(renewed).includes(pid)),
      60_000,
    );
    assert.equal(all.said(renewed), 2, 'each once');
    const stopped = all.said('stopped');
    // Its end alone does not mean that its last lines were read.
    const closed = once(all.service.process, 'close');
    all.service.process.kill('SIGTERM');
    const [code] = await closed;
    assert.equal(code, 0);
    assert.equal(all.said('stopped'), stopped + 2);
    for (const pid of pids) assert.throws(() => process.kill(pid, 0), 'none is left');
  });
});

/** An old process and the one that follows it have one place for a while. */
const gone = (pids: ReadonlyMap<string, number>): boolean =>
  [...pids.values()].every((pid) => !existsSync(`/proc/${pid}`));

const pidsOf = (all: Processes): number[] => [all.service.process.pid ?? 0, ...all.pids().values()];

/** CPU of all its processes for a call, in microseconds. */
async function cost(all: Processes): Promise<number> {
  const spent = cpuSecondsOf(pidsOf(all));
  // A generator that keeps both busy, whose own work is not counted.
  const out = execFileSync(
    'wrk',
    ['-t1', '-c32', '-d1s', '-H', 'Connection: close', `${all.service.origin}${PAGES[0]}`],
    { encoding: 'utf8' },
  );
  const requests = Number(/(\d+) requests in/.exec(out)?.[1] ?? 0);
  assert.ok(requests > 0, out);
  return ((cpuSecondsOf(pidsOf(all)) - spent) / requests) * 1e6;
}

// The noise of a machine lasts for seconds: of short turns, one after the other, both have as much of it.
if (SECONDS >= 5)
  test('two processes cost a call no more than one does, so that two cores answer at least 1.8 times as many', async (t) => {
    await using opened = new AsyncDisposableStack();
    const one = await serve(1);
    opened.use(one.service);
    const two = await serve(2);
    opened.use(two.service);
    for (let turn = 0; turn < WARM_UP_TURNS; turn += 1) await cost(turn % 2 === 0 ? one : two);
    const ratios: number[] = [];
    for (let turn = 0; turn < SECONDS * TURNS_A_SECOND; turn += 1) {
      const [ofOne, ofTwo] = [await cost(one), await cost(two)];
      ratios.push((2 * ofOne) / ofTwo);
    }
    const times = median(ratios);
    t.diagnostic(`two processes on two cores answer ${times.toFixed(2)} times as many as one`);
    assert.ok(
      times >= 1.8,
      `${times.toFixed(2)} times: ${ratios.map((ratio) => ratio.toFixed(2)).join(' ')}`,
    );
  });

test('limits hold over four processes, with Redis and while it is away', async (t) => {
  const port = await closedPort();
  const redis = await startRedis(port);
  await using opened = new AsyncDisposableStack();
  opened.defer(() => void redis.kill('SIGKILL'));
  const limit = 20;
  const all = await serve(4, { REDIS_URL: `redis://127.0.0.1:${port}`, CALLS_PER_ADDRESS: `${limit}` });
  opened.use(all.service);
  // The limit of an address, by calls over a new connection each, so that every process gets its part of them.
  const flood = async (from: string): Promise<{ admitted: number; allowed: number }> => {
    const started = performance.now();
    let [admitted, seconds] = [0, 0];
    while (seconds < SECONDS) {
      const answers = await Promise.all(
        Array.from({ length: CALLS_AT_ONCE }, () => statusOf(`${all.service.origin}${PAGES[0]}`, from)),
      );
      admitted += answers.filter((status) => status === 200).length;
      assert.ok(answers.every((status) => status === 200 || status === 429));
      seconds = (performance.now() - started) / 1000;
    }
    return { admitted, allowed: limit * 5 + limit * seconds };
  };
  const held = (name: string, { admitted, allowed }: { admitted: number; allowed: number }): void => {
    t.diagnostic(`${name}: ${admitted} admitted, ${Math.round(allowed)} allowed`);
    assert.ok(admitted <= allowed * 1.05 + (limit * 5) / 4, name);
  };
  const there = await flood('127.0.0.2');
  held('Redis there', there);
  assert.ok(there.admitted >= there.allowed * 0.8, 'what is allowed is given');
  redis.kill('SIGKILL');
  await once(redis, 'exit');
  const { admitted, allowed } = await flood('127.0.0.2');
  held('by the same address as soon as it is away', { admitted, allowed: allowed - limit * 5 });
  const away = await flood('127.0.0.3');
  held('Redis away', away);
  assert.ok(away.admitted >= away.allowed * 0.5, 'and some while it is away');
});

async function statusOf(url: string, localAddress: string): Promise<number> {
  const [response] = await once(get(url, { agent: false, localAddress }), 'response');
  response.resume();
  return response.statusCode;
}
