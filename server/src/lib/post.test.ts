import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMailServer } from '../../test/mail-server.ts';
import type { Letter, Post } from './post.ts';

const letter = (n: number): Letter => ({ to: `ann${n}@mail.example`, subject: 'Hello', text: `letter ${n}` });
const addAll = (post: Post, count: number): void => {
  for (let n = 0; n < count; n++) post.add(async () => letter(n));
};

test('letters that wait when the service stops are sent before it has stopped', async () => {
  // None is given up on a busy machine.
  await using mail = await openMailServer(undefined, 0, {
    silenceMs: 60_000,
    letterMs: 60_000,
    drainMs: 60_000,
  });
  addAll(mail.post, 10);
  await mail.post[Symbol.asyncDispose]();
  assert.deepEqual(
    mail.received.map(({ to }) => to[0]),
    Array.from({ length: 10 }, (_, n) => letter(n).to),
  );
  await mail.post[Symbol.asyncDispose]();
});

test('a letter that takes for ever does not keep the service from stopping, and the operator is told', async () => {
  await using mail = await openMailServer(undefined, 0, { drainMs: 200 });
  const never = Promise.withResolvers<undefined>();
  mail.post.add(() => never.promise);
  addAll(mail.post, 2);
  await mail.post[Symbol.asyncDispose]();
  assert.equal(mail.received.length, 0);
  assert.match(mail.logLines.join(''), /"letters":3,.*stopped before all letters were sent/);
  never.resolve(undefined);
});
