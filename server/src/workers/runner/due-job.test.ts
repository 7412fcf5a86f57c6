import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { createLog } from '../../lib/log.ts';
import { DueLoop, JobMetrics } from './due-job.ts';

function surroundings() {
  const lines: string[] = [];
  const registry = new Registry();
  const log = createLog({ level: 'info', sink: { write: (line) => void lines.push(line) } });
  return { log, lines, registry, metrics: new JobMetrics(registry) };
}

async function until(isTrue: () => boolean): Promise<void> {
  const deadline = performance.now() + 5000;
  while (!isTrue()) {
    assert.ok(performance.now() < deadline, 'waited in vain');
    await sleep(5);
  }
}

test('all that is due is done, never more at once than asked', async () => {
  const due = Array.from({ length: 57 }, (_, index) => index);
  const [done, claims]: [number[], number[]] = [[], []];
  let [now, most] = [0, 0];
  const around = surroundings();
  {
    await using loop = new DueLoop<number>(
      {
        name: 'sums',
        concurrency: 8,
        idOf: String,
        claim: async (room) => {
          claims.push(room);
          return due.splice(0, room);
        },
        work: async (row) => {
          most = Math.max(most, (now += 1));
          await sleep(row % 7);
          now -= 1;
          done.push(row);
          return 'done';
        },
      },
      around,
    );
    void loop;
    await until(() => done.length === 57);
  }
  assert.equal(new Set(done).size, 57);
  assert.equal(most, 8);
  assert.ok(
    claims.slice(1).every((room) => room >= 2),
    'it claims when a quarter of the places is free',
  );
  assert.match(await around.registry.metrics(), /jobs_total\{job="sums",outcome="done"\} 57/);
  assert.match(await around.registry.metrics(), /jobs_under_way\{job="sums"\} 0/);
});

test('one that throws is counted and logged, and the others go on', async () => {
  const due = [1, 2, 3];
  const around = surroundings();
  const done: number[] = [];
  {
    await using loop = new DueLoop<number>(
      {
        name: 'odd',
        concurrency: 1,
        idOf: String,
        claim: async (room) => due.splice(0, room),
        work: async (row) => {
          if (row === 2) throw new Error('two is even');
          done.push(row);
          return 'done';
        },
      },
      around,
    );
    void loop;
    await until(() => done.length === 2);
  }
  assert.deepEqual(done, [1, 3]);
  assert.match(around.lines.join(''), /two is even/);
  assert.match(await around.registry.metrics(), /jobs_total\{job="odd",outcome="failed"\} 1/);
});

test('a stop claims nothing more and waits for what is under way', async () => {
  let [claims, ended] = [0, 0];
  const loop = new DueLoop<number>(
    {
      name: 'slow',
      concurrency: 4,
      idOf: String,
      claim: async () => ((claims += 1) === 1 ? [1, 2] : []),
      work: async () => {
        await sleep(100);
        ended += 1;
        return 'done';
      },
    },
    surroundings(),
  );
  await until(() => claims > 0);
  await loop[Symbol.asyncDispose]();
  assert.equal(ended, 2);
  const before = claims;
  await sleep(50);
  assert.equal(claims, before);
});
