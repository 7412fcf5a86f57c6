import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { seededDatabase } from '../database.ts';
import type { FuzzCall } from '../fuzz/calls.ts';
import { parseXml } from '../fuzz/check-answer.ts';
import { Dice } from '../fuzz/dice.ts';
import { type Outcome, send } from '../fuzz/send.ts';
import { vtunerCall } from '../fuzz/vtuner-calls.ts';
import { startService } from '../service-process.ts';

/** `VTUNER_REQUESTS=200000 VTUNER_SEED=1 node scripts/test.ts server/test/drills/vtuner-fuzz.test.ts` */
const REQUESTS = Number(process.env['VTUNER_REQUESTS'] ?? 2000);
const SEED = Number(process.env['VTUNER_SEED'] ?? randomInt(2 ** 31));
const CONNECTIONS = 8;
/** Failures that are reported before the rest is left alone. */
const MAX_REPORTED = 10;
const ROWS = join(import.meta.dirname, '../seed/beside-stations.sql');

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
    const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
    const dice = new Dice(SEED);
    const flaws: string[] = [];
    const statuses = new Map<number, number>();
    let sent = 0;
    const one = async (call: FuzzCall): Promise<void> => {
      const outcome = await send(service.origin, agent, call);
      statuses.set(outcome.status, (statuses.get(outcome.status) ?? 0) + 1);
      const flaw = findFlaw(call, outcome);
      if (flaw !== undefined) throw new Error(flaw);
    };
    const work = async (): Promise<void> => {
      while (sent < REQUESTS && flaws.length < MAX_REPORTED) {
        sent += 1;
        const call = vtunerCall(dice);
        await one(call).catch((error: unknown) =>
          flaws.push(`${String(error)}\n  ${JSON.stringify(call)}`.slice(0, 1000)),
        );
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, work));
    agent.destroy();
    t.diagnostic(`seed ${SEED}: ${sent} requests, ${JSON.stringify(Object.fromEntries(statuses))}`);
    assert.deepEqual(flaws, [], `to see it again: VTUNER_SEED=${SEED}`);
    assert.deepEqual(
      service.log.filter((line) => /failed unexpectedly|nhandled/.test(line)),
      [],
    );
    assert.ok(!service.log.some((line) => line.includes('00112233445566')), 'a mac is in the log');
    assert.equal(service.process.exitCode, null);
    for (const status of [200, 302, 404])
      assert.ok((statuses.get(status) ?? 0) > 0, `no answer ${status} among ${REQUESTS}`);
    assert.ok((statuses.get(200) ?? 0) > REQUESTS / 2, `only ${statuses.get(200)} pages among ${REQUESTS}`);
  },
);
