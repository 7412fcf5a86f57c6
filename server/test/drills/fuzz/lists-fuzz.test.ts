import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { addListToken } from '../../../src/core/accounts/list-tokens.ts';
import { seededDatabase } from '../../database/database.ts';
import type { FuzzCall } from '../../fuzz/calls.ts';
import { parseXml } from '../../fuzz/check-answer.ts';
import { Dice } from '../../fuzz/dice.ts';
import { listCall } from '../../fuzz/list-calls.ts';
import type { Outcome } from '../../fuzz/send.ts';
import { sendMutated, textOf } from '../../fuzz/send-mutated.ts';
import { startService } from '../../processes/service-process.ts';

/** `LIST_REQUESTS=200000 LIST_SEED=1 node scripts/test.ts server/test/drills/fuzz/lists-fuzz.test.ts` */
const REQUESTS = Number(process.env['LIST_REQUESTS'] ?? 2000);
const SEED = Number(process.env['LIST_SEED'] ?? randomInt(2 ** 31));
const ROWS = join(import.meta.dirname, '../../seed/beside-stations.sql');

/** Throws for what no player could read. */
function requireReadable({ method, target }: FuzzCall, outcome: Outcome): undefined {
  const text = textOf(outcome);
  const { status, contentType } = outcome;
  if (method === 'HEAD' || status !== 200) return;
  if (/xml|opml/.test(contentType)) parseXml(text.replace(/^<!DOCTYPE tv [^>]*>$/m, ''));
  if (contentType === 'audio/x-mpegurl' && /^(?:http:..[^/]+)?\/+lists/i.test(target))
    assert.match(text, /^#EXTM3U /);
}

test(
  `${REQUESTS} mutated requests of lists and play addresses are answered, and none by a failure`,
  { timeout: Math.max(600_000, REQUESTS * 20) },
  async (t) => {
    await using database = await seededDatabase();
    await database.pool.query(readFileSync(ROWS, 'utf8'));
    const secrets = [(await addListToken(database.pool, 7)) ?? '', `lwl_${'A'.repeat(32)}`, 'lwl_', 'x'];
    await using service = await startService(database.url);
    const dice = new Dice(SEED);
    const { sent, kinds, flaws, seconds } = await sendMutated({
      origin: service.origin,
      count: REQUESTS,
      make: () => listCall(dice, secrets),
      judge: requireReadable,
    });
    t.diagnostic(
      `seed ${SEED}: ${sent} requests in ${seconds.toFixed(1)} s, ${JSON.stringify(Object.fromEntries(kinds))}`,
    );
    assert.deepEqual(flaws, [], `to see it again: LIST_SEED=${SEED}`);
    const unexpected = service.log.filter((line) => /failed unexpectedly|nhandled/.test(line));
    assert.deepEqual(unexpected, []);
    assert.ok(!service.log.some((line) => line.includes(secrets[0]!)), 'a secret address is in the log');
    assert.equal(service.process.exitCode, null);
    for (const status of [200, 302, 400, 404])
      assert.ok((kinds.get(String(status)) ?? 0) > 0, `no answer ${status} among ${REQUESTS}`);
    assert.ok((kinds.get('200') ?? 0) > REQUESTS / 8, `only ${kinds.get('200')} lists among ${REQUESTS}`);
  },
);
