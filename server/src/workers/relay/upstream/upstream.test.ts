import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { SafeFetcher } from '../../../net/fetch/fetch-safely.ts';
import { operatorsChoice } from '../../../net/fetch/policy.ts';
import { until } from '../../../../test/relay/radio.ts';
import { openTestRelay } from '../../../../test/relay/test-relay.ts';
import { portOf } from '../../../../test/servers/port-of.ts';
import { pauseMs, Upstream } from './upstream.ts';

const FRAME_BYTES = 107;

/** A segment of two frames of AAC whose sound tells which one it is. */
function soundOf(number: number): Buffer {
  const frame = Buffer.alloc(FRAME_BYTES, 1);
  frame.set([0xff, 0xf1, 0x4c, 0x80, FRAME_BYTES >> 3, ((FRAME_BYTES & 7) << 5) | 0x1f, 0xfc]);
  frame.writeUInt32BE(number, 7);
  return Buffer.concat([frame, frame]);
}

/** An encoder that died: its list and its segments are there, and nothing more comes. */
const ended = (first: number, count: number, name = ''): string =>
  [
    '#EXTM3U',
    '#EXT-X-TARGETDURATION:1',
    `#EXT-X-MEDIA-SEQUENCE:${first}`,
    ...Array.from({ length: count }, (_none, n) => `#EXTINF:0.3,\n${name}${first + n}.aac`),
    '#EXT-X-ENDLIST',
    '',
  ].join('\n');
const master = (bandwidth: number, list: string): string =>
  `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=${bandwidth}\n${list}\n`;
const answerWith = (response: ServerResponse, text: string): void =>
  void response.writeHead(200, { 'content-type': 'application/vnd.apple.mpegurl' }).end(text);

/** What a station answers, by path and by how often it was called before; a segment is its number in any folder. */
type Says = (path: string, call: number) => string | { location: string } | undefined;

