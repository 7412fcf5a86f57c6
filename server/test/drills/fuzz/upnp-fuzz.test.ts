import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { findElement, readXml } from '../../devices/control-point.ts';
import type { FuzzCall } from '../../fuzz/calls.ts';
import { Dice } from '../../fuzz/dice.ts';
import type { Outcome } from '../../fuzz/send.ts';
import { sendMutated } from '../../fuzz/send-mutated.ts';
import { upnpCall } from '../../fuzz/upnp-calls.ts';
import { upnpApp } from '../../apps/upnp-app.ts';

/** `UPNP_REQUESTS=200000 UPNP_SEED=1 node scripts/test.ts server/test/drills/fuzz/upnp-fuzz.test.ts` */
const REQUESTS = Number(process.env['UPNP_REQUESTS'] ?? 1500);
const SEED = Number(process.env['UPNP_SEED'] ?? randomInt(2 ** 31));
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
    const dice = new Dice(SEED);
    const { kinds, flaws } = await sendMutated({
      origin: app.origin,
      count: REQUESTS,
      make: () => upnpCall(dice),
      judge,
    });
    t.diagnostic(`seed ${SEED}: ${JSON.stringify(Object.fromEntries(kinds))}`);
    assert.deepEqual(flaws, [], `to see it again: UPNP_SEED=${SEED}`);
    assert.deepEqual(
      app.logLines.filter((line) => /failed unexpectedly|nhandled/.test(line)),
      [],
    );
    for (const name of ['200', '302', '400', '404', '401', '402', '701', '708'])
      assert.ok((kinds.get(name) ?? 0) > 0, `no answer ${name} among ${REQUESTS}`);
    assert.ok((kinds.get('200') ?? 0) > REQUESTS / 5, `only ${kinds.get('200')} good ones among ${REQUESTS}`);
  },
);
