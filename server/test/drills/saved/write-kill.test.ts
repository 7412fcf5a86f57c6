import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Victim, WriteBench } from './write-kill-bench.ts';

/** `SERVER_KILLS=30 POSTGRES_KILLS=20 node scripts/test.ts server/test/drills/saved/write-kill.test.ts` */
const SERVER_KILLS = Number(process.env['SERVER_KILLS'] ?? 3);
const POSTGRES_KILLS = Number(process.env['POSTGRES_KILLS'] ?? 3);
const CONTROL_KILLS = 20;

function inRandomOrder(): Victim[] {
  const victims: Victim[] = [];
  for (const [victim, kills] of [
    ['server', SERVER_KILLS],
    ['PostgreSQL', POSTGRES_KILLS],
  ] as const)
    for (let kill = 0; kill < kills; kill += 1) victims.splice(randomInt(victims.length + 1), 0, victim);
  return victims;
}

test('no acknowledged write is lost or doubled when the server and PostgreSQL are killed', async (t) => {
  await using bench = await WriteBench.open();
  const victims = inRandomOrder();
  await bench.writers.during(async () => {
    await bench.writers.healed();
    for (const victim of victims) {
      await sleep(randomInt(100, 1500));
      await bench.kill(victim);
      await bench.writers.healed();
    }
  });

  const { acknowledged, refused, unknown } = bench.writers;
  const { saved, lost, done, twice, unsound } = await bench.ledger();
  t.diagnostic(
    `${victims.length} kills (${SERVER_KILLS} of the server, ${POSTGRES_KILLS} of PostgreSQL): ${acknowledged} acknowledged, ` +
      `${refused} refused, ${unknown} unknown, ${saved} saved, ${lost.length} lost, ` +
      `${done.length} refused and done, ${twice.length} twice`,
  );
  assert.deepEqual({ lost, done, twice, unsound }, { lost: [], done: [], twice: [], unsound: [] });
  assert.ok(refused + unknown > 0, 'no kill was noticed');
});

test('the same drill finds the loss when commits do not wait for the disk', async (t) => {
  await using bench = await WriteBench.open();
  await bench.postgres.configure({ synchronous_commit: 'off', wal_writer_delay: '10s' });
  await bench.postgres.crash();
  await bench.postgres.restart();
  assert.equal(await bench.setting('synchronous_commit'), 'off');

  let lost = 0;
  for (let kill = 1; kill <= CONTROL_KILLS && lost === 0; kill += 1) {
    await bench.writers.during(async () => {
      await bench.writers.healed();
      await sleep(randomInt(100, 700));
      await bench.kill('PostgreSQL');
    });
    ({ length: lost } = (await bench.ledger()).lost);
    t.diagnostic(`kill ${kill}: ${bench.writers.acknowledged} acknowledged, ${lost} lost`);
  }
  assert.ok(lost > 0, `${CONTROL_KILLS} kills lost nothing, so the drill proves nothing`);
});
