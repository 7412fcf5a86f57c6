import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { Agent } from 'node:http';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { findElement, readXml } from '../devices/control-point.ts';
import type { FuzzCall } from '../fuzz/calls.ts';
import { Dice } from '../fuzz/dice.ts';
import { type Outcome, send } from '../fuzz/send.ts';
import { upnpCall } from '../fuzz/upnp-calls.ts';
import { upnpApp } from '../upnp-app.ts';

/** `UPNP_REQUESTS=200000 UPNP_SEED=1 node scripts/test.ts server/test/drills/upnp-fuzz.test.ts` */
const REQUESTS = Number(process.env['UPNP_REQUESTS'] ?? 1500);
const SEED = Number(process.env['UPNP_SEED'] ?? randomInt(2 ** 31));
const CONNECTIONS = 8;
const MAX_REPORTED = 10;
/** The standard has HTTP 500 for mistakes of the caller, each with one of these. */
const MISTAKES: ReadonlySet<string> = new Set(['401', '402', '701', '708', '709', '710']);

/** What is wrong with an answer, if anything; and the error that it is, if it is one. */
function judge({ method }: FuzzCall, { status, contentType, body, encoding }: Outcome): string | undefined {
  if (status !== 500 && status > 500)
    throw new Error(`HTTP status ${status}: ${body.toString().slice(0, 200)}`);
  if (method === 'HEAD' || !contentType.startsWith('text/xml')) {
    assert.notEqual(status, 500, body.toString().slice(0, 200));
    return undefined;
  }
  const bytes = encoding === 'gzip' ? gunzipSync(body) : body;
  const answer = readXml(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  const result = findElement(answer, 'Result');
  if (result) readXml(result.text);
  const code = findElement(answer, 'errorCode')?.text;
  assert.equal(code !== undefined, status === 500);
  if (code !== undefined) assert.ok(MISTAKES.has(code), `error ${code}`);
  return code;
}

test(
  `${REQUESTS} mutated calls of control points are answered, and none by a failure`,
  { timeout: Math.max(600_000, REQUESTS * 20) },
  async (t) => {
    await using app = await upnpApp();
    const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
    const dice = new Dice(SEED);
    const flaws: string[] = [];
    const seen = new Map<string, number>();
    let sent = 0;
    const work = async (): Promise<void> => {
      while (sent < REQUESTS && flaws.length < MAX_REPORTED) {
        sent += 1;
        const call = upnpCall(dice);
        try {
          const outcome = await send(app.origin, agent, call);
          const code = judge(call, outcome);
          const name = code ?? String(outcome.status);
          seen.set(name, (seen.get(name) ?? 0) + 1);
        } catch (error) {
          flaws.push(`${String(error)}\n  ${JSON.stringify(call)}`.slice(0, 1500));
        }
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, work));
    agent.destroy();
    t.diagnostic(`seed ${SEED}: ${JSON.stringify(Object.fromEntries(seen))}`);
    assert.deepEqual(flaws, [], `to see it again: UPNP_SEED=${SEED}`);
    assert.deepEqual(
      app.logLines.filter((line) => /failed unexpectedly|nhandled/.test(line)),
      [],
    );
    for (const name of ['200', '302', '400', '404', '401', '402', '701', '708'])
      assert.ok((seen.get(name) ?? 0) > 0, `no answer ${name} among ${REQUESTS}`);
    assert.ok((seen.get('200') ?? 0) > REQUESTS / 5, `only ${seen.get('200')} good ones among ${REQUESTS}`);
  },
);
