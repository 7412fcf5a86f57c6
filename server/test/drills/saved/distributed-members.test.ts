import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { listMigrations, migrate } from '../../../src/storage/db/migrate.ts';
import { waitUntil } from '../../../../scripts/services/service.ts';
import { CitusCluster, superuserUrl } from '../../distributed/citus-cluster.ts';
import { DistributedBench, PRESETS_EACH } from './distributed-bench.ts';

/**
 * `CITUS=1 ACCOUNTS=1000000 node scripts/test.ts server/test/drills/saved/distributed-members.test.ts`, where PostgreSQL has
 * Citus: no package of Debian brings it, so the gate has only the guard of test/distributed/one-partition.test.ts.
 */
const HAS_CITUS = process.env['CITUS'] !== undefined;
const ACCOUNTS = Number(process.env['ACCOUNTS'] ?? 20_000);
const CHECKOUT = join(import.meta.dirname, '../../../..');
const MOVED_MS = 20 * 60_000;
const HEALED_MS = 120_000;

/** All that tries accounts, devices, presets and folders, and the conformance kit. */
const SUITE = [
  'server/src/core/{accounts,devices,folders}/**/*.test.ts',
  'server/src/protocols/radiotime/{account,preset}/*.test.ts',
  'server/src/protocols/radiotime/browse/presets.test.ts',
  'server/src/protocols/site/api/*.test.ts',
  'server/src/protocols/{gpodder/gpodder,subsonic/subsonic,lists/lists}.test.ts',
  'server/test/commands/{account-command,device-command}.test.ts',
  'server/test/end-to-end/conformance.test.ts',
];

const LATER = [
  'ALTER TABLE accounts ADD COLUMN planted text; ALTER TABLE presets ADD COLUMN planted integer NOT NULL DEFAULT 0;',
  'ALTER TABLE presets ADD CONSTRAINT planted CHECK (planted = 0); CREATE INDEX planted_account ON devices (account_id);',
  'CREATE TABLE planted_rows (id bigint PRIMARY KEY, station_id bigint REFERENCES stations (id));',
].join('\n');

if (HAS_CITUS) {
  test('the members suite and the conformance kit pass on a coordinator and two workers', async (t) => {
    await using cluster = await CitusCluster.start();
    const workers = cluster.workers.map(({ url }) => superuserUrl(url));
    const env = { ...process.env, DATABASE_URL: superuserUrl(cluster.url), CITUS_WORKERS: workers.join(',') };
    const files = SUITE.flatMap((pattern) => globSync(pattern, { cwd: CHECKOUT }));
    const options = [
      '--expose-gc',
      '--import=./server/test/time/wait-factor.ts',
      '--test',
      '--test-concurrency=2',
    ];
    const { status, stdout } = spawnSync(process.execPath, [...options, ...files], {
      cwd: CHECKOUT,
      env: { ...env, NODE_TEST_CONTEXT: undefined },
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    t.diagnostic(`${files.length} files: ${/^ℹ pass \d+$/m.exec(stdout)?.[0]}`);
    assert.equal(status, 0, stdout);
  });

  test('shards move to a third worker while radios save, a worker is killed, and every preset is where it was', async (t) => {
    await using bench = await DistributedBench.open(ACCOUNTS);
    const { cluster } = bench;
    t.diagnostic(`whole: ${await bench.bytesPerRow()}`);
    const before = await bench.fingerprint();
    assert.ok(before.startsWith(`${ACCOUNTS * PRESETS_EACH} `));

    const startedAt = performance.now();
    const said = runDistributed(cluster.url);
    assert.match(said, /^distributed presets$/m);
    t.diagnostic(`spread in ${seconds(startedAt)} s`);
    assert.match(runDistributed(cluster.url), /^the tables of the members are distributed$/m);
    const later = { name: '9999_planted.sql', text: LATER, checksum: 'planted' };
    assert.deepEqual(await migrate(cluster.url, [...listMigrations(), later]), [later.name]);
    assert.equal(await bench.fingerprint(), before, 'after they were spread');

    await bench.serve();
    await bench.writers.during(async () => {
      await bench.writers.healed(HEALED_MS);
      const third = await cluster.addWorker();
      const [acknowledged, movedAt] = [bench.writers.acknowledged, performance.now()];
      await bench.startRebalance();
      assert.equal(await bench.rebalanced(MOVED_MS), 'finished');
      t.diagnostic(
        `moved in ${seconds(movedAt)} s, ${bench.writers.acknowledged - acknowledged} acknowledged meanwhile, ` +
          `${bench.writers.refused} refused, ${bench.writers.unknown} unknown`,
      );
      const shards = await bench.shards();
      t.diagnostic(`shards by worker: ${[...shards].map(([port, count]) => `${port} ${count}`).join(', ')}`);
      assert.ok((shards.get(Number(new URL(third.url).port)) ?? 0) > 0, 'the third worker has its share');
      await bench.writers.healed(HEALED_MS);
    });
    assert.equal(await bench.fingerprint(), before, 'after the move');
    await soundLedger(bench, t.diagnostic.bind(t));

    const [refusedBefore] = [bench.writers.refused + bench.writers.unknown];
    await bench.writers.during(async () => {
      await bench.writers.healed(HEALED_MS);
      const [worker] = cluster.workers;
      assert.ok(worker);
      await worker.kill();
      await waitUntil(
        'a save that fails',
        async () => bench.writers.refused + bench.writers.unknown > refusedBefore,
        HEALED_MS,
      );
      await sleep(3000);
      await worker.restart();
      const restartedAt = performance.now();
      await bench.writers.healed(HEALED_MS, 200);
      t.diagnostic(`saves went on ${seconds(restartedAt)} s after the killed worker was back (200 of them)`);
    });
    await bench.settled(HEALED_MS);
    assert.equal(await bench.fingerprint(), before, 'after a worker was killed');
    await soundLedger(bench, t.diagnostic.bind(t));

    // A control: one row taken from a shard behind everybody's back is noticed.
    await bench.pool.query('DELETE FROM presets WHERE account_id = 7 AND position = 1');
    assert.notEqual(await bench.fingerprint(), before);
  });
}

test('the drill’s programs are there', () => {
  // psql copies the members' rows to one PostgreSQL, where they are audited.
  assert.match(execFileSync('psql', ['--version'], { encoding: 'utf8' }), /PostgreSQL/);
});

/** Of a million accounts it takes minutes. */
function runDistributed(databaseUrl: string): string {
  const main = join(CHECKOUT, 'server/src/main.ts');
  const env = { ...process.env, DATABASE_URL: databaseUrl };
  const options = { env, encoding: 'utf8', timeout: MOVED_MS } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, 'migrate', '--distributed'], options);
  assert.equal(status, 0, stderr);
  return stdout;
}

async function soundLedger(bench: DistributedBench, say: (line: string) => void): Promise<void> {
  const { saved, lost, done, twice, unsound } = await bench.ledger();
  const { acknowledged, refused, unknown } = bench.writers;
  say(
    `${acknowledged} acknowledged, ${refused} refused, ${unknown} unknown, ${saved} saved, ${lost.length} lost, ` +
      `${done.length} refused and done, ${twice.length} twice`,
  );
  assert.deepEqual({ lost, done, twice, unsound }, { lost: [], done: [], twice: [], unsound: [] });
}

const seconds = (since: number): string => ((performance.now() - since) / 1000).toFixed(1);
