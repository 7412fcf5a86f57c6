import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { plant, testsOf } from './fault.ts';
import { FAULTS } from './faults.ts';

const checkout = join(import.meta.dirname, '../..');

test('every fault can be planted, and has tests to notice it', () => {
  assert.ok(FAULTS.length >= 100);
  for (const fault of FAULTS) {
    plant(checkout, fault);
    for (const pattern of testsOf(fault))
      assert.ok(globSync(pattern, { cwd: checkout }).length > 0, `no test is at ${pattern}`);
  }
});
