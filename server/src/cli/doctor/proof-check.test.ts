import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../test/database/database.ts';
import { findingsOf, contextOf } from '../../../test/doctor/doctor-context.ts';
import { closedPort, portOf } from '../../../test/servers/port-of.ts';
import { type ServiceProcess, startService } from '../../../test/processes/service-process.ts';
import { mp3Bytes } from '../../../test/content/sound-bytes.ts';
import { SafeFetcher } from '../../net/fetch/fetch-safely.ts';
import { operatorsChoice } from '../../net/fetch/policy.ts';
import type { Finding, CheckContext } from './check.ts';
import { hear } from './hear.ts';
import { proofCheck } from './proof-check.ts';

/** Streams that play and that say nothing, by their path; all others are not there. */
const playing = new Set<string>();
const hanging = new Set<string>();
let database: TestDatabase;
let streams: Server;
let service: ServiceProcess;
before(async () => {
  database = await testDatabase();
  streams = await serve(({ url = '' }, response) => {
    if (hanging.has(url)) return;
    if (playing.has(url)) response.writeHead(200, { 'content-type': 'audio/mpeg' }).end(mp3Bytes(40_000));
    else response.writeHead(404).end();
  });
  await database.pool.query(`INSERT INTO stations (id, name, name_key, popularity)
    VALUES (1, 'Town FM', 'town fm', 9), (2, 'Quay FM', 'quay fm', 5)`);
  await database.pool.query(
    `INSERT INTO streams (station_id, address, address_key, format, bitrate)
     SELECT n, 'http://radio.longwave-stream.net:' || $1::text || '/' || n, md5(n::text)::uuid, 'mp3', 128
     FROM generate_series(1, 2) AS n`,
    [portOf(streams)],
  );
  service = await startService(database.url);
});
after(async () => {
  await service[Symbol.asyncDispose]();
  streams.closeAllConnections();
  streams.close();
  await database[Symbol.asyncDispose]();
});

async function serve(answer: Parameters<typeof createServer>[1]): Promise<Server> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const look = (baseUrl: string | undefined, more: Partial<CheckContext> = {}): Promise<Map<string, Finding>> =>
  findingsOf(proofCheck, contextOf({}, database.pool, { baseUrl, ...more }));

/** The settings with which this service was started, as far as the doctor reads them. */
const settings = (): Record<string, string> => ({
  HTTP_PORT: new URL(service.origin).port,
  PRIVATE_PORT: new URL(service.privateOrigin).port,
});

test('a radio is led from the index to the sound, at the address of the settings', async () => {
  playing.add('/1').add('/2');
  const found = await findingsOf(proofCheck, contextOf(settings(), database.pool));
  const lines = [...found.values()].map(({ name, state, text }) => `${name} ${state}: ${text}`);
  assert.equal(lines[0], `server well: ${service.origin} answers, with an index of 8 lines`);
  assert.equal(lines[1], 'ready well: the server is ready and reaches the database');
  assert.equal(lines[2], 'stations well: 2 on the first page, Town FM first');
  assert.match(lines[3] ?? '', /^tune well: Town FM is at http:\/\/radio\.longwave-stream\.net:\d+\/1$/);
  assert.equal(lines[4], 'sound well: you would hear Town FM: MPEG 1 Layer 3, 128 kbit/s');
});

test('where the first station is silent and another is not, it says so', async () => {
  playing.delete('/1');
  const { state, text, mend } = (await look(service.origin)).get('sound') ?? {};
  assert.equal(state, 'warning');
  assert.match(
    text ?? '',
    /^Town FM, the most popular station, is silent \(.+\), but you would hear Quay FM: MPEG/,
  );
  assert.equal(mend, 'longwave why s1');
});

test('nobody waits for a station that says nothing when the first one plays', async () => {
  playing.add('/1');
  hanging.add('/2');
  const started = performance.now();
  assert.equal((await look(service.origin)).get('sound')?.state, 'well');
  assert.ok(performance.now() - started < 2500);
  hanging.clear();
});

test('listening that has to end before anything came is held against nobody', async () => {
  hanging.add('/1');
  const station = { name: 'Town FM', isStation: true, address: 'http://127.0.0.1/Tune.ashx?id=s1' };
  const tuned = [{ station, address: `http://127.0.0.1:${portOf(streams)}/1` }];
  const found = await hear(new SafeFetcher({ policy: operatorsChoice }), tuned, AbortSignal.timeout(50));
  assert.equal(found.state, 'warning');
  assert.match(found.text, /^no audio from the most popular station: /);
  hanging.clear();
});

test('where nothing is heard at all it is broken, with the step it failed at and how to see all of them', async () => {
  playing.clear();
  const { state, text, mend } = (await look(service.origin)).get('sound') ?? {};
  assert.equal(state, 'broken');
  assert.match(text ?? '', /^no audio from the 2 most popular stations: .*404/);
  assert.match(mend ?? '', /^see each step with longwave probe http:\/\/radio\.longwave-stream\.net:\d+\/1;/);
});

test('a line that is down on this side is held against nobody', async () => {
  const cut = {
    ...operatorsChoice,
    resolve: () => Promise.reject(Object.assign(new Error('no name server'), { code: 'EAI_AGAIN' })),
  };
  const streamFetcher = new SafeFetcher({ policy: cut });
  const found = (await look(service.origin, { streamFetcher })).get('sound');
  assert.equal(found?.state, 'warning');
  assert.match(found?.mend ?? '', /reaches the internet/);
});

test('no server at all says how to start one', async () => {
  const port = await closedPort();
  const found = [...(await look(`http://127.0.0.1:${port}`)).values()];
  assert.deepEqual(
    found.map(({ state, text }) => [state, text]),
    [['broken', `nothing answers at http://127.0.0.1:${port}`]],
  );
  assert.match(found[0]?.mend ?? '', /longwave serve/);
  const anywhere = await findingsOf(proofCheck, contextOf({ HTTP_PORT: '0' }, database.pool));
  assert.match(anywhere.get('server')?.text ?? '', /give --base-url/);
});

test('another program at that address is not taken for one', async () => {
  const other = await serve((_, response) => void response.end('<html><body>It works!</body></html>'));
  after(() => other.close());
  const found = (await look(`http://127.0.0.1:${portOf(other)}`)).get('server');
  assert.equal(found?.state, 'broken');
  assert.match(found?.text ?? '', /does not answer like Longwave: .*<html>/);
});

test('a server that takes the call and says nothing is given up', async () => {
  const silent = await serve(() => undefined);
  after(() => silent.closeAllConnections());
  after(() => silent.close());
  const started = performance.now();
  const found = (await look(`http://127.0.0.1:${portOf(silent)}`)).get('server');
  assert.equal(found?.state, 'broken');
  assert.ok(performance.now() - started < 6000);
});
