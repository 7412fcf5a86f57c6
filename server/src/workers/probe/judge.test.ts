import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VERDICTS } from '../../lib/failure-code.ts';
import { dueInSeconds, type ProbeFinding } from './judge.ts';

const [MINUTE, HOUR, DAY] = [60, 3600, 86_400];
const due = (found: Partial<ProbeFinding> & Pick<ProbeFinding, 'verdict'>): number =>
  dueInSeconds({ popularity: 0, failures: 1, silentSeconds: HOUR, chance: 0.5, ...found });

const plays = (popularity: number): number => due({ verdict: 'plays', failures: 0, popularity });

test('a stream that plays is heard every hour when many want it, once a day when nobody does', () => {
  assert.equal(plays(0), DAY);
  assert.equal(plays(9), Math.round(DAY / 2 ** 1.5));
  assert.equal(plays(99), 3 * HOUR);
  assert.equal(plays(5000), HOUR);
  assert.equal(plays(500_000), HOUR);
});

test('one that fell silent is looked for soon, then half as often each time, and once a week in the end', () => {
  const waits = [1, 2, 3, 8, 11, 40].map((failures) => due({ verdict: 'dead', failures }));
  assert.deepEqual(waits, [15 * MINUTE, 30 * MINUTE, HOUR, 32 * HOUR, 7 * DAY, 7 * DAY]);
});

test('one that nobody ever heard is given up sooner', () => {
  const waits = [1, 2, 3, 4, 5, 6].map((failures) =>
    due({ verdict: 'dead', failures, silentSeconds: Infinity }),
  );
  assert.deepEqual(waits, [15 * MINUTE, HOUR, 4 * HOUR, 16 * HOUR, 64 * HOUR, 7 * DAY]);
});

test('who refuses us is asked less often than who is silent, and who is full at least once a day', () => {
  assert.equal(due({ verdict: 'refused' }), 6 * HOUR);
  assert.equal(due({ verdict: 'geo' }), DAY);
  assert.equal(due({ verdict: 'busy', failures: 20 }), DAY);
});

test('nobody is asked before they want, but for a week at most', () => {
  assert.equal(due({ verdict: 'busy', retryAfterSeconds: 5 * HOUR }), 5 * HOUR);
  assert.equal(due({ verdict: 'busy', retryAfterSeconds: 60 }), 30 * MINUTE);
  assert.equal(due({ verdict: 'busy', retryAfterSeconds: 400 * DAY }), 7 * DAY);
});

test('streams that came together do not stay together, and none is due within five minutes', () => {
  for (const verdict of VERDICTS) {
    const [early, late] = [due({ verdict, chance: 0 }), due({ verdict, chance: 1 })];
    assert.ok(late - early >= 0.19 * early, verdict);
    assert.ok(early > 5 * MINUTE, verdict);
  }
});
