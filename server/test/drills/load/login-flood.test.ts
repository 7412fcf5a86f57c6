import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { Agent, request } from 'node:http';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { addPartner } from '../../../src/core/accounts/partners/partners.ts';
import { MEMBER_KEY } from '../../apps/account-app.ts';
import { type SeededDirectory, seededDirectory } from '../../content/seeded-directory.ts';
import { type ServiceProcess, startService } from '../../processes/service-process.ts';

/** `FLOOD_SECONDS=20 node scripts/test.ts server/test/drills/load/login-flood.test.ts` */
const SECONDS = Number(process.env['FLOOD_SECONDS'] ?? 5);
const ATTACKERS = 200;
/** What is left of the rate of browsing while they are at it. */
const KEPT = 0.7;
const ROUNDS = 3;
/** An address that tried more names would be refused before a hash; so each tries just as many, and another comes. */
const NAMES_PER_ADDRESS = 10;

let seeded: SeededDirectory;
let service: ServiceProcess;
before(async () => {
  seeded = await seededDirectory();
  await addPartner(seeded.database.pool, { id: 'maker', name: 'A maker' });
  service = await startService(seeded.database.url, { MEMBER_KEY, LEGACY_CREDENTIALS: 'allow' });
});
after(async () => {
  await service[Symbol.asyncDispose]();
  await seeded[Symbol.asyncDispose]();
});

const run = promisify(execFile);

/** Menus a second, by what loads web servers. */
async function browseRate(): Promise<number> {
  const url = `${service.origin}/Browse.ashx?id=g1000&partnerId=maker`;
  const { stdout } = await run('wrk', ['-t1', '-c16', `-d${SECONDS}s`, url]);
  assert.doesNotMatch(stdout, /Non-2xx/, stdout);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
}

const byte = (): number => 1 + Math.floor(Math.random() * 250);
const name = (): string => `user${Math.floor(Math.random() * 1e8)}`;

interface Answered {
  status: number;
  retryAfter: string | undefined;
}

/** One wrong password; undefined when the connection was refused. */
function attempt(agent: Agent): Promise<Answered | undefined> {
  const body = `c=auth&partnerId=maker&username=${name()}&password=guess`;
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': body.length };
  return new Promise((resolve) => {
    const sent = request(`${service.origin}/Account.ashx`, { method: 'POST', agent, headers }, (response) => {
      response.resume().on('end', () => {
        resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] });
      });
    });
    sent.on('error', () => resolve(undefined)).end(body);
  });
}

class Flood {
  readonly statuses = new Map<number, number>();
  withoutRetryAfter = 0;
  #isOver = false;
  readonly #attackers: Promise<void>[];

  constructor() {
    this.#attackers = Array.from({ length: ATTACKERS }, () => this.#attack());
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#attackers);
  }

  async #attack(): Promise<void> {
    while (!this.#isOver) {
      const agent = new Agent({
        keepAlive: true,
        maxSockets: 1,
        localAddress: `127.${byte()}.${byte()}.${byte()}`,
      });
      for (let n = 0; n < NAMES_PER_ADDRESS && !this.#isOver; n++) this.#note(await attempt(agent));
      agent.destroy();
    }
  }

  #note(answered: Answered | undefined): void {
    const status = answered?.status ?? 0;
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    if (status >= 400 && !(Number(answered?.retryAfter) > 0)) this.withoutRetryAfter += 1;
  }
}

test('two hundred who guess passwords at once do not take the menus from those who listen', async (t) => {
  await browseRate();
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const quiet = await browseRate();
    const flood = new Flood();
    const besieged = await browseRate();
    await flood.stop();
    ratios.push(besieged / quiet);
    const statuses = [...flood.statuses].map(([status, count]) => `${count} x ${status}`).join(', ');
    t.diagnostic(
      `${quiet.toFixed(0)} menus a second, with the flood ${besieged.toFixed(0)}: ${(besieged / quiet).toFixed(2)} (attempts: ${statuses})`,
    );
    assert.ok((flood.statuses.get(200) ?? 0) > 0, 'some passwords were looked at');
    assert.ok((flood.statuses.get(503) ?? 0) > 0, 'more came than could be looked at');
    assert.equal(flood.withoutRetryAfter, 0);
    assert.deepEqual(
      [...flood.statuses.keys()].filter((status) => ![200, 429, 503].includes(status)),
      [],
    );
    if (besieged / quiet >= KEPT) break;
  }
  assert.ok(
    ratios.some((ratio) => ratio >= KEPT),
    `browsing kept ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')}`,
  );
});
