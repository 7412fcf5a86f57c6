import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { seededDatabase } from '../../database/database.ts';
import type { FuzzCall } from '../../fuzz/calls.ts';
import { parseXml } from '../../fuzz/check-answer.ts';
import { Dice } from '../../fuzz/dice.ts';
import type { Outcome } from '../../fuzz/send.ts';
import { sendMutated } from '../../fuzz/send-mutated.ts';
import { vtunerCall } from '../../fuzz/vtuner-calls.ts';
import { startService } from '../../processes/service-process.ts';

/** `VTUNER_REQUESTS=200000 VTUNER_SEED=1 node scripts/test.ts server/test/drills/fuzz/vtuner-fuzz.test.ts` */
const REQUESTS = Number(process.env['VTUNER_REQUESTS'] ?? 2000);
const SEED = Number(process.env['VTUNER_SEED'] ?? randomInt(2 ** 31));
const ROWS = join(import.meta.dirname, '../../seed/beside-stations.sql');

function findFlaw(
  { method }: FuzzCall,
  { status, contentType, body, encoding }: Outcome,
): string | undefined {
  if (status >= 500) return `HTTP status ${status}: ${body.toString().slice(0, 200)}`;
  if (method === 'HEAD' || status !== 200 || contentType !== 'text/html') return undefined;
  if (encoding !== undefined) return `compressed by ${encoding}`;
  const text = body.toString('latin1');
  if (!text.startsWith('<?xml'))
    return /^(?:OK|<EncryptedToken>\w{16}<.EncryptedToken>)$/.test(text) ? undefined : text;
  try {
    const isLatin1 = text.includes('encoding="ISO-8859-1"');
    parseXml(isLatin1 ? text : new TextDecoder('utf-8', { fatal: true }).decode(body));
    return undefined;
  } catch (error) {
    return String(error);
  }
}

test(
  `${REQUESTS} mutated requests of radios made for vTuner are answered, and none by a failure`,
  { timeout: Math.max(600_000, REQUESTS * 20) },
  async (t) => {
    await using database = await seededDatabase();
    await database.pool.query(readFileSync(ROWS, 'utf8'));
    await database.pool.query("SELECT setval('accounts_id_seq', 100)");
    await using service = await startService(database.url, { LEGACY_CREDENTIALS: 'allow' });
    const dice = new Dice(SEED);
    const { sent, kinds, flaws } = await sendMutated({
      origin: service.origin,
      count: REQUESTS,
      make: () => vtunerCall(dice),
      judge(call, outcome) {
        const flaw = findFlaw(call, outcome);
        if (flaw !== undefined) throw new Error(flaw);
        return undefined;
      },
    });
    t.diagnostic(`seed ${SEED}: ${sent} requests, ${JSON.stringify(Object.fromEntries(kinds))}`);
    assert.deepEqual(flaws, [], `to see it again: VTUNER_SEED=${SEED}`);
    assert.deepEqual(
      service.log.filter((line) => /failed unexpectedly|nhandled/.test(line)),
      [],
    );
    assert.ok(!service.log.some((line) => line.includes('00112233445566')), 'a mac is in the log');
    assert.equal(service.process.exitCode, null);
    for (const status of [200, 302, 404])
      assert.ok((kinds.get(String(status)) ?? 0) > 0, `no answer ${status} among ${REQUESTS}`);
    assert.ok((kinds.get('200') ?? 0) > REQUESTS / 2, `only ${kinds.get('200')} pages among ${REQUESTS}`);
  },
);
