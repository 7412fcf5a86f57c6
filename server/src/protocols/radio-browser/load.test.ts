import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { waitUntil } from '../../../test/time/wait-until.ts';
import { sendRaw, startServer } from '../../../test/apps/http-server.ts';
import { sendBody, statusOf } from '../../../test/apps/sent-body.ts';
import { radioBrowserApp } from '../../../test/apps/radio-browser-app.ts';
import { seededDirectory } from '../../../test/content/seeded-directory.ts';
import type { Snapshot } from '../../core/directory/snapshot/snapshot.ts';
import { StreamBoard } from '../../core/directory/live/keep-streams.ts';
import { Refusal } from '../../lib/fault.ts';
import type { Queryable } from '../../storage/db/pool.ts';
import { radioBrowser } from './radio-browser.ts';
import { Views } from './view.ts';

const seeded = await seededDirectory();
after(() => seeded[Symbol.asyncDispose]());
const { directory, database } = seeded;

/** The same stations again and again, as many as a large directory has. */
function manyStations(count: number): Snapshot {
  const snapshot = directory.current();
  const { stations } = snapshot;
  return {
    ...snapshot,
    stations: Array.from({ length: count }, (_, rank) => ({ ...stations[rank % stations.length]!, rank })),
  };
}

const served = (snapshot: Snapshot) =>
  startServer([], {
    protocols: [
      radioBrowser({
        directory: { current: () => snapshot },
        db: database.pool,
        streamBoard: new StreamBoard(),
      }),
    ],
  });

test('who asks for everything gets everything, in every format', async () => {
  const count = 3000;
  await using server = await served(manyStations(count));
  const counted: Readonly<Record<string, (text: string) => number>> = {
    json: (text) => JSON.parse(text).length,
    xml: (text) => text.split('<station ').length - 1,
    csv: (text) => text.split('\r\n').length - 2,
    m3u: (text) => text.split('#EXTINF').length - 1,
    pls: (text) => text.split('\r\nTitle').length - 1,
    xspf: (text) => text.split('<track>').length - 1,
  };
  for (const [format, countOf] of Object.entries(counted)) {
    const response = await fetch(`${server.origin}/${format}/stations?limit=100000`);
    assert.equal(countOf(await response.text()), count, format);
    const head = await fetch(`${server.origin}/${format}/stations`, { method: 'HEAD' });
    assert.deepEqual([head.status, await head.text()], [200, '']);
  }
});

test('long answers that nobody reads take no more than their share, and leave room when they end', async () => {
  await using server = await served(manyStations(20_000));
  const port = Number(new URL(server.origin).port);
  const get = async (limit: number): Promise<number> =>
    (await fetch(`${server.origin}/json/stations?limit=${limit}`, { headers: { connection: 'close' } }))
      .status;
  await waitUntil('the stations are prepared', async () => ((await get(1)) === 200 ? true : undefined));
  const readers: Socket[] = [];
  for (let index = 0; index < 32; index += 1) {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    socket.write('GET /json/stations HTTP/1.1\r\nhost: radio.test\r\n\r\n');
    await once(socket, 'readable');
    readers.push(socket);
  }
  assert.equal(await get(1000), 503);
  assert.equal(await get(10), 200, 'short ones are answered all the same');
  for (const reader of readers) reader.destroy();
  await waitUntil('there is room again', async () => ((await get(1000)) === 200 ? true : undefined));
});

test('a refusal comes before the body is read', async () => {
  let refused = 0;
  const rateLimit = (): void => {
    refused += 1;
    throw new Refusal(429, 'request.tooMany', 'Too many calls', 7);
  };
  await using server = await startServer([], {
    rateLimit,
    protocols: [radioBrowser({ directory, db: database.pool, streamBoard: new StreamBoard() })],
  });
  const head =
    'POST /json/stations/search HTTP/1.1\r\nhost: radio.test\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n';
  const answer = await sendRaw(Number(new URL(server.origin).port), head, 5000);
  assert.match(answer, /^HTTP\/1\.1 429 /);
  assert.match(answer, /\r\nRetry-After: 7\r\n/);
  assert.match(answer, /\{"ok":false,"message":"Too many calls"\}$/);
  assert.equal(refused, 1);
});

test('bodies on their way take places, and no address more than its share of them', async (t) => {
  await using server = await served(directory.current());
  const port = Number(new URL(server.origin).port);
  const send = (house: number, sent: string) =>
    sendBody(t, port, {
      from: `127.0.7.${house}`,
      path: '/json/stations/byuuid',
      headers: 'Content-Type: application/json\r\n',
      length: 12,
      sent,
    });
  const ask = (house: number): Promise<number> => statusOf(send(house, '{"uuids":""}'));
  const refused = async (house: number) => (await ask(house)) === 503 || undefined;
  for (let body = 0; body < 8; body += 1) send(1, '{');
  await waitUntil('one house has its share', () => refused(1));
  assert.equal(await ask(2), 200, 'the others have theirs');
  for (let house = 10; house < 10 + 64 - 8; house += 1) send(house, '{');
  await waitUntil('every place is taken', () => refused(2));
  const { status } = await fetch(`${server.origin}/json/stations/byuuid?uuids=x`);
  assert.equal(status, 200, 'who sends no body is served');
});

test('a body that is too large or no form is refused with what to do', async () => {
  const { ask, app } = radioBrowserApp(seeded);
  after(() => app.close());
  const post = async (type: string, payload: string): Promise<number> =>
    (await ask({ method: 'POST', url: '/json/stations/byuuid', headers: { 'content-type': type }, payload }))
      .statusCode;
  assert.equal(await post('application/x-www-form-urlencoded', `uuids=${'a'.repeat(200_000)}`), 413);
  assert.equal(await post('application/json', '{"uuids":'), 200, 'what cannot be read says nothing');
  assert.equal(await post('text/plain', 'uuids=1'), 200);
});

test('metrics name formats and commands of ours alone', async () => {
  const { ask, app, options } = radioBrowserApp(seeded);
  after(() => app.close());
  for (const url of [
    '/json/evil-command',
    '/JSON/tags',
    '/json/stations/byevil/x',
    '/v2/xml/url/evil',
    '/csv/%65vil',
  ])
    await ask(url);
  const text = await options.metrics.registry.metrics();
  const calls = text.split('\n').filter((line) => line.startsWith('http_requests_total'));
  assert.match(text, /http_requests_total\{route="\/json",c="tags",status="200"/);
  assert.match(text, /http_requests_total\{route="\/json",c="other",status="404"/);
  assert.match(text, /http_requests_total\{route="\/xml",c="url",status="404"/);
  assert.doesNotMatch(calls.join('\n'), /evil/i);
});

test('stations that could not be prepared are prepared for the next request, and the last ones stay meanwhile', async () => {
  let isAway = true;
  const db: Queryable = {
    async query(config) {
      if (isAway) throw new Error('Connection terminated unexpectedly');
      return database.pool.query(config);
    },
  };
  const warnings: string[] = [];
  let snapshot = directory.current();
  const views = new Views({ current: () => snapshot }, db, {
    warn: (_fields: unknown, text?: string) => void warnings.push(String(text)),
  });
  await assert.rejects(views.current(), { status: 503, code: 'service.unavailable' });
  isAway = false;
  const first = await views.current();
  assert.equal(first.snapshot, snapshot);
  isAway = true;
  snapshot = { ...snapshot };
  assert.equal(await views.current(), first, 'the last one');
  isAway = false;
  assert.equal((await views.current()).snapshot, snapshot);
  assert.equal(warnings.length, 2);
});
