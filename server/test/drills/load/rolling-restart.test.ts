import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { get } from 'node:http';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../../../../scripts/services/service.ts';
import { memberKeys } from '../../../src/core/accounts/keys.ts';
import { addPartner } from '../../../src/core/accounts/partners/partners.ts';
import { listMigrations, migrate } from '../../../src/storage/db/migrate.ts';
import { seededDatabase, type TestDatabase } from '../../database/database.ts';
import { type Nginx, startNginx } from '../../servers/nginx.ts';
import { closedPort } from '../../servers/port-of.ts';
import { type ServiceProcess, startService } from '../../processes/service-process.ts';
import { readLedger } from '../saved/preset-ledger.ts';
import { PARTNER, type Told } from '../saved/preset-writers.ts';

/** The long form: REQUESTS_PER_SECOND=300 ROLLING_RESTARTS=10. */
const RATE = Number(process.env['REQUESTS_PER_SECOND'] ?? 20);
const RESTARTS = Number(process.env['ROLLING_RESTARTS'] ?? 3);
const MEMBER_KEY = 'a key for drills, which protects nobody';
const LOOK_MS = 5;
/** As an operator behind a proxy sets it. */
const GRACE_SECONDS = 2;

let database: TestDatabase;
let nginx: Nginx;
let stations: string[];
const ports: number[] = [];
const servers: ServiceProcess[] = [];

before(async () => {
  database = await seededDatabase();
  await addPartner(database.pool, { id: PARTNER, name: 'A drill' });
  const { rows } = await database.pool.query<{ id: number }>('SELECT id FROM stations ORDER BY id LIMIT 40');
  stations = rows.map(({ id }) => `s${id}`);
  ports.push(await closedPort(), await closedPort());
  for (const port of ports) servers.push(await start(port));
  nginx = await startNginx(ports);
});
after(async () => {
  await nginx[Symbol.asyncDispose]();
  for (const server of servers) await server[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const start = (port: number): Promise<ServiceProcess> =>
  startService(database.url, {
    MEMBER_KEY,
    HTTP_PORT: String(port),
    SHUTDOWN_GRACE_SECONDS: String(GRACE_SECONDS),
    TRUSTED_PROXIES: '127.0.0.1',
  });

/** Requests at a steady rate, whatever becomes of them; menus, searches, stations and saves. */
class Listeners {
  readonly failures: string[] = [];
  readonly saved: Told[] = [];
  answered = 0;
  /** How long they were sent, and how long until the last one was answered. */
  readonly seconds = { sent: 0, answered: 0 };
  readonly elapsedMs: number[] = [];
  #sent = 0;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 });
  readonly #underWay = new Set<Promise<void>>();

  async during(work: () => Promise<void>): Promise<void> {
    const started = performance.now();
    // What a late timer has missed is sent at once, so that the rate holds on a busy machine too.
    const timer = setInterval(() => {
      const due = ((performance.now() - started) * RATE) / 1000;
      while (this.#sent < due) this.#send();
    }, LOOK_MS);
    try {
      await work();
    } finally {
      clearInterval(timer);
      this.seconds.sent = (performance.now() - started) / 1000;
      await Promise.all(this.#underWay);
      this.seconds.answered = (performance.now() - started) / 1000;
      this.#agent.destroy();
    }
  }

  #send(): void {
    const number = this.#sent++;
    const one = this.#ask(number).finally(() => this.#underWay.delete(one));
    this.#underWay.add(one);
  }

  async #ask(number: number): Promise<void> {
    const item = stations[number % stations.length] ?? '';
    const serial = `rolling${number % 7}`;
    const pages = [
      '/Browse.ashx',
      `/Browse.ashx?c=recent&serial=${serial}`,
      '/Search.ashx?query=radio',
      `/Describe.ashx?id=${item}`,
      `/Preset.ashx?c=add&id=${item}&serial=${serial}`,
    ];
    const page = pages[number % pages.length] ?? '';
    const started = performance.now();
    try {
      const answer = await this.#get(`${page}${page.includes('?') ? '&' : '?'}partnerId=${PARTNER}`);
      if (!answer.startsWith('200 ') || !answer.includes('<status>200</status>'))
        this.failures.push(`${page}: ${answer.slice(0, 300)}`);
      else if (page.startsWith('/Preset')) this.saved.push({ serial, item, isThere: true, isRefused: false });
      this.answered += 1;
      this.elapsedMs.push(performance.now() - started);
    } catch (error) {
      this.failures.push(`${page}: ${String(error)}`);
    }
  }

  async #get(path: string): Promise<string> {
    const request = get(`${nginx.origin}${path}`, { agent: this.#agent });
    const [response] = await once(request, 'response');
    let text = `${response.statusCode} `;
    for await (const chunk of response.setEncoding('utf8')) text += chunk;
    return text;
  }
}

/** While it drains it says so to who watches it, and goes on answering; then it ends well. */
async function restart(place: number): Promise<void> {
  const server = servers[place];
  assert.ok(server);
  const exited = once(server.process, 'exit');
  server.process.kill('SIGTERM');
  await waitUntil(
    'draining',
    async () => (await fetch(`${server.privateOrigin}/readyz`)).status === 503,
    10_000,
  );
  const answer = await fetch(`${server.origin}/Browse.ashx`);
  assert.deepEqual(
    [answer.status, answer.headers.get('connection')],
    [200, 'close'],
    'draining, it still answers',
  );
  await answer.text();
  const [code] = await exited;
  assert.equal(code, 0);
  servers[place] = await start(ports[place] ?? 0);
}

/** What the next version adds, and servers of this one do not know. */
const NEXT = {
  name: '9001_next_version.sql',
  text: `ALTER TABLE presets ADD COLUMN added_by_drill text NOT NULL DEFAULT '';
    ALTER TABLE stations ADD COLUMN added_by_drill text;
    CREATE TABLE of_the_next_version (id bigint PRIMARY KEY)`,
  checksum: 'next',
};

test('servers are restarted one after another, one across a migration, and no request fails', async () => {
  const listeners = new Listeners();
  await listeners.during(async () => {
    await sleep(1000);
    for (let turn = 0; turn < RESTARTS; turn += 1) {
      // Both servers are of the version before, and one goes on while the other is started on the new schema.
      if (turn === Math.floor(RESTARTS / 2))
        assert.deepEqual(await migrate(database.url, [...listMigrations(), NEXT]), [NEXT.name]);
      await restart(turn % servers.length);
      await sleep(500);
    }
  });
  const passedOver = nginx
    .readLog()
    .split('\n')
    .filter((line) => line.includes('upstream')).length;
  const { answered, failures, seconds } = listeners;
  const rising = Float64Array.from(listeners.elapsedMs).toSorted();
  const within = (share: number): number => Math.round(rising[Math.ceil(rising.length * share) - 1] ?? 0);
  console.log(
    `${answered} requests, sent at ${Math.round(answered / seconds.sent)} a second and answered at ${Math.round(answered / seconds.answered)}, ${RESTARTS} restarts: ${failures.length} failed; half within ${within(0.5)} ms, 99 % within ${within(0.99)} ms, the slowest ${within(1)} ms; nginx passed over a stopped server ${passedOver} times`,
  );
  assert.deepEqual(failures.slice(0, 5), []);
  assert.ok(answered > 50);
  assert.ok(answered > 0.95 * RATE * seconds.sent, 'requests were sent at the rate that was asked for');
  const { lost, twice, unsound } = await readLedger(database.pool, memberKeys(MEMBER_KEY), listeners.saved);
  assert.deepEqual({ lost, twice, unsound }, { lost: [], twice: [], unsound: [] });
});
