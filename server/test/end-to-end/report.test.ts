import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { startWork } from '../../src/app/worker.ts';
import { addPartner } from '../../src/core/accounts/partners/partners.ts';
import { createLog } from '../../src/lib/log.ts';
import { SafeFetcher } from '../../src/net/fetch/fetch-safely.ts';
import { type Policy, publicInternet } from '../../src/net/fetch/policy.ts';
import { bumpCatalogue } from '../../src/storage/catalog/stations/version.ts';
import { transaction } from '../../src/storage/db/transaction.ts';
import { JobMetrics } from '../../src/workers/runner/due-job.ts';
import { MEMBER_KEY } from '../apps/account-app.ts';
import { waitUntil } from '../time/wait-until.ts';
import { type TestDatabase, testDatabase } from '../database/database.ts';
import { type ServiceProcess, startService } from '../processes/service-process.ts';
import { mp3Bytes } from '../content/sound-bytes.ts';

/** What a listener may wait for a stream that others found silent to be given no longer. */
const SOON_MS = 10_000;
/** Names lead here, where all stations are. */
const INTERNET = '127.0.0.3';
const policy: Policy = {
  ...publicInternet,
  resolve: async () => [INTERNET],
  isAllowed: (ip) => ip === INTERNET,
};

let database: TestDatabase;
let service: ServiceProcess;
let stations: Server;
let port: number;
const asked: string[] = [];
before(async () => {
  database = await testDatabase();
  await addPartner(database.pool, { id: 'maker', name: 'A maker' });
  stations = createServer(({ url = '' }, response) => {
    asked.push(url);
    if (url.startsWith('/plays'))
      response.writeHead(200, { 'content-type': 'audio/mpeg' }).end(mp3Bytes(40_000));
    else response.writeHead(404).end();
  }).listen(0, INTERNET);
  await once(stations, 'listening');
  const address = stations.address();
  assert.ok(typeof address === 'object' && address);
  ({ port } = address);
  await fill();
  service = await startService(database.url, { MEMBER_KEY, TRUSTED_PROXIES: '127.0.0.1' });
});
after(async () => {
  await service[Symbol.asyncDispose]();
  stations.close();
  await database[Symbol.asyncDispose]();
});
beforeEach(() => {
  asked.length = 0;
});

const DEAD = (): string => `http://dead.radio-haven.net:${port}/gone`;
const PLAYS = (): string => `http://plays.radio-haven.net:${port}/plays`;

/** Each station's first stream is dead since a moment ago, and the old check still says that it plays. */
async function fill(): Promise<void> {
  await transaction(database.pool, async (client) => {
    for (const station of [1, 2, 3]) {
      await client.query(
        "INSERT INTO stations (id, name, name_key) VALUES ($1, 'Town ' || $1::bigint, 'town')",
        [station],
      );
      const streams: [number, string, string, number][] = [
        [station * 10 + 1, `${DEAD()}?${station}`, 'mp3', 100],
        [station * 10 + 2, `${PLAYS()}?${station}`, 'aac', 60],
      ];
      for (const [id, address, format, reliability] of streams) {
        await client.query(
          `INSERT INTO streams (id, station_id, address, address_key, format, bitrate, reliability)
           VALUES ($1, $2, $3, gen_random_uuid(), $4, 128, $5)`,
          [id, station, address, format, reliability],
        );
        await client.query(
          `INSERT INTO stream_checks (stream_id, host, next_due_at, checked_at, verdict, standing, standing_at)
           VALUES ($1, $2, now() + interval '6 hours', now() - interval '1 hour', 'plays', $3, now())`,
          [id, new URL(address).hostname, reliability],
        );
      }
    }
    await bumpCatalogue(client);
  });
}

const tune = async (station: number): Promise<string[]> =>
  (await (await fetch(`${service.origin}/Tune.ashx?id=s${station}&partnerId=maker`)).text())
    .trim()
    .split('\n');
const startsWithDead = async (station: number): Promise<boolean> =>
  (await tune(station))[0]?.startsWith(DEAD()) ?? false;

interface Listener {
  address: string;
  serial: string;
}
const listener = (n: number): Listener => ({ address: `81.2.${n}.7`, serial: `serial-${n}` });

async function report({ address, serial }: Listener, fields: Record<string, string>): Promise<string> {
  const query = new URLSearchParams({ c: 'stream', partnerId: 'maker', serial, ...fields });
  const response = await fetch(`${service.origin}/Report.ashx?${query.toString()}`, {
    headers: { 'x-forwarded-for': address },
  });
  const body = await response.text();
  assert.match(body, /<status>200<\/status>/);
  return body;
}

test('what three listeners say is dead is not first any more within ten seconds; two are not enough', async () => {
  assert.equal(await startsWithDead(1), true);
  const dead = `${DEAD()}?1`;
  for (const n of [1, 2]) await report(listener(n), { id: 's1', url: dead, message: 'no answer' });
  for (let again = 0; again < 5; again += 1) await report(listener(2), { id: 's1', url: dead, error: '404' });
  await sleep(4000);
  assert.equal(await startsWithDead(1), true, 'the same listener again is no third');
  await report(listener(3), { id: 's1', url: dead, message: 'no answer' });
  await waitUntil('another stream first', async () => !(await startsWithDead(1)) || undefined, SOON_MS);
  assert.deepEqual(await tune(1), [`${PLAYS()}?1`, dead], 'last, but still there');
});

test('without an address the stream that is given first is meant', async () => {
  for (const n of [4, 5, 6]) await report(listener(n), { id: 's2', message: 'no sound' });
  await waitUntil('another stream first', async () => !(await startsWithDead(2)) || undefined, SOON_MS);
  assert.deepEqual(asked, [], 'and nobody was asked to serve the calls');
});

test('where a worker listens one listener is enough, and an address that nobody knows is not asked', async () => {
  const log = createLog({ level: 'silent' });
  await using opened = new AsyncDisposableStack();
  const work = startWork({
    pool: database.pool,
    databaseUrl: database.url,
    fetcher: new SafeFetcher({ policy }),
    feedConcurrency: 1,
    probeConcurrency: 5,
    log,
    metrics: new JobMetrics(new Registry()),
  });
  opened.use(work);
  assert.equal(await startsWithDead(3), true);
  await report(listener(8), { url: `http://canary.radio-haven.net:${port}/canary`, message: 'dead' });
  await report(listener(9), {
    id: 's3',
    url: `http://canary.radio-haven.net:${port}/canary`,
    message: 'dead',
  });
  await report(listener(7), { id: 's3', message: 'no sound' });
  await waitUntil('another stream first', async () => !(await startsWithDead(3)) || undefined, SOON_MS);
  await sleep(1000);
  assert.ok(
    asked.some((url) => url.startsWith('/gone?3')),
    'the reported stream was listened to',
  );
  assert.deepEqual(
    asked.filter((url) => url.includes('canary')),
    [],
  );
});
