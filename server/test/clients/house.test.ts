import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { openHouse } from './house.ts';
import { waitUntil } from './wait-until.ts';

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
