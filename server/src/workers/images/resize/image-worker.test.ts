import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { disc, svg } from '../../../../test/content/picture-samples.ts';
import { PictureRefused } from './kind-of.ts';
import { ImageWorker } from './image-worker.ts';

/** Ten million copies of a line. */
const copies = Array.from(
  { length: 7 },
  (_, n) => `<g id="u${n + 1}">${`<use xlink:href="#u${n}"/>`.repeat(10)}</g>`,
);
const LONG = svg(`<defs><path id="u0" d="M0 0h9"/>${copies.join('')}</defs><use xlink:href="#u7"/>`);

test('pictures are made one after the other, and a refusal comes with its reason', async () => {
  await using imageWorker = new ImageWorker();
  const [one, other, refused] = await Promise.allSettled([
    imageWorker.resize(await disc(100).png().toBuffer()),
    imageWorker.resize(await disc(200).webp().toBuffer()),
    imageWorker.resize(Buffer.from('<html>')),
  ]);
  assert.ok(one.status === 'fulfilled' && other.status === 'fulfilled' && refused.status === 'rejected');
  assert.deepEqual([one.value.width, other.value.width], [100, 200]);
  assert.ok(Buffer.isBuffer(one.value.files[0]?.bytes));
  assert.ok(refused.reason instanceof PictureRefused);
  assert.match(refused.reason.message, /an HTML page/);
});

test('what takes too long is ended and refused, and the next picture is made all the same', async () => {
  await using imageWorker = new ImageWorker({ longestMs: 1500 });
  await imageWorker.resize(await disc(100).png().toBuffer());
  const start = performance.now();
  const [late, next] = await Promise.allSettled([
    imageWorker.resize(LONG),
    imageWorker.resize(await disc(100).png().toBuffer()),
  ]);
  assert.ok(late.status === 'rejected' && late.reason instanceof PictureRefused);
  assert.match(late.reason.message, /takes too long or too much memory; use a simpler picture/);
  // Its limit is of the processor; the clock's is six times that, on a machine with much else to do.
  assert.ok(performance.now() - start < 30_000);
  assert.equal(next.status, 'fulfilled');
});

/** Processes that this one has started, and that have not ended. */
const children = (): string =>
  readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8').trim();

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`${signal}, which a worker's whole group is sent when it is to stop, is no fault of the picture`, async () => {
    await using imageWorker = new ImageWorker();
    await imageWorker.resize(await disc(100).png().toBuffer());
    const made = imageWorker.resize(await disc(1000).png().toBuffer());
    process.kill(Number(children()), signal);
    assert.equal((await made).width, 1000);
  });
}

test('disposed of, it ends what is under way and leaves no process behind', async () => {
  const imageWorker = new ImageWorker();
  const made = imageWorker.resize(await disc(100).png().toBuffer());
  while (children() === '') await sleep(10);
  await imageWorker[Symbol.asyncDispose]();
  assert.equal((await made).width, 100);
  assert.equal(children(), '');
});
