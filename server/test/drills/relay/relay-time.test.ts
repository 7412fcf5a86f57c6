import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import type { Day } from '../../relay/a-day.ts';
import type { GivenUp } from '../../relay/given-up.ts';

/** The long form: `RELAY_HOURS=24 node scripts/test.ts server/test/drills/relay/relay-time.test.ts`, six minutes. */
const HOURS = Number(process.env['RELAY_HOURS'] ?? 1.5);
const MIB = 2 ** 20;

/** Runs a program for which time passes faster, and gives what it wrote. */
async function inFastTime<T>(factor: number, name: string, ...args: string[]): Promise<T> {
  const folder = join(import.meta.dirname, '../../relay');
  const options = ['--expose-gc', `--import=${join(folder, 'fast-time.ts')}`, join(folder, name), ...args];
  const env = { ...process.env, FAST_TIME: `${factor}` };
  const { stdout } = await promisify(execFile)(process.execPath, options, { env, timeout: 1_800_000 });
  return JSON.parse(stdout);
}

describe('a relay over a long time', { concurrency: true }, () => {
  test('a station that is away for five minutes is given up, and whoever listens is told by the end', async (t) => {
    const both = await inFastTime<Record<'gone' | 'empty' | 'ended', GivenUp>>(30, 'given-up.ts');
    for (const [name, { afterSeconds, silentSeconds, calls, longestSilenceSeconds }] of Object.entries(
      both,
    )) {
      t.diagnostic(
        `${name}: let go after ${afterSeconds.toFixed(0)} s, ${silentSeconds.toFixed(0)} s of silence, ${calls} calls`,
      );
      assert.ok(afterSeconds > 290 && afterSeconds < 400, `${name}: after ${afterSeconds} s`);
      assert.ok(silentSeconds > 200, `${name}: ${silentSeconds} s`);
      assert.ok(calls > 10 && calls < 60, `${name}: ${calls} calls`);
      assert.ok(longestSilenceSeconds < 60, `${name}: ${longestSilenceSeconds} s without a byte`);
    }
  });

  test(`${HOURS} hours of listening leave nothing behind`, async (t) => {
    const day = await inFastTime<Day>(240, 'a-day.ts', `${HOURS}`);
    const [first, last] = day.quiet;
    assert.ok(first && last);
    const grown = (last.memoryBytes - first.memoryBytes) / MIB;
    t.diagnostic(
      `${day.radios} radios, ${day.calls} calls of stations, ${(day.heardBytes / MIB).toFixed(0)} MiB heard; memory ${(first.memoryBytes / MIB).toFixed(1)} MiB, then ${grown.toFixed(1)} more`,
    );
    assert.deepEqual(day.unhandled, []);
    assert.ok(day.radios > 20 * HOURS && day.calls > 50 * HOURS, 'there was something to hear');
    assert.ok(day.heardBytes > HOURS * 20 * MIB);
    assert.equal(last.sockets, first.sockets, 'no connection is left over');
    assert.ok(last.timers <= first.timers, `${last.timers} timers, ${first.timers} before`);
    assert.equal(day.surplus, 0, 'no connection to a station but those of its streams');
    assert.ok(grown < 4, `${grown} MiB`);
  });
});
