import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { type Addresses, startNameServer } from '../../../test/servers/name-server.ts';
import { UnsafeAddress } from './fetch-failed.ts';
import { LazyAbortSignal } from './deadline.ts';
import { checkAddress, lookUpBy } from './policy.ts';

const good: [address: string, host: string, port: number][] = [
  ['http://radio.example.net/feed?x=1', 'radio.example.net', 80],
  ['https://radio.example.net:8443/', 'radio.example.net', 8443],
  ['http://stream.example.net:8000', 'stream.example.net', 8000],
  ['HTTP://Radio.Example.NET.:80/', 'radio.example.net', 80],
  ['http://bücher.example.com/', 'xn--bcher-kva.example.com', 80],
  ['http://93.184.216.34/', '93.184.216.34', 80],
  ['http://[2606:2800:220:1::1]/', '2606:2800:220:1::1', 80],
];
for (const [address, host, port] of good) {
  test(`${address} may be looked up`, () => {
    const checked = checkAddress(address);
    assert.deepEqual([checked.host, checked.port], [host, port]);
    assert.equal(checked.isSecure, address.startsWith('https'));
  });
}

const bad: [address: string, why: RegExp][] = [
  ['ftp://radio.example.net/', /neither http/],
  ['file:///etc/passwd', /neither http/],
  ['javascript:alert(1)', /neither http/],
  ['http://user:secret@radio.example.net/', /user name or password/],
  ['http://a@127.0.0.1/', /user name or password/],
  ['http://radio.example.net:22/', /another service/],
  ['http://radio.example.net:25/', /another service/],
  ['http://radio.example.net:6379/', /another service/],
  ['http://radio.example.net:5432/', /another service/],
  ['http://radio.example.net:6010/', /another service/],
  ['http://localhost/', /without a dot/],
  ['http://router/', /without a dot/],
  ['http://printer.local/', /private network/],
  ['http://metadata.google.internal/', /private network/],
  ['http://app.localhost/', /private network/],
  ['http://1.0.0.127.in-addr.arpa/', /private network/],
  ['http://hidden.onion/', /private network/],
  ['http://', /not a valid URL/],
  ['not an address', /not a valid URL/],
  ['http://fe80::1%25eth0/', /not a valid URL/],
  [`http://radio.example.net/${'x'.repeat(2048)}`, /longer/],
];
for (const [address, why] of bad) {
  test(`${address.slice(0, 50)} is refused before anything is looked up`, () => {
    assert.throws(
      () => checkAddress(address),
      (error) => error instanceof UnsafeAddress && why.test(error.message),
    );
  });
}

test('an address of the operator may lead to any host, and is still an address', () => {
  assert.equal(checkAddress('http://localhost:5432/', true).port, 5432);
  assert.equal(checkAddress('http://mirror.lan/', true).host, 'mirror.lan');
  assert.throws(() => checkAddress('file:///etc/passwd', true), UnsafeAddress);
});

type LookUp = (host: string, waiting?: LazyAbortSignal) => Promise<string[]>;

async function asking(t: TestContext, addresses: Addresses): Promise<LookUp> {
  const names = await startNameServer(addresses);
  t.after(() => names[Symbol.asyncDispose]());
  return (host, waiting = new LazyAbortSignal()) => lookUpBy([names.server])(host, waiting);
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
  const ending = new LazyAbortSignal();
  const silent = Array.from({ length: 20 }, (_, index) => lookUp(`silent${index}.example.net`, ending));
  const over = Promise.race(silent).catch(() => 'a silent one');
  const first = await Promise.race([over, lookUp('radio.example.net')]);
  assert.deepEqual(first, ['93.184.216.34'], 'the others are still waited for');
  ending.end('no longer waited for');
  for (const one of await Promise.allSettled(silent))
    assert.equal(one.status === 'rejected' && one.reason.code, 'ECANCELLED');
});
