import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { seededDatabase } from '../database.ts';
import type { FuzzCall } from '../fuzz/calls.ts';
import { Dice } from '../fuzz/dice.ts';
import { send } from '../fuzz/send.ts';
import { soundTouchCall } from '../fuzz/soundtouch-calls.ts';
import { startService } from '../service-process.ts';

/** `SOUNDTOUCH_REQUESTS=200000 SOUNDTOUCH_SEED=1 node scripts/test.ts server/test/drills/soundtouch-fuzz.test.ts` */
const REQUESTS = Number(process.env['SOUNDTOUCH_REQUESTS'] ?? 2000);
const SEED = Number(process.env['SOUNDTOUCH_SEED'] ?? randomInt(2 ** 31));
const CONNECTIONS = 8;
const MAX_REPORTED = 10;
const ROWS = join(import.meta.dirname, '../seed/beside-stations.sql');

test(
  `${REQUESTS} mutated requests of speakers are answered, and none by a failure`,
  { timeout: Math.max(600_000, REQUESTS * 20) },
  async (t) => {
    await using database = await seededDatabase();
    await database.pool.query(readFileSync(ROWS, 'utf8'));
    await using service = await startService(database.url);
    const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
    const dice = new Dice(SEED);
    const flaws: string[] = [];
    const statuses = new Map<number, number>();
    let sent = 0;
    const one = async (call: FuzzCall): Promise<void> => {
      const { status, contentType, body } = await send(service.origin, agent, call);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status >= 500) throw new Error(`HTTP status ${status}: ${body.toString().slice(0, 200)}`);
      if (status !== 200 || call.method === 'HEAD' || !contentType.startsWith('application/json')) return;
      JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body));
    };
    const work = async (): Promise<void> => {
      while (sent < REQUESTS && flaws.length < MAX_REPORTED) {
        sent += 1;
        const call = soundTouchCall(dice);
        await one(call).catch((error: unknown) =>
          flaws.push(`${String(error)}\n  ${JSON.stringify(call)}`.slice(0, 1000)),
        );
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, work));
    agent.destroy();
    t.diagnostic(`seed ${SEED}: ${sent} requests, ${JSON.stringify(Object.fromEntries(statuses))}`);
    assert.deepEqual(flaws, [], `to see it again: SOUNDTOUCH_SEED=${SEED}`);
    assert.deepEqual(
      service.log.filter((line) => /failed unexpectedly|nhandled/.test(line)),
      [],
    );
    for (const status of [200, 400, 404]) assert.ok((statuses.get(status) ?? 0) > 0, `no answer ${status}`);
    assert.ok((statuses.get(200) ?? 0) > REQUESTS / 4, JSON.stringify([...statuses]));
  },
);
