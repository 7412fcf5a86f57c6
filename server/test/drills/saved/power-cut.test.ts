import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { Dice } from '../../fuzz/dice.ts';
import { DidNotComeBack } from '../../power/power-guest.ts';
import { PowerBench, type PowerOptions } from './power-cut-bench.ts';
import { WriteBench } from './write-kill-bench.ts';

/**
 * The long form: `POWER_CUTS=20 node scripts/test.ts server/test/drills/saved/power-cut.test.ts`; `POWER_SEED` repeats how long
 * it ran before each cut. It needs an emulated machine, and says which packages those are.
 */
const CUTS = Number(process.env['POWER_CUTS'] ?? 0);
const SEED = Number(process.env['POWER_SEED'] ?? randomInt(2 ** 31));
const MAX_RUNNING_MS = 10_000;
const MAX_MS = 1_800_000 + CUTS * 600_000;
/** Looked through after each cut; all others after the last one, since an emulated machine takes minutes for it. */
const WRITTEN_TO = ['accounts', 'devices', 'folders', 'presets'];
/** Of what a disk had in its cache, what had reached it by itself: nothing, a part, all of it, by turns. */
const SHARES = [0, 0.5, 1];
const MAX_WRITES = 8;
const SAVES = 20;

test('PostgreSQL writes its log through to the disk for each save, and the settings say so', async (t) => {
  await using bench = await WriteBench.open();
  // A killed process, as in `write-kill.test.ts`, leaves what it wrote to the kernel. A loss of power does not: only these keep a write.
  for (const name of ['fsync', 'full_page_writes', 'synchronous_commit'])
    assert.equal(await bench.setting(name), 'on', name);
  assert.match(await bench.setting('wal_sync_method'), /^(?:fdatasync|fsync)$/);
  const waiting = await bench.syncsOf(SAVES);
  t.diagnostic(`${waiting.saves} saves one after another, ${waiting.syncs} times the log was synced`);
  assert.ok(waiting.syncs >= waiting.saves, `${waiting.saves} saves, and only ${waiting.syncs} syncs`);

  await bench.postgres.configure({ synchronous_commit: 'off', wal_writer_delay: '10s' });
  await bench.postgres.crash();
  await bench.postgres.restart();
  const hasty = await bench.syncsOf(SAVES);
  t.diagnostic(`without synchronous commits ${hasty.saves} saves, ${hasty.syncs} syncs`);
  assert.ok(
    hasty.syncs < hasty.saves,
    'as many syncs without waiting for them, so counting them proves nothing',
  );
});

async function losesNothing(cuts: number, report: (line: string) => void): Promise<void> {
  report(`POWER_SEED=${SEED}`);
  const dice = new Dice(SEED);
  const sectors = new Dice(SEED + 1);
  await using bench = await PowerBench.open();
  const { writers } = bench;
  const forgotten = { kept: 0, lost: 0 };
  for (let cut = 1; cut <= cuts; cut += 1) {
    const share = SHARES[Math.floor(cut / 2) % SHARES.length] ?? 0;
    // Every other time in the middle of writing, before the disk is told to flush: that moment is too short to be met by chance.
    const writes = cut % 2 && 1 + dice.below(MAX_WRITES);
    const ms = dice.below(MAX_RUNNING_MS);
    const { kept, lost: gone } = await bench.cutAfter(ms, () => sectors.roll() < share, writes);
    forgotten.kept += kept;
    forgotten.lost += gone;
    const off = performance.now();
    await bench.boot();
    const seconds = (performance.now() - off) / 1000;
    const { saved, lost, done, twice, unsound } = await bench.ledger();
    report(
      `cut ${cut}: ${writers.acknowledged} acknowledged, ${writers.refused} refused, ${writers.unknown} unknown, ${saved} saved, ` +
        `${lost.length} lost, ${twice.length} twice; of sectors not flushed ${kept} were kept, ${gone} lost; back after ${seconds.toFixed(0)} s`,
    );
    assert.deepEqual({ lost, done, twice, unsound }, { lost: [], done: [], twice: [], unsound: [] });
    assert.deepEqual(await bench.brokenPages(cut === cuts ? undefined : WRITTEN_TO), []);
  }
  report(`of sectors not flushed ${forgotten.kept} were kept and ${forgotten.lost} lost in ${cuts} cuts`);
  assert.ok(forgotten.lost > 0, 'the disk never had anything to forget');
  assert.ok(writers.refused + writers.unknown > 0, 'no cut was noticed');
}

/** Each of them has to lose something, or else the drill would not see it. */
const CONTROLS: Readonly<Record<string, PowerOptions>> = {
  'saves do not wait for the log': { settings: { synchronous_commit: 'off', wal_writer_delay: '10s' } },
  'PostgreSQL leaves syncing to the kernel': { settings: { fsync: 'off' } },
  'the disk lies about what it has flushed': { isDiskLying: true },
};
const CONTROL_CUTS = 5;

/** How often it was cut until something was lost, and what. */
async function loses(options: PowerOptions, report: (line: string) => void): Promise<void> {
  await using bench = await PowerBench.open(options);
  for (let cut = 1; cut <= CONTROL_CUTS; cut += 1) {
    await bench.cutAfter(randomInt(1000, 5000), () => false);
    try {
      await bench.boot();
    } catch (error) {
      if (!(error instanceof DidNotComeBack)) throw error;
      report(`cut ${cut}: ${bench.writers.acknowledged} acknowledged, and PostgreSQL did not come back`);
      return;
    }
    const { lost } = await bench.ledger();
    report(`cut ${cut}: ${bench.writers.acknowledged} acknowledged, ${lost.length} lost`);
    if (lost.length > 0) return;
  }
  assert.fail(`${CONTROL_CUTS} cuts lost nothing, so the drill proves nothing`);
}

// Only the long form has time for an emulated machine.
if (CUTS > 0) {
  test('no acknowledged save is lost when the machine loses power', { timeout: MAX_MS }, (t) =>
    losesNothing(CUTS, (line) => t.diagnostic(line)),
  );
  for (const [what, options] of Object.entries(CONTROLS))
    test(`the same drill finds the loss when ${what}`, { timeout: MAX_MS }, (t) =>
      loses(options, (line) => t.diagnostic(line)),
    );
}
