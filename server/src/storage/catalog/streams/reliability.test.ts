import assert from 'node:assert/strict';
import { test } from 'node:test';
import { array, assert as check, boolean, double, integer, property, record } from 'fast-check';
import {
  type Evidence,
  LIKELY_TO_PLAY,
  type Standing,
  UNKNOWN_STANDING,
  WEIGHTS,
  reliabilityAfter,
  reliabilityAt,
} from './reliability.ts';

const DAY_MS = 86_400_000;
const at = (value: number): Standing => ({ value, atMs: 0 });
const heard = (atMs = 0): Evidence => ({ isGood: true, weight: WEIGHTS.heard, atMs });
const silent = (atMs = 0): Evidence => ({ isGood: false, weight: WEIGHTS.silent, atMs });
const complaint = (atMs = 0): Evidence => ({ isGood: false, weight: WEIGHTS.complaint, atMs });
const fold = (first: Standing | undefined, all: readonly Evidence[]): Standing =>
  all.reduce<Standing | undefined>((standing, one) => reliabilityAfter(standing, one), first) ??
  at(UNKNOWN_STANDING);

test('one silence sinks even the best stream below what is likely to play', () => {
  assert.ok(reliabilityAfter(at(100), silent()).value < LIKELY_TO_PLAY);
});

test('one look that hears it lifts a stream that had failed once', () => {
  assert.ok(fold(at(100), [silent(), heard()]).value > LIKELY_TO_PLAY);
});

test('two listeners do not sink a good stream, three do', () => {
  assert.ok(fold(at(98), [complaint(), complaint()]).value > LIKELY_TO_PLAY);
  assert.ok(fold(at(98), [complaint(), complaint(), complaint()]).value < LIKELY_TO_PLAY);
});

test('a long silence needs more than one good look to be as good as a stream that never failed', () => {
  const fallen = fold(
    undefined,
    Array.from({ length: 6 }, () => silent()),
  );
  assert.ok(fallen.value < 1);
  assert.ok(reliabilityAfter(fallen, heard()).value < fold(undefined, [heard(), heard()]).value);
});

test('what is known fades to half of it in a fortnight, and never past unknown', () => {
  assert.equal(reliabilityAt(at(90), 14 * DAY_MS), UNKNOWN_STANDING + 20);
  assert.equal(reliabilityAt(at(10), 14 * DAY_MS), UNKNOWN_STANDING - 20);
  assert.ok(Math.abs(reliabilityAt(at(100), 3650 * DAY_MS) - UNKNOWN_STANDING) < 0.001);
});

test('news from before what is known neither fades it nor moves its time back', () => {
  const after = reliabilityAfter({ value: 80, atMs: DAY_MS }, { isGood: true, weight: 0, atMs: 0 });
  assert.deepEqual(after, { value: 80, atMs: DAY_MS });
});

const evidence = record({
  isGood: boolean(),
  weight: double({ min: 0, max: 1, noNaN: true }),
  atMs: integer({ min: 0, max: 400 * DAY_MS }),
});
test('it stays between 0 and 100, and good news never lowers it nor bad news raises it', () => {
  check(
    property(array(evidence, { maxLength: 30 }), evidence, (past, last) => {
      const before = fold(undefined, past);
      const { value } = reliabilityAfter(before, last);
      assert.ok(value >= 0 && value <= 100);
      const unmoved = reliabilityAt(before, last.atMs);
      assert.ok(last.isGood ? value >= unmoved - 1e-9 : value <= unmoved + 1e-9);
    }),
  );
});
