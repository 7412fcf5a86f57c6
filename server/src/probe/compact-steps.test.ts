import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Step } from '../tuner/step.ts';
import { compactSteps } from './compact-steps.ts';

const step = (address: string, detail = 'connected'): Step => ({ what: 'connect', address, ms: 3, detail });

test('an address is told where it is another than before', () => {
  const kept = compactSteps([step('http://a/'), step('http://a/'), step('http://b/')]);
  assert.deepEqual(
    kept.map(({ address }) => address),
    ['http://a/', undefined, 'http://b/'],
  );
});

test('whatever a stranger’s server makes of it, it fits into its column', () => {
  const long = Array.from({ length: 60 }, (_, n) =>
    step(`http://${n}.example/${'広'.repeat(3000)}`, `\0\ud800${'広'.repeat(500)}`),
  );
  const kept = compactSteps(long);
  assert.equal(kept.length, 12);
  assert.match(kept[0]?.address ?? '', /^http:\/\/0\.example/);
  assert.match(kept.at(-1)?.address ?? '', /^http:\/\/59\.example/);
  const text = JSON.stringify(kept);
  assert.ok(Buffer.byteLength(text) <= 15_000, `${Buffer.byteLength(text)} bytes`);
  assert.ok(!text.includes('\\u0000') && text.isWellFormed() && !/\\ud[89a-f]/.test(text));
});
