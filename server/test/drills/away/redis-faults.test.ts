/**
 * Redis that leads is killed, stands still, is emptied or restarted, while presets are saved, menus are read and one partner calls far too
 * often, at two servers that share its limit. The long form: `REDIS_FAULTS=20 node scripts/test.ts server/test/drills/away/redis-faults.test.ts`.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../../../../scripts/services/service.ts';
import { addPartner, changePartner } from '../../../src/core/accounts/partners/partners.ts';
import { memberKeys } from '../../../src/core/accounts/keys.ts';
import { seededDatabase, type TestDatabase } from '../../database/database.ts';
import { PASSWORD, SentinelRedis } from '../../servers/redis-sentinels.ts';
import { type ServiceProcess, startService } from '../../processes/service-process.ts';
import { readLedger } from '../saved/preset-ledger.ts';
import { PARTNER, Writers } from '../saved/preset-writers.ts';

const FAULTS = Number(process.env['REDIS_FAULTS'] ?? 2);
const MEMBER_KEY = 'a key for drills, which protects nobody';
const LOUD = { id: 'loud', perSecond: 2 };
/** As many calls as it may save up (`net/http/caller/rate-limit.ts`). */
const BURST = LOUD.perSecond * 5;
const PAUSE_MS = 1500;
const HELD_MS = 3000;
const SEEN_MS = 180_000;
const MENU = '/Browse.ashx?c=music';
const LOUD_MENU = `${MENU}&partnerId=${LOUD.id}`;

const opened = new AsyncDisposableStack();
let database: TestDatabase;
let redis: SentinelRedis;
let services: ServiceProcess[];

before(async () => {
  database = opened.use(await seededDatabase());
  await addPartner(database.pool, { id: PARTNER, name: 'A drill' });
  await addPartner(database.pool, { id: LOUD.id, name: 'A loud one' });
  await changePartner(database.pool, LOUD.id, { requests_per_second: LOUD.perSecond });
  redis = opened.use(await SentinelRedis.open());
  const settings = { REDIS_URL: redis.url, MEMBER_KEY };
  services = [
    opened.use(await startService(database.url, settings)),
    opened.use(await startService(database.url, settings)),
  ];
});
after(() => opened.disposeAsync());

/** What happens to the Redis that leads, and what brings it back. */
const FAULT_KINDS: Record<string, () => Promise<void>> = {
  'killed, and another leads': async () => {
    const lost = redis.leader();
    await redis.kill(lost);
    await waitUntil('another leader', async () => redis.leader() !== lost, SEEN_MS);
    redis.restart(lost);
    await redis.agreed();
  },
  emptied: async () => {
    await redis.flush();
    await sleep(PAUSE_MS);
  },
  'it stands still, and another leads': async () => {
    const lost = redis.leader();
    redis.freeze(lost);
    try {
      await waitUntil('another leader', async () => redis.leader() !== lost, SEEN_MS);
      await sleep(HELD_MS);
    } finally {
      redis.thaw(lost);
    }
    await redis.agreed();
  },
};

test(`of ${FAULTS} faults of Redis no save, no menu and no limit takes harm`, async (t) => {
  const [one, other] = services;
  assert.ok(one && other);
  const stations = ['s1', 's2', 's3', 's4', 's5', 's6'];
  const writers = new Writers(() => one.origin, stations, { count: 4, devices: 4 });
  const menus = new Calls(other.origin, MENU);
  const flood = services.map(({ origin }) => new Calls(origin, LOUD_MENU));
  const ending = new AbortController();
  const begun = performance.now();
  const calling = [menus, ...flood].map((calls) => calls.until(ending.signal));
  const kinds = Object.entries(FAULT_KINDS);
  const faults = Array.from({ length: FAULTS }, (_, index) => kinds[index % kinds.length]!);
  await writers.during(async () => {
    try {
      await writers.healed();
      for (const [kind, fault] of faults) {
        const at = performance.now();
        await fault();
        await writers.healed();
        await waitUntil('what is left of the limit, at the leader', isCountedByLeader, SEEN_MS);
        t.diagnostic(`${kind}: over after ${((performance.now() - at) / 1000).toFixed(1)} s`);
      }
    } finally {
      ending.abort();
      await Promise.all(calling);
    }
  });
  const seconds = (performance.now() - begun) / 1000;
  const { saved, lost, done, twice, unsound } = await readLedger(
    database.pool,
    memberKeys(MEMBER_KEY),
    writers.told.values(),
  );
  const admitted = flood.reduce((sum, calls) => sum + calls.admitted, 0);
  const sent = flood.reduce((sum, calls) => sum + calls.admitted + calls.refused, 0);
  const allowed = BURST + LOUD.perSecond * seconds;
  t.diagnostic(
    `${writers.acknowledged} saves acknowledged (${saved} there), ${lost.length} lost; ${writers.refused} refused; ` +
      `${menus.admitted} menus, ${menus.failures.length} failed; the loud partner had ${admitted} of ${sent} calls, ${Math.round(allowed)} allowed`,
  );
  assert.deepEqual({ lost, done, twice, unsound }, { lost: [], done: [], twice: [], unsound: [] });
  assert.equal(writers.refused, 0, 'a save does not need Redis');
  assert.deepEqual([menus.failures, flood.flatMap(({ failures }) => failures)], [[], []]);
  assert.ok(menus.admitted > 0 && menus.refused === 0);
  // What a process may still admit before it hears of the others is its share of the burst; each fault takes what they know apart.
  assert.ok(admitted <= allowed * 1.05 + (BURST / 2) * FAULTS, `${admitted} of ${allowed}`);
  assert.ok(sent > allowed, 'the loud partner asked for no more than it may have');
  const log = services.flatMap((service) => service.log).join('\n');
  assert.match(log, /Redis is unreachable.*Redis is reachable again/s);
  assert.ok(!log.includes(PASSWORD), 'the password is in the log');
});

const isCountedByLeader = async (): Promise<boolean> =>
  (await redis.keys(redis.leader())).some((key) => key.includes('bucket:'));

/** The same call again and again, one after the other over a connection of its own. */
class Calls {
  admitted = 0;
  refused = 0;
  readonly failures: string[] = [];
  readonly #address: string;

  constructor(origin: string, path: string) {
    this.#address = origin + path;
  }

  async until(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.ask();
      await sleep(5);
    }
  }

  async ask(): Promise<void> {
    try {
      const response = await fetch(this.#address, { signal: AbortSignal.timeout(10_000) });
      const text = await response.text();
      if (response.status === 200 && text.includes('</opml>')) this.admitted += 1;
      else if (response.status === 429) this.refused += 1;
      else this.failures.push(`${response.status} ${text.slice(0, 200)}`);
    } catch (error) {
      this.failures.push(String(error));
    }
  }
}
