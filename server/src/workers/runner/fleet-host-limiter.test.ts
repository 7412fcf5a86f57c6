import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type TestDatabase, testDatabase } from '../../../test/database/database.ts';
import { HostBusy } from '../../net/fetch/host-limiter.ts';
import { FleetHostLimiter } from './fleet-host-limiter.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database[Symbol.asyncDispose]());

const soon = (): { signal: AbortSignal } => ({ signal: AbortSignal.timeout(2000) });

test('two of a host over two workers; the third is put off, another host is not', async () => {
  await using one = new FleetHostLimiter(database.url);
  await using other = new FleetHostLimiter(database.url);
  const first = await one.take('a.example', soon());
  const second = await other.take('a.example', soon());
  await assert.rejects(other.take('a.example', soon()), HostBusy);
  const elsewhere = await other.take('b.example', soon());
  first[Symbol.dispose]();
  await sleep(100);
  const third = await other.take('a.example', soon());
  await assert.rejects(one.take('a.example', soon()), HostBusy);
  for (const slot of [second, third, elsewhere]) slot[Symbol.dispose]();
});

test('within a worker the third waits for its turn', async () => {
  await using slots = new FleetHostLimiter(database.url);
  const [first] = await Promise.all([slots.take('c.example', soon()), slots.take('c.example', soon())]);
  let hasThird = false;
  const third = slots.take('c.example', soon()).then((slot) => {
    hasThird = true;
    return slot;
  });
  await sleep(50);
  assert.equal(hasThird, false);
  first[Symbol.dispose]();
  (await third)[Symbol.dispose]();
});

test('a seat that is given back twice is given back once', async () => {
  await using one = new FleetHostLimiter(database.url);
  await using other = new FleetHostLimiter(database.url);
  const [first, second] = [await one.take('f.example', soon()), await one.take('f.example', soon())];
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  await sleep(100);
  const third = await other.take('f.example', soon());
  await assert.rejects(other.take('f.example', soon()), HostBusy);
  for (const slot of [second, third]) slot[Symbol.dispose]();
});

test('hundreds of hosts at once are asked for together', async () => {
  await using slots = new FleetHostLimiter(database.url);
  const hosts = Array.from({ length: 300 }, (_, index) => `h${index}.example`);
  const taken = await Promise.all(hosts.map((host) => slots.take(host, soon())));
  const count = async (): Promise<unknown> =>
    (
      await database.pool.query(
        "SELECT count(*)::int4 AS held FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
      )
    ).rows[0];
  assert.deepEqual(await count(), { held: 300 });
  for (const slot of taken) slot[Symbol.dispose]();
  await sleep(200);
  assert.deepEqual(await count(), { held: 0 });
});

test('the seats of a worker that is killed are free again', async () => {
  const script = `
    import { FleetHostLimiter } from './server/src/workers/runner/fleet-host-limiter.ts';
    const seats = new FleetHostLimiter(process.env.LIMITER_DATABASE);
    const soon = { signal: AbortSignal.timeout(5000) };
    await Promise.all([seats.take('d.example', soon), seats.take('d.example', soon)]);
    console.log('seated');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, LIMITER_DATABASE: database.url },
  });
  await once(child.stdout, 'data');
  await using slots = new FleetHostLimiter(database.url);
  await assert.rejects(slots.take('d.example', soon()), HostBusy);
  child.kill('SIGKILL');
  await once(child, 'exit');
  await sleep(200);
  (await slots.take('d.example', soon()))[Symbol.dispose]();
});

test('after the connection is lost the next one is made anew', async () => {
  await using slots = new FleetHostLimiter(database.url);
  const slot = await slots.take('e.example', soon());
  await database.pool.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'longwave host slots' AND datname = current_database()",
  );
  await sleep(100);
  slot[Symbol.dispose]();
  await sleep(100);
  (await slots.take('e.example', soon()))[Symbol.dispose]();
});

/** A way to the database on which it is heard late that the other side has closed. */
async function lateWay(lateMs: number): Promise<AsyncDisposable & { url: string }> {
  const url = new URL(database.url);
  const target = { host: url.hostname, port: Number(url.port) };
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect(target);
    near.on('error', () => far.destroy()).on('close', () => far.destroy());
    far.on('error', () => near.destroy()).on('close', () => setTimeout(() => near.destroy(), lateMs));
    far.pipe(near, { end: false });
    near.pipe(far);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // oxlint-disable-next-line no-unsafe-type-assertion -- a server on a port has such an address
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    async [Symbol.asyncDispose]() {
      server.close();
    },
  };
}

const openConnections = async (): Promise<unknown> =>
  (
    await database.pool.query(
      "SELECT count(*)::int4 AS open FROM pg_stat_activity WHERE application_name = 'longwave host slots' AND datname = current_database()",
    )
  ).rows[0];

test('a lost connection that ends late takes nothing from the one made anew', async () => {
  await using way = await lateWay(300);
  await using slots = new FleetHostLimiter(way.url);
  (await slots.take('g.example', soon()))[Symbol.dispose]();
  await sleep(50);
  await database.pool.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'longwave host slots' AND datname = current_database()",
  );
  await sleep(50);
  const slot = await slots.take('g.example', soon());
  await sleep(400);
  slot[Symbol.dispose]();
  await sleep(100);
  assert.deepEqual(await openConnections(), { open: 1 });
  await using other = new FleetHostLimiter(database.url);
  const taken = [await other.take('g.example', soon()), await other.take('g.example', soon())];
  for (const free of taken) free[Symbol.dispose]();
});

test('a seat that is given back after the end opens no connection anew', async () => {
  const slots = new FleetHostLimiter(database.url);
  const slot = await slots.take('late.example', soon());
  await slots[Symbol.asyncDispose]();
  slot[Symbol.dispose]();
  await sleep(300);
  assert.deepEqual(await openConnections(), { open: 0 });
});
