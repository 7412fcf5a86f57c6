import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { seededDatabase } from '../database.ts';
import { Dice } from '../fuzz/dice.ts';
import { sendMutated } from '../fuzz/send-mutated.ts';
import { soundTouchCall } from '../fuzz/soundtouch-calls.ts';
import { startService } from '../service-process.ts';

/** `SOUNDTOUCH_REQUESTS=200000 SOUNDTOUCH_SEED=1 node scripts/test.ts server/test/drills/soundtouch-fuzz.test.ts` */
const REQUESTS = Number(process.env['SOUNDTOUCH_REQUESTS'] ?? 2000);
const SEED = Number(process.env['SOUNDTOUCH_SEED'] ?? randomInt(2 ** 31));
const ROWS = join(import.meta.dirname, '../seed/beside-stations.sql');

test(
  `${REQUESTS} mutated requests of speakers are answered, and none by a failure`,
  { timeout: Math.max(600_000, REQUESTS * 20) },
  async (t) => {
    await using database = await seededDatabase();
    await database.pool.query(readFileSync(ROWS, 'utf8'));
    await using service = await startService(database.url);
    const dice = new Dice(SEED);
    const { sent, kinds, flaws } = await sendMutated({
      origin: service.origin,
      count: REQUESTS,
      make: () => soundTouchCall(dice),
      judge(call, { status, contentType, body }) {
        if (status >= 500) throw new Error(`HTTP status ${status}: ${body.toString().slice(0, 200)}`);
        if (status === 200 && call.method !== 'HEAD' && contentType.startsWith('application/json'))
          JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body));
        return undefined;
      },
    });
    t.diagnostic(`seed ${SEED}: ${sent} requests, ${JSON.stringify(Object.fromEntries(kinds))}`);
    assert.deepEqual(flaws, [], `to see it again: SOUNDTOUCH_SEED=${SEED}`);
    assert.deepEqual(
      service.log.filter((line) => /failed unexpectedly|nhandled/.test(line)),
      [],
    );
    for (const status of [200, 400, 404])
      assert.ok((kinds.get(String(status)) ?? 0) > 0, `no answer ${status}`);
    assert.ok((kinds.get('200') ?? 0) > REQUESTS / 4, JSON.stringify([...kinds]));
  },
);
