import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { hashSync } from '@node-rs/argon2';
import { Refusal } from '../../../lib/fault.ts';
import { memberKeys } from '../keys.ts';
import { Passwords, restMs } from './passwords.ts';

const keys = memberKeys('one key of at least thirty-two characters');
const FAST = { memoryCost: 1024, timeCost: 1 };
const passwords = new Passwords({ keys, hashing: FAST });
after(() => passwords[Symbol.asyncDispose]());

test('what is stored is argon2id as OWASP says, under the version of the key, and never twice the same', async () => {
  await using strong = new Passwords({ keys });
  const stored = await strong.hash('Secret1!');
  assert.match(stored, /^1\$\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  assert.notEqual(await strong.hash('Secret1!'), stored);
  assert.equal(await strong.fits('Secret1!', stored), true);
  assert.equal(strong.isOld(stored), false);
});

test('a password fits its own hash and no other, and needs the key', async () => {
  const stored = await passwords.hash('Secret1!');
  assert.equal(await passwords.fits('Secret1!', stored), true);
  for (const wrong of ['secret1!', 'Secret1', 'Secret1!!', '', ' Secret1!'])
    assert.equal(await passwords.fits(wrong, stored), false, wrong);
  await using others = new Passwords({
    keys: memberKeys('another key of thirty-two characters'),
    hashing: FAST,
  });
  assert.equal(await others.fits('Secret1!', stored), false);
});

test('a password is the same however a keyboard writes its accents and spaces', async () => {
  const composed = 'Äpfel für Zoë';
  const stored = await passwords.hash(composed);
  for (const same of [composed.normalize('NFD'), composed.replaceAll(' ', '\u{A0}')])
    assert.equal(await passwords.fits(same, stored), true, JSON.stringify(same));
  assert.equal(await passwords.fits(composed, await passwords.hash(composed.normalize('NFD'))), true);
  for (const other of ['Apfel fur Zoe', 'Äpfel fürZoë', 'ÄPFEL für Zoë'])
    assert.equal(await passwords.fits(other, stored), false, other);
});

/** As passwords were stored before spellings counted as one: peppered and hashed without a change. */
const storedAs = (typed: string): string => {
  const peppered = createHmac('sha256', keys.writing.password).update(typed).digest('base64');
  return `1$${hashSync(peppered, FAST)}`;
};

test('what was hashed as it was typed goes on, and fits in its composed form too', async () => {
  const vietnamese = 'm\u0103\u0301t kh\u1EA9u';
  for (const typed of ['Äpfel für Zoë'.normalize('NFD'), vietnamese, 'two\u{3000}words'])
    assert.equal(await passwords.fits(typed, storedAs(typed)), true, JSON.stringify(typed));
  const decomposed = 'Äpfel für Zoë'.normalize('NFD');
  assert.equal(await passwords.fits('Äpfel für Zoë', storedAs(decomposed)), true);
});

test('an empty password, and one where nothing or nonsense is stored, never fits', async () => {
  assert.equal(await passwords.fits('', await passwords.hash('')), false);
  for (const stored of [undefined, '', 'secret', '$argon2id$v=19$', 'x'.repeat(1000)])
    assert.equal(await passwords.fits('secret', stored), false);
});

test('a hash of weaker parameters is known as old', async () => {
  await using strong = new Passwords({ keys });
  const old = await passwords.hash('Secret1!');
  assert.equal(strong.isOld(old), true);
  assert.equal(await strong.fits('Secret1!', old), true);
});

test('few at once, few in the queue, the rest is refused with a time to wait', async () => {
  await using few = new Passwords({ keys, hashing: FAST, workers: { concurrency: 1, queue: 3 } });
  await few.prepare();
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => few.fits('x', undefined)));
  const refused = outcomes
    .filter(({ status }) => status === 'rejected')
    .map((outcome) => 'reason' in outcome && outcome.reason);
  assert.equal(refused.length, 16);
  for (const reason of refused) {
    assert.ok(reason instanceof Refusal);
    assert.equal(reason.status, 503);
    assert.ok(reason.retryAfterSeconds > 0);
  }
  assert.equal(await few.fits('x', undefined), false, 'and afterwards there is room again');
});

test('nobody waits longer than the time for waiting', async () => {
  await using slow = new Passwords({
    keys,
    hashing: { timeCost: 60 },
    workers: { concurrency: 1, queue: 10, waitMs: 30 },
  });
  let isHashed = false;
  const first = slow.hash('a').finally(() => (isHashed = true));
  await assert.rejects(slow.hash('b'), Refusal);
  assert.equal(isHashed, false, 'while the one before is still at work');
  await first;
});

test('hashing has less of the processor than answering', { skip: process.platform !== 'linux' }, async () => {
  await using own = new Passwords({ keys, hashing: FAST });
  await own.prepare();
  const nices = readdirSync('/proc/self/task').map((thread) => {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
  });
  const [main = 0, ...others] = nices;
  assert.ok(
    others.some((nice) => nice > main),
    `nice values ${nices.join()}`,
  );
});

test('a worker rests while menus keep the service busy, and only then', () => {
  assert.equal(restMs(20, 0.99), 80);
  assert.equal(restMs(20, 0.5), 0);
});
