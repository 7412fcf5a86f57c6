import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Addresses, startNameServer } from '../../../test/name-server.ts';
import { LateSignal } from './late-signal.ts';
import { lookUpBy } from './look-up.ts';

type LookUp = (host: string, waiting?: LateSignal) => Promise<string[]>;

async function asking(t: TestContext, addresses: Addresses): Promise<LookUp> {
  const names = await startNameServer(addresses);
  t.after(() => names[Symbol.asyncDispose]());
  return (host, waiting = new LateSignal()) => lookUpBy([names.server])(host, waiting);
}

test('all addresses of a name are found, IPv4 first', async (t) => {
  const lookUp = await asking(t, () => ['2606:4700::1', '93.184.216.34', '93.184.216.35']);
  assert.deepEqual(await lookUp('radio.example.net'), ['93.184.216.34', '93.184.216.35', '2606:4700::1']);
});

test('one kind of address is enough, and none is an error that says so', async (t) => {
  const lookUp = await asking(t, (name) => (name.startsWith('six.') ? ['2606:4700::1'] : []));
  assert.deepEqual(await lookUp('six.example.net'), ['2606:4700::1']);
  await assert.rejects(lookUp('none.example.net'), { code: 'ENODATA' });
});

test('nothing of this machine is known: neither its own names nor a short name', async (t) => {
  const asked: string[] = [];
  const lookUp = await asking(t, (name) => {
    asked.push(name);
    return [];
  });
  await assert.rejects(lookUp('localhost'));
  assert.ok(
    asked.every((name) => name === 'localhost'),
    String(asked),
  );
});

test('names that nobody answers for keep no other name waiting, and are left at once', async (t) => {
  const lookUp = await asking(t, (name) => (name.startsWith('silent') ? undefined : ['93.184.216.34']));
  const ending = new LateSignal();
  const silent = Array.from({ length: 20 }, (_, index) => lookUp(`silent${index}.example.net`, ending));
  const over = Promise.race(silent).catch(() => 'a silent one');
  const first = await Promise.race([over, lookUp('radio.example.net')]);
  assert.deepEqual(first, ['93.184.216.34'], 'the others are still waited for');
  ending.end('no longer waited for');
  for (const one of await Promise.allSettled(silent))
    assert.equal(one.status === 'rejected' && one.reason.code, 'ECANCELLED');
});
