import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { addPartner } from '../../../src/core/accounts/partners/partners.ts';
import { memberKeys } from '../../../src/core/accounts/keys.ts';
import { type BlackHole, startBlackHole } from '../../internet/black-hole.ts';
import { seededDatabase, type TestDatabase } from '../../database/database.ts';
import { type ServiceProcess, startService } from '../../processes/service-process.ts';
import { type Ledger, readLedger } from '../saved/preset-ledger.ts';
import { PARTNER, Writers } from '../saved/preset-writers.ts';

/** `GAPS=30 MAX_GAP_SECONDS=60 node scripts/test.ts server/test/drills/away/silent-gap.test.ts` */
const GAPS = Number(process.env['GAPS'] ?? 0);
const MIN_GAP_SECONDS = 5;
const MAX_GAP_SECONDS = Number(process.env['MAX_GAP_SECONDS'] ?? 60);
/** Longer than a statement, and the ROLLBACK after it, are waited for: then a transaction can be left open. */
const LEFT_OPEN_SECONDS = 22;
/** In the gate: shorter than a save is waited for, longer than that, and long enough for the fault. */
const GAPS_OF_THE_GATE = [2, 5, LEFT_OPEN_SECONDS];
/** One gap shows it almost always; in each, what was under way when it began decides. */
const MAX_GAPS = 8;
/** In which a transaction that was under way is given up and its connection returned, on a machine with much to do. */
const GIVEN_UP_MS = 60_000;
const MOMENT_MS = 1000;
/** After so many saves every connection was used again, the one with the open transaction too. */
const USED_AGAIN = 100;
const USED_AGAIN_MS = 120_000;
/** Connections that were silent are given up first, and then made anew. */
const HEALED_MS = 30_000;
const PAUSE_MS: readonly [number, number] = [300, 1500];
/** The long form takes longer than a test otherwise may. */
const MAX_MS = 600_000 + GAPS * (MAX_GAP_SECONDS + 30) * 1000;
const MEMBER_KEY = 'a key for drills, which protects nobody';
const PLANT = join(import.meta.dirname, '../saved/plant-open-transactions.ts');
/** What is planted says so on its error output. */
const LEFT_OPEN = 'a transaction was left open';

const gaps = (): number[] =>
  GAPS === 0
    ? GAPS_OF_THE_GATE
    : Array.from({ length: GAPS }, () => randomInt(MIN_GAP_SECONDS, MAX_GAP_SECONDS + 1));

/** The service, its database, a network between them that can fall silent, and who saves. */
class GapBench implements AsyncDisposable {
  readonly #database: TestDatabase;
  readonly #network: BlackHole;
  readonly #service: ServiceProcess;
  readonly writers: Writers;

  private constructor(
    database: TestDatabase,
    network: BlackHole,
    service: ServiceProcess,
    stations: string[],
  ) {
    this.#database = database;
    this.#network = network;
    this.#service = service;
    this.writers = new Writers(() => service.origin, stations);
  }

  static async open(settings: NodeJS.ProcessEnv = {}): Promise<GapBench> {
    await using opened = new AsyncDisposableStack();
    const database = opened.use(await seededDatabase());
    await addPartner(database.pool, { id: PARTNER, name: 'A drill' });
    const { rows } = await database.pool.query<{ id: number }>(
      'SELECT id FROM stations ORDER BY id LIMIT 40',
    );
    const network = opened.use(await startBlackHole(Number(new URL(database.url).port)));
    const service = await startService(network.urlOf(database.url), {
      MEMBER_KEY,
      DATABASE_WAIT_FACTOR: '1',
      ...settings,
    });
    const stations = rows.map(({ id }) => `s${id}`);
    opened.move();
    return new GapBench(database, network, service, stations);
  }

  /** The network holds everything back for so long, in both ways, and closes nothing. */
  async goSilent(seconds: number): Promise<void> {
    this.#network.hold();
    await sleep(seconds * 1000);
    this.#network.resume();
  }

  /** The same until a connection was returned with its transaction open, where that fault is planted, and a moment longer. */
  async goSilentUntilLeftOpen(): Promise<void> {
    const count = (): number => this.#service.log.filter((line) => line.includes(LEFT_OPEN)).length;
    const before = count();
    this.#network.hold();
    const end = performance.now() + GIVEN_UP_MS;
    while (count() === before && performance.now() < end) await sleep(50);
    await sleep(MOMENT_MS);
    this.#network.resume();
  }

  /** What came of it, once the service has ended: a transaction that one of its connections was left in ends there. */
  async close(t: TestContext, what: string): Promise<Ledger> {
    await this.#service[Symbol.asyncDispose]();
    return this.ledger(t, what);
  }

  /** What came of it so far, while nobody writes. */
  async ledger(t: TestContext, what: string): Promise<Ledger> {
    const { acknowledged, refused, unknown, told } = this.writers;
    const ledger = await readLedger(this.#database.pool, memberKeys(MEMBER_KEY), told.values());
    t.diagnostic(
      `${what}: ${acknowledged} acknowledged, of which ${ledger.lost.length} lost; ${refused} refused, of which ` +
        `${ledger.done.length} done; ${unknown} told that it is not known; ${ledger.saved} saved`,
    );
    return ledger;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#network.resume();
    await this.#service[Symbol.asyncDispose]();
    await this.#network[Symbol.asyncDispose]();
    await this.#database[Symbol.asyncDispose]();
  }
}

// Side by side: almost all of it is waiting.
describe(
  'a silent network between the service and PostgreSQL',
  { concurrency: true, timeout: MAX_MS },
  () => {
    test('loses no acknowledged save and keeps no refused one', { timeout: MAX_MS }, async (t) => {
      await using bench = await GapBench.open();
      const { writers } = bench;
      const all = gaps();
      await writers.during(async () => {
        await writers.healed(HEALED_MS);
        for (const seconds of all) {
          await sleep(randomInt(...PAUSE_MS));
          await bench.goSilent(seconds);
          await writers.healed(HEALED_MS);
        }
      });
      const total = all.reduce((sum, seconds) => sum + seconds, 0);
      const what = `${all.length} gaps of ${Math.min(...all)} to ${Math.max(...all)} s, ${total} s in all`;
      const { lost, done, twice, unsound } = await bench.close(t, what);
      assert.deepEqual({ lost, done, twice, unsound }, { lost: [], done: [], twice: [], unsound: [] });
      assert.ok(writers.refused > 0, 'no gap was noticed');
      assert.ok(writers.unknown < writers.refused, 'most of who cannot save must be told so for certain');
    });

    test(
      'is seen to lose saves where connections return with their transaction open',
      { timeout: MAX_MS },
      async (t) => {
        await using bench = await GapBench.open({ NODE_OPTIONS: `--import ${PLANT}` });
        let wrong = 0;
        for (let gap = 1; gap <= MAX_GAPS && wrong === 0; gap += 1) wrong = await harmOfGap(t, bench, gap);
        assert.ok(wrong > 0, 'nothing was lost and nothing refused was done, so the drill proves nothing');
      },
    );
  },
);

/** With the fault planted: how many saves are lost, or done though they were refused, after one more gap. */
async function harmOfGap(t: TestContext, bench: GapBench, gap: number): Promise<number> {
  const { writers } = bench;
  await writers.beside(async () => {
    await writers.healed(HEALED_MS);
    await bench.goSilentUntilLeftOpen();
    await writers.healed(USED_AGAIN_MS, USED_AGAIN);
  });
  const { lost, done } = await bench.ledger(t, `with the fault planted, after gap ${gap}`);
  return lost.length + done.length;
}
