import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { OUTSIDE } from '../../internet/canary-host.ts';
import { inOwnInternet } from '../../internet/own-internet.ts';
import type { RebindingReport } from './rebinding-tries.ts';

/** `REBINDING_TRIES=10000` for the long form. */
const TRIES = Number(process.env['REBINDING_TRIES'] ?? 1000);

test(`of ${TRIES} fetches from names that move between two questions none gets inside`, async () => {
  const env = { REBINDING_TRIES: `${TRIES}` };
  // oxlint-disable-next-line no-unsafe-type-assertion -- written by the file beside this one
  const report = (await inOwnInternet(
    join(import.meta.dirname, 'rebinding-tries.ts'),
    300_000,
    env,
  )) as RebindingReport;
  const { answered = 0, UnsafeAddress = 0, ...others } = report.outcomes;
  assert.deepEqual(Object.keys(report.heard), [OUTSIDE]);
  assert.deepEqual(others, {});
  assert.equal(answered + UnsafeAddress, TRIES);
  assert.ok(answered > TRIES / 10 && UnsafeAddress > TRIES / 10, 'both answers were met');
  assert.ok(
    report.questions >= TRIES && report.questions <= 1.6 * TRIES,
    'a name is asked for once a connection',
  );
  assert.ok(report.heardUnguarded > 0, 'the control: who asks twice is led inside');
});
