import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { openHouse } from './house.ts';
import type { Program } from '../processes/program.ts';
import { waitUntil } from '../time/wait-until.ts';

test('nothing leads out of a house, and nothing outlives it', async () => {
  const mark = `longwave-${randomBytes(6).toString('hex')}`;
  {
    await using house = await openHouse();
    house.start('bash', ['-c', 'sleep 600 & wait', mark]);
    await waitUntil('the program', async () => isRunning(mark) || undefined);
    await assert.rejects(house.run('curl', ['-sS', '-m', '5', 'http://192.0.2.1/']), /curl ended with 7/);
    await assert.rejects(house.run('sleep', ['60'], { deadlineMs: 200 }), /sleep did not end in time/);
    await assert.rejects(
      house.run('bash', ['-c', 'sleep 600 & sleep 600'], { deadlineMs: 200 }),
      /bash did not end in time/,
    );
    assert.equal(await house.run('bash', ['-c', 'sleep 600 & echo done']), 'done\n');
    assert.equal(await house.run('id', ['-u'], { asNobody: true }), '65534\n');
  }
  assert.equal(isRunning(mark), false);
});

test('nor does a program that was stopped in it, or its door', { timeout: 60_000 }, async () => {
  const mark = `longwave-${randomBytes(6).toString('hex')}`;
  let program: Program;
  {
    await using house = await openHouse();
    program = house.start('bash', ['-c', 'kill -STOP $$; sleep 600', mark]);
    await waitUntil(
      'the door to stop with its program',
      async () => hasStopped('nsenter', mark) || undefined,
    );
    await house.run('pkill', ['-CONT', '-f', mark]);
  }
  await waitUntil('the end of the door', async () => program.hasEnded() || undefined);
  assert.equal(isRunning(mark), false);
});

/** Whether a program of this name that was called with the mark stands still. */
const hasStopped = (name: string, mark: string): boolean =>
  globSync('/proc/[0-9]*/cmdline').some(
    (file) =>
      commandLine(file).startsWith(name) &&
      commandLine(file).includes(mark) &&
      / T /.test(commandLine(file.replace('cmdline', 'stat'))),
  );

const isRunning = (mark: string): boolean =>
  globSync('/proc/[0-9]*/cmdline').some((file) => commandLine(file).includes(mark));

/** Programs come and go between the listing and the reading. */
function commandLine(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
