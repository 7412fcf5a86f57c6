import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMailServer } from '../../test/servers/mail-server.ts';
import type { Mail, Mailer } from './mailer.ts';

const letter = (n: number): Mail => ({ to: `ann${n}@mail.example`, subject: 'Hello', text: `letter ${n}` });
const addAll = (mailer: Mailer, count: number): void => {
  for (let n = 0; n < count; n++) mailer.add(async () => letter(n));
};

test('letters that wait when the service stops are sent before it has stopped', async () => {
  // None is given up on a busy machine.
  await using mail = await openMailServer(undefined, 0, {
    silenceMs: 60_000,
    mailMs: 60_000,
    drainMs: 60_000,
  });
  addAll(mail.mailer, 10);
  await mail.mailer[Symbol.asyncDispose]();
  assert.deepEqual(
    mail.received.map(({ to }) => to[0]),
    Array.from({ length: 10 }, (_, n) => letter(n).to),
  );
  await mail.mailer[Symbol.asyncDispose]();
});

test('a letter that takes for ever does not keep the service from stopping, and the operator is told', async () => {
  await using mail = await openMailServer(undefined, 0, { drainMs: 200 });
  const never = Promise.withResolvers<undefined>();
  mail.mailer.add(() => never.promise);
  addAll(mail.mailer, 2);
  await mail.mailer[Symbol.asyncDispose]();
  assert.equal(mail.received.length, 0);
  assert.match(mail.logLines.join(''), /"mails":3,.*stopped before all mail was sent/);
  never.resolve(undefined);
});
