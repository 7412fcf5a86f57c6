import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempDisposableSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { portOf } from '../../servers/port-of.ts';
import { until } from '../../relay/radio.ts';
import { openTestRelay, type TestRelay } from '../../relay/test-relay.ts';

/** AAC at 48 kHz, 1,024 samples in 107 bytes: 40 kbit/s. */
const FRAME_BYTES = 107;
const SECOND_FRAMES = 47;
const MAX_SILENCE_MS = 8000;

/** A segment of packed AAC whose every frame tells which one it is. */
function soundOf(number: number, seconds = 1): Buffer {
  const frame = Buffer.alloc(FRAME_BYTES, 1);
  frame.set([0xff, 0xf1, 0x4c, 0x80, FRAME_BYTES >> 3, ((FRAME_BYTES & 7) << 5) | 0x1f, 0xfc]);
  frame.writeUInt32BE(number, 7);
  return Buffer.concat(Array.from({ length: seconds * SECOND_FRAMES }, () => frame));
}

/** Which segments were heard, one after the other; 0 is silence, whose frames are shorter. */
function segmentsIn(body: Buffer): number[] {
  const heard: number[] = [];
  for (let at = 0; at + 9 < body.length;) {
    const bytes = ((body[at + 3]! & 3) << 11) | (body[at + 4]! << 3) | (body[at + 5]! >> 5);
    assert.ok(body[at] === 0xff && bytes > 7, `no frame at ${at}`);
    if (at + bytes > body.length) break;
    const number = bytes === FRAME_BYTES ? body.readUInt32BE(at + 7) : 0;
    if (heard.at(-1) !== number) heard.push(number);
    at += bytes;
  }
  return heard;
}

const list = (lines: readonly string[], head: readonly string[] = [], target = 1): string =>
  ['#EXTM3U', `#EXT-X-TARGETDURATION:${target}`, ...head, ...lines, ''].join('\n');
const numbered = (first: number): readonly string[] => [`#EXT-X-MEDIA-SEQUENCE:${first}`];
const segments = (first: number, count: number, seconds = 1): string[] =>
  Array.from({ length: count }, (_none, n) => [`#EXTINF:${seconds},`, `${first + n}.aac`]).flat();
const rising = (first: number, count: number): number[] =>
  Array.from({ length: count }, (_none, n) => first + n);

/** Answers a request, if it has something to answer; any `/7.aac` has the sound of segment 7. */
type Answer = (request: IncomingMessage, response: ServerResponse, asked: string) => boolean | void;

