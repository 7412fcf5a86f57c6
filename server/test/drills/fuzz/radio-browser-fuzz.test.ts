import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import type { FuzzCall } from '../../fuzz/calls.ts';
import { parseXml } from '../../fuzz/check-answer.ts';
import { Dice } from '../../fuzz/dice.ts';
import { radioBrowserCall } from '../../fuzz/radio-browser-calls.ts';
import type { Outcome } from '../../fuzz/send.ts';
import { sendMutated, textOf } from '../../fuzz/send-mutated.ts';
import { seededDirectory } from '../../content/seeded-directory.ts';
import { type ServiceProcess, startService } from '../../processes/service-process.ts';

/** `RADIO_BROWSER_REQUESTS=300000 RADIO_BROWSER_SEED=1 node scripts/test.ts server/test/drills/fuzz/radio-browser-fuzz.test.ts` */
const REQUESTS = Number(process.env['RADIO_BROWSER_REQUESTS'] ?? 3000);
const SEED = Number(process.env['RADIO_BROWSER_SEED'] ?? randomInt(2 ** 31));
/** In the second half: what a process of this size takes and gives back by itself. */
const MAX_GROWTH_MB = 100;

/** Throws for what no app could read. */
function requireReadable({ method }: FuzzCall, outcome: Outcome): void {
  const text = textOf(outcome);
  if (method === 'HEAD' || text === '') return;
  if (outcome.contentType.startsWith('application/json')) JSON.parse(text);
  if (/^(?:text\/xml|application\/xspf)/.test(outcome.contentType)) parseXml(text);
}

async function megabytesOf({ privateOrigin }: ServiceProcess): Promise<number> {
  const metrics = await (await fetch(`${privateOrigin}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(metrics)?.[1]) / 2 ** 20;
}

/** The long form takes its time. */
const timeout = Math.max(600_000, REQUESTS * 20);

test(
  `${REQUESTS} mutated requests of the radio-browser API are answered, and none by a failure`,
  { timeout },
  async (t) => {
    await using seeded = await seededDirectory();
    const uuids = ['11111111-0000-4000-8000-000000000001', '11111111000040008000000000000001', 'none', ''];
    await seeded.database.pool.query(`INSERT INTO aliases VALUES ('radio-browser', $1, 's', 1)`, [uuids[0]]);
    await using service = await startService(seeded.database.url);
    let slowestMs = 0;
    /** After each tenth of the requests. */
    const megabytes: number[] = [];
    const dice = new Dice(SEED);
    const { sent, kinds, flaws, seconds } = await sendMutated({
      origin: service.origin,
      count: REQUESTS,
      make: () => radioBrowserCall(dice, uuids),
      judge(call, outcome) {
        slowestMs = Math.max(slowestMs, outcome.elapsedMs);
        requireReadable(call, outcome);
        return `${outcome.status} ${outcome.contentType}`;
      },
      async onSent(count) {
        if (count % Math.ceil(REQUESTS / 10) === 0) megabytes.push(await megabytesOf(service));
      },
    });
    const grown = (await megabytesOf(service)) - (megabytes[4] ?? 0);
    t.diagnostic(
      `seed ${SEED}: ${sent} requests in ${seconds.toFixed(1)} s, slowest ${slowestMs.toFixed(0)} ms, MB after each tenth ${megabytes.map(Math.round).join(' ')}`,
    );
    t.diagnostic([...kinds].map(([kind, count]) => `${count} x ${kind}`).join(', '));
    assert.deepEqual(flaws, [], `to see it again: RADIO_BROWSER_SEED=${SEED}`);
    const unexpected = service.log.filter((line) => /failed unexpectedly|nhandled|could not be/.test(line));
    assert.deepEqual(unexpected, []);
    assert.equal(service.process.exitCode, null);
    assert.equal(sent, REQUESTS);
    assert.ok(grown < MAX_GROWTH_MB, `${grown} MB more than after half of the requests`);
    const found = kinds.get('200 application/json') ?? 0;
    assert.ok(found > REQUESTS / 8, `only ${found} answers in JSON among ${REQUESTS}`);
  },
);
