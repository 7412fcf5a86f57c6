import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { after, before, beforeEach, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../test/database/database.ts';
import { mp3Bytes } from '../../../test/content/sound-bytes.ts';
import { systemClock } from '../../lib/clock.ts';
import type { FailureCode } from '../../lib/failure-code.ts';
import { createLog } from '../../lib/log.ts';
import type { HostLimits } from '../../net/fetch/connections.ts';
import { SafeFetcher } from '../../net/fetch/fetch-safely.ts';
import { type Policy, publicInternet } from '../../net/fetch/policy.ts';
import { HostBusy, HostLimiter } from '../../net/fetch/host-limiter.ts';
import { bumpCatalogue } from '../../storage/catalog/stations/version.ts';
import { scheduleStreams } from '../../storage/catalog/streams/due-streams.ts';
import { UplinkMonitor, probeJob } from './probe.ts';
import { announceStreamNews } from './timed-jobs.ts';
import { catalogueVersion } from '../../../test/database/catalogue/edit-catalogue.ts';

let database: TestDatabase;
let server: Server;
let port: number;
let connections = 0;

/** Such as a file with the picture of its album in front. */
function id3Tag(bytes: number): Buffer {
  const size = [21, 14, 7, 0].map((bits) => (bytes >> bits) & 127);
  return Buffer.concat([Buffer.from([...Buffer.from('ID3'), 3, 0, 0, ...size]), Buffer.alloc(bytes, 1)]);
}

const AUDIO = { 'content-type': 'audio/mpeg', 'icy-br': '128' };
const HLS = { 'content-type': 'application/vnd.apple.mpegurl' };
const list = (segments: number, end = '', seconds = 10): string =>
  `#EXTM3U\n#EXT-X-TARGETDURATION:${seconds}\n${`#EXTINF:${seconds},\n/plays\n`.repeat(segments)}${end}`;
/** What the station answers by path; the rest is 404. */
const ANSWERS: Readonly<
  Record<string, [status: number, headers: Record<string, string>, body: string | Buffer]>
> = {
  '/plays': [200, AUDIO, mp3Bytes(40_000)],
  '/short': [200, AUDIO, mp3Bytes(5000)],
  '/moved': [302, { location: '/plays' }, ''],
  '/list.m3u': [200, { 'content-type': 'audio/x-mpegurl' }, '#EXTM3U\n/moved\n'],
  '/to-silence.m3u': [200, { 'content-type': 'audio/x-mpegurl' }, 'http://silent.radio-haven.net/\n'],
  '/to-silence': [302, { location: 'http://silent.radio-haven.net/' }, ''],
  '/file.mp3': [200, { 'content-type': 'audio/mpeg' }, Buffer.concat([id3Tag(60_000), mp3Bytes(40_000)])],
  '/to-crowd.m3u': [200, { 'content-type': 'audio/x-mpegurl' }, 'http://crowded.radio-haven.net/\n'],
  '/page': [200, { 'content-type': 'text/html' }, '<!doctype html><title>Parked</title>'],
  '/secret': [403, {}, 'no'],
  '/abroad': [451, {}, ''],
  '/full': [503, { 'retry-after': '7200' }, ''],
  '/noise': [200, { 'content-type': 'audio/mpeg' }, Buffer.alloc(40_000, 7)],
  '/scrap': [200, AUDIO, Buffer.alloc(600, 7)],
  '/prose': [200, { 'content-type': 'text/plain' }, 'Nothing to hear. '.repeat(40)],
  '/live.m3u8': [200, HLS, '#EXTM3U\n#EXT-X-TARGETDURATION:5\n'],
  '/over.m3u8': [200, HLS, list(3, '#EXT-X-ENDLIST')],
  '/recording.m3u8': [200, HLS, list(50, '#EXT-X-ENDLIST')],
  '/in-short-pieces.m3u8': [200, HLS, list(1800, '#EXT-X-ENDLIST', 2)],
  '/on-air.m3u8': [200, HLS, list(3)],
};

before(async () => {
  database = await testDatabase();
  await database.pool.query(
    "INSERT INTO stations (id, name, name_key, popularity) VALUES (1, 'Town FM', 'town fm', 100000)",
  );
  server = createServer(({ url = '' }, response) => {
    const [status, headers, body] = ANSWERS[url] ?? [404, {}, ''];
    response.writeHead(status, headers).end(body);
  }).listen(0, '127.0.0.1');
  server.on('connection', () => (connections += 1));
  await once(server, 'listening');
  const address = server.address();
  assert.ok(typeof address === 'object' && address);
  ({ port } = address);
});
after(async () => {
  server.close();
  await database[Symbol.asyncDispose]();
});
beforeEach(async () => {
  await database.pool.query('TRUNCATE streams, stream_checks CASCADE');
  isOnline = true;
});

let isOnline = true;
// Names lead to this machine, and only names do; some lead nowhere.
const policy: Policy = {
  ...publicInternet,
  connectMs: 200,
  resolve: async (host, { signal }) => {
    if (!isOnline || host.startsWith('silent')) await once(signal, 'abort');
    if (host.includes('..')) throw Object.assign(new Error('no name at all'), { code: 'EBADNAME' });
    if (host.startsWith('unknown')) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    return ['127.0.0.1'];
  },
  isAllowed: (ip) => ip === '127.0.0.1',
};

/** Other workers ask one host all the time. */
const free = new HostLimiter(2, 100);
const hostLimiter: HostLimits = {
  take(host, waiting) {
    if (host.startsWith('crowded')) throw new HostBusy('others are asking it');
    return free.take(host, waiting);
  },
};

const job = (uplink = new UplinkMonitor(300)) =>
  probeJob(
    {
      pool: database.pool,
      fetcher: new SafeFetcher({ policy, hostLimiter }),
      clock: systemClock,
      log: createLog({ level: 'silent' }),
      chance: () => 0.5,
    },
    { concurrency: 20, uplink },
  );

let streams = 0;
async function addStream(path: string, host = `h${streams}.radio-haven.net`, at = port): Promise<number> {
  const id = (streams += 1);
  await database.pool.query(
    `INSERT INTO streams (id, station_id, address, address_key) VALUES ($1, 1, $2, gen_random_uuid())`,
    [id, `http://${host}:${at}${path}`],
  );
  await scheduleStreams(database.pool);
  return id;
}

const never = new AbortController().signal;
/** Listens to whatever is there, due or not, and says how that went. */
async function probe({ claim, work } = job()): Promise<string[]> {
  await database.pool.query('UPDATE stream_checks SET next_due_at = now(), claimed_at = NULL');
  const due = await claim(50);
  return Promise.all(due.map((row) => work(row, { stopping: never, cut: never })));
}

async function rowOf(id: number) {
  const { rows } = await database.pool.query(
    `SELECT verdict, format, codec, bitrate, playlist, resolved_address, redirects, failures, steps, standing, failure_code,
       claimed_at, checked_at, round(extract(epoch FROM next_due_at - now()))::int4 AS due_in
     FROM stream_checks WHERE stream_id = $1`,
    [id],
  );
  assert.ok(rows[0]);
  return rows[0];
}

const VERDICTS: [path: string, verdict: string, last: RegExp, code?: FailureCode][] = [
  ['/plays', 'plays', /^MPEG 1 Layer 3, 128 kbit\/s, 44100 Hz, (?:joint )?stereo in \d+ bytes$/],
  ['/short', 'plays', /then it ended$/],
  ['/file.mp3', 'plays', /^MPEG 1 Layer 3, 128 kbit\/s/],
  ['/nowhere', 'dead', /404/, 'http_404'],
  ['/page', 'dead', /page/, 'page'],
  ['/secret', 'refused', /403/, 'http_403'],
  ['/abroad', 'geo', /451/, 'geo'],
  ['/full', 'busy', /503/, 'busy'],
  ['/noise', 'codec', /no known audio format in \d+ bytes$/, 'unknown_codec'],
  ['/scrap', 'dead', /in \d+ bytes, then it ended$/, 'ended'],
  ['/prose', 'dead', /in \d+ bytes, then it ended$/, 'no_sound'],
  ['/live.m3u8', 'hls', /segments/, 'no_segments'],
  ['/on-air.m3u8', 'plays', /^MPEG 1 Layer 3/],
  ['/recording.m3u8', 'plays', /^MPEG 1 Layer 3/],
  ['/in-short-pieces.m3u8', 'plays', /^MPEG 1 Layer 3/],
  ['/over.m3u8', 'hls', /^MPEG 1 Layer 3.*, of a broadcast that has ended/, 'away'],
];

for (const [path, verdict, last, code] of VERDICTS)
  test(`${path}: ${verdict}, and the last step says why`, async () => {
    const id = await addStream(path);
    assert.deepEqual(await probe(), [verdict]);
    const row = await rowOf(id);
    assert.equal(row.verdict, verdict);
    assert.match(row.steps.at(-1).detail, last);
    assert.deepEqual([row.steps.at(-1).code, row.failure_code], [code, code ?? null]);
    assert.equal(row.steps[0].address, `http://h${id - 1}.radio-haven.net:${port}${path}`);
  });

const measuredOf = async (id: number) => {
  const { format, codec, bitrate, playlist, resolved_address: to, redirects, due_in: due } = await rowOf(id);
  return [format, codec, bitrate, playlist, to, redirects, due];
};

test('what is measured is written: format, codec, bitrate, redirects, and where a playlist leads', async () => {
  const [direct, moved, listed] = [
    await addStream('/plays'),
    await addStream('/moved'),
    await addStream('/list.m3u'),
  ];
  await probe();
  const sound = ['mp3', 'MPEG 1 Layer 3', 128] as const;
  assert.deepEqual(await measuredOf(direct), [...sound, null, null, 0, 3600]);
  assert.deepEqual(await measuredOf(moved), [...sound, null, null, 1, 3600]);
  const entry = `http://h${listed - 1}.radio-haven.net:${port}/moved`;
  assert.deepEqual(await measuredOf(listed), [...sound, 'm3u', entry, 1, 3600]);
});

test('one connection a stream, and Retry-After is kept', async () => {
  const soFar = connections;
  const id = await addStream('/full');
  await probe();
  assert.equal(connections - soFar, 1);
  assert.equal((await rowOf(id)).due_in, 7200);
});

test('a name that nobody has and a port that nobody listens at are the stream’s fault at once', async () => {
  await addStream('/', 'unknown.radio-haven.net');
  await addStream('/', 'closed.radio-haven.net', 1025);
  const started = performance.now();
  assert.deepEqual(await probe(job(new UplinkMonitor(60_000))), ['dead', 'dead']);
  assert.ok(performance.now() - started < 10_000);
});

test('a name that cannot be asked for is no name, and nobody’s uplink', async () => {
  const id = await addStream('/', 'radio..haven.net');
  assert.deepEqual(await probe(job(new UplinkMonitor(60_000))), ['dead']);
  assert.equal((await rowOf(id)).failure_code, 'no_name');
});

test('a worker whose uplink is down blames nobody, and listens again soon', async () => {
  const ids = [];
  for (let n = 0; n < 12; n += 1) ids.push(await addStream('/plays'));
  assert.ok((await probe()).every((word) => word === 'plays'));
  isOnline = false;
  assert.deepEqual(
    await probe(),
    ids.map(() => 'offline'),
  );
  const { verdict, failures, claimed_at, due_in, standing } = await rowOf(ids[0] ?? 0);
  assert.deepEqual([verdict, failures, claimed_at, standing], ['plays', 0, null, 75]);
  assert.ok(due_in >= 300 && due_in <= 600);
});

test('a stream that is silent while others are heard is dead', async () => {
  for (let n = 0; n < 8; n += 1) await addStream('/', `silent${n}.radio-haven.net`);
  await addStream('/plays');
  const words = await probe(job(new UplinkMonitor(60_000)));
  assert.deepEqual(words.toSorted(), [...Array.from({ length: 8 }, () => 'dead'), 'plays']);
});

test('streams whose own playlists and redirects answer say themselves that the uplink is up', async () => {
  for (let n = 0; n < 4; n += 1) await addStream(n % 2 === 0 ? '/to-silence.m3u' : '/to-silence');
  const started = performance.now();
  assert.deepEqual(await probe(job(new UplinkMonitor(20_000))), ['dead', 'dead', 'dead', 'dead']);
  assert.ok(performance.now() - started < 10_000, 'and wait for nobody else to say so');
});

test('who finds no seat comes again soon, and not so soon where a playlist was asked for it', async () => {
  const [direct, listed] = [
    await addStream('/', 'crowded.radio-haven.net'),
    await addStream('/to-crowd.m3u'),
  ];
  assert.deepEqual(await probe(), ['waits', 'waits']);
  assert.equal((await rowOf(direct)).due_in, 6);
  assert.equal((await rowOf(listed)).due_in, 450, 'no stream more often than every five minutes');
});

test('a check that does not fit its row keeps none of the others from being written', async () => {
  const [one, other] = [await addStream('/plays'), await addStream('/plays')];
  await database.pool.query(
    `ALTER TABLE stream_checks ADD CONSTRAINT odd CHECK (stream_id <> ${one} OR verdict IS NULL)`,
  );
  try {
    await probe();
  } finally {
    await database.pool.query('ALTER TABLE stream_checks DROP CONSTRAINT odd');
  }
  assert.deepEqual([(await rowOf(one)).verdict, (await rowOf(other)).verdict], [null, 'plays']);
});

test('menus hear of what checks found, and only then', async () => {
  await bumpCatalogue(database.pool);
  const version = await catalogueVersion(database.pool);
  assert.equal(await announceStreamNews(database.pool), 'nothing');
  await addStream('/plays');
  await probe();
  assert.equal(await announceStreamNews(database.pool), 'moved');
  assert.equal(await announceStreamNews(database.pool), 'nothing');
  assert.equal(await catalogueVersion(database.pool), version + 1);
});
