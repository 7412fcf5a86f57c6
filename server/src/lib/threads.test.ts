import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { ThreadEnded, Threads } from './threads.ts';

const MODULE = `
  import { parentPort, threadId } from 'node:worker_threads';
  parentPort.on('message', (task) => {
    if (task === 'spin') for (;;);
    if (task === 'hoard') { const all = []; for (;;) all.push(new Array(1e5).fill(task)); }
    if (task === 'wait') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);
    if (task === 'throw') throw new Error('on purpose');
    parentPort.postMessage({ task, threadId });
  });`;

let folder: string;
let module: URL;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'longwave-threads-'));
  writeFileSync(join(folder, 'thread.mjs'), MODULE);
  module = pathToFileURL(join(folder, 'thread.mjs'));
});
after(() => rmSync(folder, { recursive: true }));

type Answer = { task: unknown; threadId: number };

test('each task has its own answer, on as many threads as there may be', async () => {
  await using threads = new Threads<number, Answer>(module, { most: 2 });
  const answers = await Promise.all(Array.from({ length: 50 }, (_, task) => threads.run(task)));
  assert.deepEqual(
    answers.map(({ task }) => task),
    Array.from({ length: 50 }, (_, task) => task),
  );
  assert.equal(new Set(answers.map(({ threadId }) => threadId)).size, 2);
});

for (const [task, what] of [
  ['spin', 'that never ends'],
  ['hoard', 'that takes all memory'],
  ['throw', 'that throws'],
] as const) {
  test(`a task ${what} costs its thread, and the next has another`, async () => {
    await using threads = new Threads<string, Answer>(module, { most: 1, cpuMs: 300, heapMb: 32 });
    const next = threads.run('first').then(() => threads.run(task));
    await assert.rejects(next, ThreadEnded);
    assert.equal((await threads.run('fine')).task, 'fine');
  });
}

test('a task that a busy machine lets wait is not ended for that', async () => {
  await using threads = new Threads<string, Answer>(module, { most: 1, cpuMs: 300 });
  await threads.run('first');
  assert.equal((await threads.run('wait')).task, 'wait');
});
