import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { seededDatabase, type TestDatabase } from '../../database/database.ts';
import { airableCall } from '../../fuzz/airable-calls.ts';
import { Dice } from '../../fuzz/dice.ts';
import { sendMutated } from '../../fuzz/send-mutated.ts';
import { soundTouchCall } from '../../fuzz/soundtouch-calls.ts';
import { type ServiceProcess, startService } from '../../processes/service-process.ts';

/**
 * Protocols whose menus are JSON. The long form:
 * `SOUNDTOUCH_REQUESTS=200000 AIRABLE_REQUESTS=200000 node scripts/test.ts server/test/drills/fuzz/json-menus-fuzz.test.ts`
 */
const PROTOCOLS = [
  { of: 'speakers', variable: 'SOUNDTOUCH', make: soundTouchCall },
  { of: 'radios made for airable', variable: 'AIRABLE', make: airableCall },
];
const ROWS = join(import.meta.dirname, '../../seed/beside-stations.sql');

let database: TestDatabase;
let service: ServiceProcess;
before(async () => {
  database = await seededDatabase();
  await database.pool.query(readFileSync(ROWS, 'utf8'));
  service = await startService(database.url);
});
after(async () => {
  await service[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

for (const { of, variable, make } of PROTOCOLS) {
  const requests = Number(process.env[`${variable}_REQUESTS`] ?? 2000);
  const seed = Number(process.env[`${variable}_SEED`] ?? randomInt(2 ** 31));
  test(
    `${requests} mutated requests of ${of} are answered, and none by a failure`,
    { timeout: Math.max(600_000, requests * 20) },
    async (t) => {
      const dice = new Dice(seed);
      const { sent, kinds, flaws } = await sendMutated({
        origin: service.origin,
        count: requests,
        make: () => make(dice),
        judge(call, { status, contentType, body }) {
          if (status >= 500) throw new Error(`HTTP status ${status}: ${body.toString().slice(0, 200)}`);
          if (status === 200 && call.method !== 'HEAD' && contentType.startsWith('application/json'))
            JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body));
          return undefined;
        },
      });
      t.diagnostic(`seed ${seed}: ${sent} requests, ${JSON.stringify(Object.fromEntries(kinds))}`);
      assert.deepEqual(flaws, [], `to see it again: ${variable}_SEED=${seed}`);
      assert.deepEqual(
        service.log.filter((line) => /failed unexpectedly|nhandled/.test(line)),
        [],
      );
      assert.equal(service.process.exitCode, null);
      for (const status of [200, 400, 404])
        assert.ok((kinds.get(String(status)) ?? 0) > 0, `no answer ${status}`);
      assert.ok((kinds.get('200') ?? 0) > requests / 4, JSON.stringify([...kinds]));
    },
  );
}
