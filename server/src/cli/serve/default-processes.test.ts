import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultProcesses } from './default-processes.ts';

const GIB = 2 ** 30;
const MACHINES: [what: string, cores: number, gib: number, processes: number][] = [
  ['a container of the compose file', 4, 0.75, 1],
  ['a small box of 1 GB', 4, 1, 1],
  ['a small box of 4 GB', 4, 3.7, 1],
  ['a small box of 8 GB', 4, 7.7, 3],
  ['a rented server', 2, 8, 2],
  ['a large one', 64, 256, 16],
];

for (const [what, cores, gib, processes] of MACHINES)
  test(`${what}, ${cores} cores: ${processes}`, () => {
    assert.equal(defaultProcesses(cores, gib * GIB), processes);
  });

test('this machine: at least one, and none without a core', () => {
  const processes = defaultProcesses();
  assert.ok(processes >= 1 && processes <= defaultProcesses(undefined, Infinity));
});
