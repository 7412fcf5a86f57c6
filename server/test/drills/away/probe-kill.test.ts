import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { openProbedFarm } from '../../station-farm/farm.ts';
import { expectedOf } from '../../station-farm/kinds.ts';
import { startWorker } from '../../station-farm/workers.ts';

/** `PROBE_STATIONS=10000 PROBE_KILLS=10 node scripts/test.ts server/test/drills/away/probe-kill.test.ts` */
const STATIONS = Number(process.env['PROBE_STATIONS'] ?? 200);
const KILLS = Number(process.env['PROBE_KILLS'] ?? 2);
/** A station whose worker was killed waits so long for the other. */
const REST_SECONDS = 4;
/** So slow and so few at once that there is much to do when workers die. */
const DELAY_MS = 250;
const CONCURRENCY = 12;
const ROUND_MS = 60_000 + STATIONS * 60;

/** What one look makes of a stream of which nothing was known; two would make something else of it. */
const ONCE: Readonly<Record<string, number>> = { plays: 75, dead: 22.5, refused: 36.25, busy: 36.25 };

interface Found {
  number: number;
  verdict: string | null;
  format: string | null;
  standing: number | null;
}

async function listWrong(pool: Pool): Promise<Found[]> {
  const { rows } = await pool.query<Found>(
    'SELECT (stream_id - 1)::int4 AS number, verdict, format, standing FROM stream_checks',
  );
  return rows.filter(({ number, verdict, format, standing }) => {
    const expected = expectedOf(number);
    const isOnce = Math.abs((standing ?? 0) - (ONCE[expected.verdict] ?? 0)) < 0.01;
    return verdict !== expected.verdict || format !== expected.format || !isOnce;
  });
}

test('workers are killed while they listen: no station is lost, none counts twice, no host has more than two connections', async (t) => {
  await using probed = await openProbedFarm(STATIONS, DELAY_MS);
  const { farm, database, pool } = probed;
  const options = { databaseUrl: database.url, concurrency: CONCURRENCY, restSeconds: REST_SECONDS };
  const workers = await Promise.all(Array.from({ length: KILLS + 2 }, () => startWorker(options)));
  await probed.makeDue();
  let killedAtWork = 0;
  for (let kill = 1; kill <= KILLS; kill += 1) {
    await sleep(randomInt(200, 700));
    const left = await probed.left();
    if (left > 0) killedAtWork += 1;
    await workers.pop()?.kill();
    t.diagnostic(`kill ${kill}: ${left} stations to be heard`);
  }
  await probed.isDone(ROUND_MS);
  for (const worker of workers) await worker[Symbol.asyncDispose]();

  assert.ok(killedAtWork > 0, 'some were killed while there was something to do');
  assert.deepEqual((await listWrong(pool)).slice(0, 10), []);
  const { mostAtOnce, mostAt, connections } = await farm.report();
  t.diagnostic(`${connections} connections, at most ${mostAtOnce} at once to a host`);
  assert.equal(mostAtOnce, 2, `connections at once to ${mostAt}`);

  await pool.query("UPDATE stream_checks SET standing = 87.5 WHERE verdict = 'plays' AND stream_id = 1");
  assert.equal((await listWrong(pool)).length, 1, 'one that counted twice would have been found');
});