/** Listens to `/live` of a station until it was called so often, or gives up. */
async function listen(t: TestContext, says: Says, calls: number) {
  const ending = new AbortController();
  let called = 0;
  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?', 1);
    // The list is asked for once to find out what the station is, and once to follow it.
    const isCall = path === '/live' && request.headers['icy-metadata'] === '1';
    if (isCall) called += 1;
    if (called > calls) return ending.abort();
    const said = says(path, called);
    const [, number] = /(\d+)\.aac$/.exec(path) ?? [];
    if (typeof said === 'string') answerWith(response, said);
    else if (said) response.writeHead(302, said).end();
    else if (number === undefined) response.writeHead(404).end();
    else response.end(soundOf(Number(number)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const heard: Buffer[] = [];
  let begins = 0;
  const upstream = new Upstream(
    {
      fetcher: new SafeFetcher({ policy: operatorsChoice }),
      address: `http://127.0.0.1:${portOf(server)}/live`,
      headers: [],
      userAgent: 'test',
      signal: ending.signal,
    },
    {
      begins: () => void (begins += 1),
      body: (piece) => {
        upstream.heard(performance.now());
        return heard.push(Buffer.from(piece)) > 0;
      },
      title: () => undefined,
      missed: () => undefined,
      lost: () => undefined,
    },
  );
  await upstream.run();
  const bytes = Buffer.concat(heard);
  const numbers: number[] = [];
  for (let at = 0; at < bytes.length; at += 2 * FRAME_BYTES) numbers.push(bytes.readUInt32BE(at + 7));
  return { numbers, begins };
}

test('a station that is away for two seconds is called before the third is over, however the pauses vary', (t) => {
  const thrown = [0, 0.4, 0.999];
  let [game, atMs, tries] = [0, 0, 0];
  t.mock.method(Math, 'random', () => thrown[Math.floor(game / thrown.length ** tries) % thrown.length]);
  for (; game < thrown.length ** 7; game += 1) {
    [atMs, tries] = [0, 0];
    for (; atMs < 2000; tries += 1) atMs += pauseMs(tries);
    if (atMs > 2900) assert.fail(`called after ${atMs} ms`);
  }
});

test('a list that has ended is heard once, and is silence after that', async (t) => {
  const { numbers, begins } = await listen(t, (path) => (path === '/live' ? ended(100, 4) : undefined), 4);
  assert.deepEqual(numbers, [101, 102, 103]);
  assert.equal(begins, 1);
});

test('where it goes on it is heard on, from near its end', async (t) => {
  const lists = [ended(100, 4), ended(100, 4), ended(102, 4), ended(102, 40)];
  const { numbers, begins } = await listen(
    t,
    (path, call) => (path === '/live' ? (lists[call - 1] ?? lists[3]) : undefined),
    5,
  );
  assert.deepEqual(numbers, [101, 102, 103, 104, 105, 139, 140, 141]);
  assert.equal(begins, 3);
});

test('numbers that begin again are new sound, though segments were heard that had them', async (t) => {
  const lists = [ended(0, 3), ended(100, 3), ended(0, 3)];
  const { numbers } = await listen(
    t,
    (path, call) => (path === '/live' ? (lists[call - 1] ?? lists[2]) : undefined),
    5,
  );
  assert.deepEqual(numbers, [0, 1, 2, 100, 101, 102, 0, 1, 2]);
});

test('a list without numbers is known by its addresses', async (t) => {
  const list = ended(100, 4).replace(/#EXT-X-MEDIA-SEQUENCE.*\n/, '');
  const { numbers } = await listen(
    t,
    (path, call) => (path === '/live' ? list.replaceAll('.aac', `.aac?call=${call}`) : undefined),
    4,
  );
  assert.deepEqual(numbers, [101, 102, 103]);
});

test('a station that has other addresses for each call is not heard again for that', async (t) => {
  const { numbers } = await listen(
    t,
    (path, call) => {
      if (path === '/live') return { location: `/${call}/master.m3u8` };
      if (path.endsWith('master.m3u8')) return master(1000, `w${call}.m3u8`);
      return path.endsWith('.m3u8') ? ended(100, 4, `w${call}-`) : undefined;
    },
    4,
  );
  assert.deepEqual(numbers, [101, 102, 103]);
});

test('what was heard of one address says nothing of another, or of another quality', async (t) => {
  const byPlaylist = ['#EXTM3U\n/a.m3u8\n', '#EXTM3U\n/b.m3u8\n'];
  const byQuality = [master(1000, 'a.m3u8'), master(2000, 'b.m3u8')];
  for (const [first, later] of [byPlaylist, byQuality]) {
    const { numbers } = await listen(
      t,
      (path, call) => {
        if (path === '/live') return call === 1 ? first : later;
        if (path === '/a.m3u8') return ended(100, 4);
        return path === '/b.m3u8' ? ended(100, 4, 'other/9') : undefined;
      },
      4,
    );
    assert.deepEqual(numbers, [101, 102, 103, 9101, 9102, 9103]);
  }
});

test('a segment that could not be had is asked for again by the next call', async (t) => {
  const { numbers } = await listen(
    t,
    (path, call) => {
      if (path === '/live') return ended(100, 4);
      return path === '/103.aac' && call < 3 ? { location: '/gone' } : undefined;
    },
    4,
  );
  assert.deepEqual(numbers, [101, 102, 103]);
});

test('Opus of 24 kbit/s from a server that sends nothing ahead: heard within two seconds, and not called again', async () => {
  const tone = ['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000:duration=20'];
  const encode = ['-c:a', 'libopus', '-b:a', '24k', '-f', 'ogg', 'pipe:1'];
  const sound = execFileSync('ffmpeg', ['-nostdin', '-loglevel', 'error', ...tone, ...encode]);
  await using relay = await openTestRelay();
  const studio = await relay.studio((socket) => {
    socket.write('HTTP/1.0 200 OK\r\nContent-Type: audio/ogg\r\n\r\n');
    let sent = 0;
    const timer = setInterval(() => socket.write(sound.subarray(sent, (sent += 300))), 100);
    socket.on('close', () => clearInterval(timer));
  });
  using radio = relay.radio(studio.id);
  await until('the station is called', () => studio.heads.length > 0);
  await until('sound', () => radio.bytes > 0, 2000);
  // Without sound it would be called again after five seconds.
  await sleep(6000);
  assert.equal(studio.heads.length, 1);
  assert.ok(radio.body.length > 15_000, `${radio.body.length} bytes`);
  assert.deepEqual(radio.body, sound.subarray(0, radio.body.length));
});
