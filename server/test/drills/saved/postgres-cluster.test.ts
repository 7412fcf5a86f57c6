import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { CLUSTER_FAULTS, pickFaults } from '../../cluster/faults.ts';
import { Dice } from '../../fuzz/dice.ts';
import { TEST_WAIT_FACTOR } from '../../time/wait-factor.ts';
import { ClusterBench } from './cluster-bench.ts';

/** The long form: `CLUSTER_FAULTS=20 CLUSTER_SAVES=300 CLUSTER_MENUS=3000 node scripts/test.ts server/test/drills/saved/postgres-cluster.test.ts`; `CLUSTER_SEED` repeats one. */
const FAULTS = Number(process.env['CLUSTER_FAULTS'] ?? 2);
const SEED = Number(process.env['CLUSTER_SEED'] ?? randomInt(2 ** 31));
const IS_LONG = FAULTS > 2;
/** Without any acknowledged save; in the gate the machine is busy with other tests. */
const MAX_SECONDS = 15 * (IS_LONG ? 1 : TEST_WAIT_FACTOR);
const MAX_MS = 600_000 + FAULTS * 120_000;

test('a cluster of PostgreSQL servers loses no acknowledged save', { timeout: MAX_MS }, async (t) => {
  t.diagnostic(`CLUSTER_SEED=${SEED}`);
  const dice = new Dice(SEED);
  await using bench = await ClusterBench.open();
  const without: number[] = [];
  const started = performance.now();
  const menus = await bench.during(async () => {
    for (const fault of pickFaults(FAULTS, dice)) {
      await sleep(dice.below(1500));
      t.diagnostic(fault.name);
      const { backAfter, longest } = await bench.befall(fault);
      without.push(longest);
      t.diagnostic(`saves again ${backAfter.toFixed(1)} s after it, none for ${longest.toFixed(1)} s`);
    }
  });
  const seconds = (performance.now() - started) / 1000;
  const { acknowledged, refused, unknown, sent } = bench.writers;
  const secondsWithPrimary = seconds - without.reduce((sum, outage) => sum + outage, 0);
  const { saved, lost, done, twice, unsound } = await bench.ledger();
  const witnessed = { lost: await bench.witness.lost(), splits: bench.witness.splits() };
  t.diagnostic(
    `${FAULTS} faults in ${seconds.toFixed(0)} s: ${sent} saves sent (${(sent / seconds).toFixed(0)} a second), ` +
      `${acknowledged} acknowledged (${(acknowledged / secondsWithPrimary).toFixed(0)} a second while a server took them), ` +
      `${refused} refused, ${unknown} unknown, ${saved} saved, ${lost.length} lost, ${done.length} refused and done, ${twice.length} twice`,
  );
  t.diagnostic(
    `${menus.whole} menus (${(menus.whole / menus.seconds).toFixed(0)} a second), ${menus.other} others, ${menus.unanswered} unanswered; ` +
      `${bench.witness.acknowledged.length} writes acknowledged by servers themselves, ${witnessed.lost.length} of them lost, ${witnessed.splits.length} by a second primary`,
  );
  assert.deepEqual({ lost, done, twice, unsound }, { lost: [], done: [], twice: [], unsound: [] });
  assert.deepEqual(witnessed, { lost: [], splits: [] });
  assert.deepEqual({ other: menus.other, unanswered: menus.unanswered }, { other: 0, unanswered: 0 });
  assert.ok(Math.max(...without) <= MAX_SECONDS, `no save for ${Math.max(...without).toFixed(1)} s`);
  assert.ok(refused + unknown > 0, 'no fault was noticed');
});

/** Of the control, which loses something almost always at the first one. */
const CONTROL_FAULTS = 6;

// Only the long form has time for it.
if (IS_LONG)
  test(
    'the same drill finds the loss when a save waits for one server only',
    { timeout: MAX_MS },
    async (t) => {
      await using bench = await ClusterBench.open({ isSynchronous: false });
      const cutOff = CLUSTER_FAULTS.filter(({ leavesPrimaryWriting }) => leavesPrimaryWriting);
      let lost = 0;
      await bench.during(async () => {
        for (let count = 1; count <= CONTROL_FAULTS && lost === 0; count += 1) {
          for (const fault of cutOff) await bench.befall(fault);
          lost = (await bench.ledger()).lost.length + (await bench.witness.lost()).length;
          t.diagnostic(`after ${count * cutOff.length} faults: ${lost} acknowledged writes lost`);
        }
      });
      const splits = bench.witness.splits();
      t.diagnostic(`${splits.length} writes were acknowledged by a second primary`);
      assert.ok(lost > 0, 'nothing was lost, so the drill proves nothing');
      assert.ok(splits.length > 0, 'no second primary was seen, so the witness proves nothing');
    },
  );
