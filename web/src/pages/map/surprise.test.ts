import assert from 'node:assert/strict';
import test from 'node:test';
import { surprise } from './surprise.ts';

test('a surprise is one of the most popular, and each of them can be', () => {
  const found = new Set<number | undefined>();
  for (let part = 0; part < 1; part += 1 / 5000) found.add(surprise(4000, undefined, () => part));
  assert.equal(found.size, 1000);
  assert.ok([...found].every((station) => station !== undefined && station >= 0 && station < 1000));
});

test('a small directory is all surprise, and none is chosen twice in a row', () => {
  for (const last of [0, 3, 9])
    for (let part = 0; part < 1; part += 0.01) {
      const next = surprise(10, last, () => part);
      assert.ok(next !== undefined && next < 10 && next !== last, `${next} after ${last}`);
    }
  assert.equal(surprise(1, undefined), 0);
  assert.equal(surprise(1, 0), undefined);
  assert.equal(surprise(0, undefined), undefined);
});