describe('nothing that a station of HLS does stops the music', { concurrency: true }, () => {
  let relay: TestRelay;
  const started = performance.now();
  const seconds = (): number => Math.floor((performance.now() - started) / 1000);
  before(async () => {
    relay = await openTestRelay();
  });
  after(() => relay[Symbol.asyncDispose]());

  /** A station with segments of a second; what it answers otherwise, `answer` says. */
  async function hear(playlist: (call: number) => string | undefined, answer: Answer = () => false) {
    let calls = 0;
    const asked: string[] = [];
    const server = createServer((request, response) => {
      const [path = ''] = (request.url ?? '').split('?');
      asked.push(path);
      if (answer(request, response, path) === true) return;
      const [, number] = /^\/(\d+)\.aac$/.exec(path) ?? [];
      if (path === '/live.m3u8') {
        const text = playlist((calls += 1));
        response
          .writeHead(text === undefined ? 503 : 200, { 'content-type': 'application/vnd.apple.mpegurl' })
          .end(text);
      } else if (number === undefined) response.writeHead(404).end();
      else response.end(soundOf(Number(number)));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const radio = relay.radio(relay.list(`http://127.0.0.1:${portOf(server)}/live.m3u8`));
    return {
      radio,
      asked,
      heard: () => segmentsIn(radio.body),
      [Symbol.dispose]() {
        radio.socket.destroy();
        server.closeAllConnections();
        server.close();
      },
    };
  }

  test('4,500 segments in the list: it begins at their end', async () => {
    using station = await hear(() => list(segments(1 + seconds(), 4500), numbered(1 + seconds())));
    await until('six segments', () => station.heard().length >= 6);
    const heard = station.heard();
    assert.ok(heard[0]! >= 4498, `it began with ${heard[0]}`);
    assert.deepEqual(heard, rising(heard[0]!, heard.length));
  });

  test('no numbers at all, and a window that moves: followed by addresses, none twice and none missing', async () => {
    using station = await hear((call) =>
      list(segments(100 + seconds(), 15).map((line) => line.replace('.aac', `.aac?call=${call}`))),
    );
    await until('eight segments', () => station.heard().length >= 8);
    const heard = station.heard();
    assert.deepEqual(heard, rising(heard[0]!, heard.length));
  });

  test('a list that stands still: silence, heard again when it moves, and nothing twice', async () => {
    // It is called anew after three times what the list says, but at least fifteen seconds.
    let [tunedIn, movesMs] = [0, Infinity];
    const moving = (): number => Math.max(0, Math.floor((performance.now() - movesMs) / 1000));
    using station = await hear(
      () => list(segments(1 + moving(), 3), numbered(1 + moving())),
      ({ headers }, _response, path) => {
        if (path === '/live.m3u8' && headers['icy-metadata'] === '1') tunedIn += 1;
        if (tunedIn === 2) movesMs = Math.min(movesMs, performance.now() + 4000);
      },
    );
    await until('it moves again', () => station.heard().some((number) => number > 4));
    assert.ok(station.heard().includes(0), 'there was silence');
    assert.ok(station.radio.longestSilenceMs < MAX_SILENCE_MS, `${station.radio.longestSilenceMs} ms`);
    const sound = station.heard().filter((number) => number > 0);
    assert.deepEqual(sound, [...new Set(sound)]);
  });

  test('a list that says it has ended: heard once, silence, and heard again when the encoder is back', async () => {
    const isBack = (): boolean => station.heard().includes(0);
    using station = await hear(() =>
      isBack()
        ? list(segments(1 + seconds(), 15), numbered(1 + seconds()))
        : list([...segments(9000, 4), '#EXT-X-ENDLIST'], numbered(9000)),
    );
    await until('it is back', () => station.heard().length > 7);
    const [first, on] = [station.heard().slice(0, 4), station.heard().slice(4)];
    assert.deepEqual(first, [9001, 9002, 9003, 0]);
    assert.deepEqual(on, rising(on[0]!, on.length));
    assert.ok(station.radio.longestSilenceMs < MAX_SILENCE_MS, `${station.radio.longestSilenceMs} ms`);
  });

  test('a list that cannot be had now and then: nothing is missing, and nothing is heard twice', async () => {
    using station = await hear((call) =>
      call > 3 && call % 3 === 0 ? undefined : list(segments(200 + seconds(), 15), numbered(200 + seconds())),
    );
    await until('eight segments', () => station.heard().length >= 8);
    const heard = station.heard();
    assert.deepEqual(heard, rising(heard[0]!, heard.length));
  });

  test('a list that says its segments last no time: not asked for without a pause, and played in time', async () => {
    using station = await hear(() => list(segments(1 + seconds(), 15, 0), numbered(1 + seconds()), 0));
    const startMs = performance.now();
    await until('six segments', () => station.heard().length >= 6);
    const passed = (performance.now() - startMs) / 1000;
    const lists = station.asked.filter((path) => path === '/live.m3u8').length;
    assert.ok(lists < 4 + 3 * passed, `${lists} times in ${passed.toFixed(1)} s`);
    assert.ok(passed > 1, 'six seconds are not played at once');
  });

  test('connections that are cut between two segments: each is asked for once more', async () => {
    const cut = new Set<string>();
    const isHeard = (): boolean => station.radio.bytes > 0;
    using station = await hear(
      () => list(segments(300 + seconds(), 15), numbered(300 + seconds())),
      ({ socket }, _response, path) => {
        if (!path.endsWith('.aac') || cut.has(path) || !isHeard()) return false;
        cut.add(path);
        socket.destroy();
        return true;
      },
    );
    await until('six segments', () => station.heard().length >= 6);
    const heard = station.heard();
    assert.deepEqual(heard, rising(heard[0]!, heard.length));
  });

  test('a cookie that is set with the list, and one with a redirect to a segment: brought back with every call', async () => {
    const without: string[] = [];
    using station = await hear(
      () => list(segments(400 + seconds(), 15), numbered(400 + seconds())),
      ({ headers: { cookie = '' } }, response, path) => {
        if (path === '/live.m3u8') response.setHeader('set-cookie', ['pass=7; Path=/', 'way=2']);
        if (!path.endsWith('.aac')) return false;
        if (!cookie.includes('pass=7')) {
          without.push(path);
          response.writeHead(403).end();
          return true;
        }
        if (/edge=\w/.test(cookie)) return false;
        response.writeHead(302, { location: path, 'set-cookie': 'edge=a' }).end();
        return true;
      },
    );
    await until('six segments', () => station.heard().length >= 6);
    const heard = station.heard();
    assert.deepEqual(heard, rising(heard[0]!, heard.length));
    assert.deepEqual(without, []);
  });

  test('segments of thirty seconds: heard at once, in time, without a silence', async () => {
    using station = await hear(
      () => list(segments(1, 4, 30), numbered(1), 30),
      (_request, response, path) => {
        const [, number] = /^\/(\d+)\.aac$/.exec(path) ?? [];
        if (number === undefined) return false;
        response.end(soundOf(Number(number), 30));
        return true;
      },
    );
    await until('sound', () => station.radio.bytes > 0);
    await sleep(4000);
    const played = station.radio.bytes / (FRAME_BYTES * SECOND_FRAMES);
    assert.ok(played > 5 && played < 25, `${played.toFixed(1)} seconds of sound`);
    assert.deepEqual(station.heard(), [2]);
    assert.ok(station.radio.longestSilenceMs < MAX_SILENCE_MS);
  });

  test('a discontinuity with another rate and another map: byte for byte what ffmpeg copies of both', async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'longwave-maps-'));
    const ffmpeg = (...args: string[]): Buffer =>
      execFileSync('ffmpeg', ['-nostdin', '-loglevel', 'error', ...args], {
        cwd: folder.path,
        maxBuffer: 2 ** 24,
      });
    const parts = [48_000, 32_000].map((rate) => {
      const sound = ['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=${rate}:duration=4`, '-c:a', 'aac'];
      const kind = ['-f', 'hls', '-hls_time', '1', '-hls_segment_type', 'fmp4', '-hls_list_size', '0'];
      const names = ['-hls_fmp4_init_filename', `${rate}.mp4`, '-hls_segment_filename', `${rate}-%d.m4s`];
      ffmpeg(...sound, ...kind, ...names, `${rate}.m3u8`);
      const lines = readFileSync(join(folder.path, `${rate}.m3u8`), 'utf8').split('\n');
      return {
        lines: lines.filter((line) => /^#EXTINF|^#EXT-X-MAP|m4s$/.test(line)),
        sound: ffmpeg('-i', `${rate}.m3u8`, '-c', 'copy', '-f', 'adts', 'pipe:1'),
      };
    });
    const files = new Map(
      globSync('*.{mp4,m4s}', { cwd: folder.path }).map((name) => [
        `/${name}`,
        readFileSync(join(folder.path, name)),
      ]),
    );
    const [one = [], other = []] = parts.map(({ lines }) => lines);
    // It begins three segments before the end: at first there are no more.
    const firstThree = one.slice(0, 7);
    using station = await hear(
      (call) => list(call <= 3 ? firstThree : [...one, '#EXT-X-DISCONTINUITY', ...other], numbered(1)),
      (_request, response, path) => {
        const file = files.get(path);
        if (file) response.end(file);
        return file !== undefined;
      },
    );
    const expected = Buffer.concat(parts.map(({ sound }) => sound));
    await until('all of it', () => station.radio.bytes >= expected.length);
    assert.ok(station.radio.body.subarray(0, expected.length).equals(expected));
  });
});
