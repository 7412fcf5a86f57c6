import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createCipheriv, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { globSync, mkdtempDisposableSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { SafeFetcher } from '../../../net/fetch/fetch-safely.ts';
import { operatorsChoice } from '../../../net/fetch/policy.ts';
import { TuneInFailed } from '../../../net/tuner/tune-in-failed.ts';
import { portOf } from '../../../../test/servers/port-of.ts';
import { HlsSource } from './hls-source.ts';

/** A segment of packed AAC whose sound tells which one it is. */
const soundOf = (number: number): Buffer => {
  const frame = Buffer.alloc(107, number % 256);
  frame.set([0xff, 0xf1, 0x4c, 0x80, 107 >> 3, ((107 & 7) << 5) | 0x1f, 0xfc]);
  frame.writeUInt32BE(number, 7);
  return Buffer.concat([frame, frame]);
};

const SECOND_FRAMES = 46;
const secondOf = (number: number): Buffer =>
  Buffer.concat(Array.from({ length: SECOND_FRAMES / 2 }, () => soundOf(number)));

const numbersIn = (bytes: Buffer): number[] => {
  const numbers: number[] = [];
  for (let at = 0; at + 214 <= bytes.length; at += 214) numbers.push(bytes.readUInt32BE(at + 7));
  return numbers;
};

type Answer = (request: IncomingMessage, response: ServerResponse) => void;
type Station = (address: (path: string) => string) => Record<string, string | Buffer | Answer>;

/** Follows a station until there is enough, and gives what was heard. */
async function follow(
  t: TestContext,
  station: Station,
  enough: (heard: Buffer) => boolean,
  path = '/live.m3u8',
) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const answer = answers[(request.url ?? '').split('?', 1)[0] ?? ''];
    if (answer === undefined) response.writeHead(404).end();
    else if (typeof answer === 'function') answer(request, response);
    else response.end(answer);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => void server.close());
  const address = (to: string): string => `http://127.0.0.1:${portOf(server)}${to}`;
  const answers = station(address);
  const ending = new AbortController();
  const heard: Buffer[] = [];
  const seen = { begins: 0, missed: 0, titles: [] as string[] };
  const source = new HlsSource(
    {
      fetcher: new SafeFetcher({ policy: operatorsChoice }),
      address: address(path),
      headers: { 'user-agent': 'test' },
      signal: ending.signal,
    },
    {
      begins: () => (seen.begins += 1),
      body: (piece) => heard.push(piece),
      title: (title) => seen.titles.push(title),
      missed: () => (seen.missed += 1),
    },
  );
  const running = source.run();
  const watch = (async () => {
    while (!enough(Buffer.concat(heard))) await sleep(10, undefined, { signal: ending.signal });
    ending.abort();
  })().catch(() => undefined);
  try {
    await Promise.race([running, watch.then(() => running)]);
  } finally {
    ending.abort();
  }
  const bytes = Buffer.concat(heard);
  return { bytes, numbers: numbersIn(bytes), asked, ...seen };
}

const list = (first: number | string, lines: readonly string[], ...head: string[]): string =>
  ['#EXTM3U', '#EXT-X-TARGETDURATION:1', `#EXT-X-MEDIA-SEQUENCE:${first}`, ...head, ...lines].join('\n');
const segments = (first: number, count: number): string[] =>
  Array.from({ length: count }, (_none, n) => [`#EXTINF:0.3,`, `${first + n}.aac`]).flat();
const files = (first: number, count: number): Record<string, Buffer> =>
  Object.fromEntries(Array.from({ length: count }, (_none, n) => [`/${first + n}.aac`, soundOf(first + n)]));
const hasAtLeast =
  (count: number) =>
  (heard: Buffer): boolean =>
    numbersIn(heard).length >= count;
const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_none, n) => from + n);

test('begins three segments behind the newest, and goes on by number without a gap', async (t) => {
  let first = 100;
  const live: Answer = (_request, response) => {
    response.end(list(first, segments(first, 6)));
    first += 2;
  };
  const { numbers, begins } = await follow(
    t,
    () => ({ '/live.m3u8': live, ...files(100, 40) }),
    hasAtLeast(8),
  );
  assert.deepEqual(numbers.slice(0, 8), range(103, 110));
  assert.equal(begins, 1);
});

for (const [what, numbered] of Object.entries({
  'microseconds, more than a number can hold': (first: number) =>
    `${17_000_000_000_000_000n + BigInt(first)}`,
  'a number behind a space': (first: number) => ` ${first}`,
}))
  test(`a window that moves, counted by ${what}: it goes on without a gap`, async (t) => {
    let first = 100;
    const live: Answer = (_request, response) => {
      response.end(list(numbered(first), segments(first, 6)));
      first += 1;
    };
    const { numbers } = await follow(t, () => ({ '/live.m3u8': live, ...files(100, 40) }), hasAtLeast(6));
    assert.deepEqual(numbers.slice(0, 6), range(103, 108));
  });

test('of several qualities the best, wherever the list was moved to', async (t) => {
  const master =
    '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nlow.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=2\nhigh.m3u8\n';
  const { asked, numbers } = await follow(
    t,
    (address) => ({
      '/live.m3u8': (_request, response) => {
        response.writeHead(302, { location: address('/moved/master.m3u8') }).end();
      },
      '/moved/master.m3u8': master,
      '/moved/high.m3u8': list(1, segments(1, 3)),
      ...Object.fromEntries(Object.entries(files(1, 3)).map(([path, bytes]) => [`/moved${path}`, bytes])),
    }),
    hasAtLeast(3),
  );
  assert.deepEqual(numbers, [1, 2, 3]);
  assert.ok(!asked.includes('/moved/low.m3u8'));
});

const quality = (bandwidth: number, path: string): string =>
  `#EXT-X-STREAM-INF:BANDWIDTH=${bandwidth}\n${path}\n`;

test('where the list of the best quality cannot be had, the next one is heard', async (t) => {
  const { numbers, asked } = await follow(
    t,
    () => ({
      '/live.m3u8': `#EXTM3U\n${quality(1, 'low.m3u8')}${quality(3, 'gone.m3u8')}${quality(2, 'high.m3u8')}`,
      '/high.m3u8': list(1, segments(1, 3)),
      ...files(1, 3),
    }),
    hasAtLeast(3),
  );
  assert.deepEqual(numbers, [1, 2, 3]);
  assert.deepEqual(asked.slice(0, 3), ['/live.m3u8', '/gone.m3u8', '/high.m3u8']);
});

test('a segment that is missing is asked for once more, counted and left out', async (t) => {
  const { '/2.aac': _gone, ...there } = files(1, 3);
  const { numbers, missed, asked } = await follow(
    t,
    () => ({ '/live.m3u8': list(1, segments(1, 3)), ...there }),
    hasAtLeast(2),
  );
  assert.deepEqual(numbers, [1, 3]);
  assert.equal(missed, 1);
  assert.equal(asked.filter((path) => path === '/2.aac').length, 2);
});

test('segments of a second in a list that says more: each is heard in time, whatever it says', async (t) => {
  const heads = [
    { target: 30, inf: '#EXTINF:1.0,\n' },
    { target: 600, inf: '#EXTINF:1.0,\n' },
    { target: 600, inf: '' },
  ];
  const hear = async ({ target, inf }: (typeof heads)[number]): Promise<void> => {
    const startMs = performance.now();
    const seconds = (): number => Math.floor((performance.now() - startMs) / 1000);
    const live: Answer = (_request, response) => {
      const lines = range(100 + seconds(), 105 + seconds()).map((number) => `${inf}${number}.aac`);
      response.end(list(100 + seconds(), lines).replace('DURATION:1', `DURATION:${target}`));
    };
    const sound = Object.fromEntries(range(100, 130).map((number) => [`/${number}.aac`, secondOf(number)]));
    const { numbers } = await follow(
      t,
      () => ({ '/live.m3u8': live, ...sound }),
      () => seconds() >= 8,
    );
    const heard = [...new Set(numbers)];
    assert.deepEqual(heard, range(103, 102 + heard.length));
    assert.ok(heard.length >= 9, `${heard.length} segments in 8 s`);
  };
  await Promise.all(heads.map(hear));
});

test('numbers that begin again are a new start', async (t) => {
  let asked = 0;
  const live: Answer = (_request, response) => {
    asked += 1;
    response.end(asked <= 2 ? list(500, segments(500, 3)) : list(1, segments(1, 3)));
  };
  const { numbers } = await follow(
    t,
    () => ({ '/live.m3u8': live, ...files(500, 3), ...files(1, 3) }),
    hasAtLeast(6),
  );
  assert.deepEqual(numbers, [500, 501, 502, 1, 2, 3]);
});

test('AES-128, with a vector and with the number of the segment', async (t) => {
  const key = randomBytes(16);
  const iv = randomBytes(16);
  const encrypt = (bytes: Buffer, vector: Buffer): Buffer => {
    const cipher = createCipheriv('aes-128-cbc', key, vector);
    return Buffer.concat([cipher.update(bytes), cipher.final()]);
  };
  const byNumber = Buffer.alloc(16);
  byNumber.writeUInt32BE(8, 12);
  const lines = [
    `#EXT-X-KEY:METHOD=AES-128,URI="key",IV=0x${iv.toString('hex')}`,
    '#EXTINF:0.3,',
    '7.aac',
    '#EXT-X-KEY:METHOD=AES-128,URI="key"',
    '#EXTINF:0.3,',
    '8.aac',
  ];
  const { numbers, asked } = await follow(
    t,
    () => ({
      '/live.m3u8': list(7, lines),
      '/key': key,
      '/7.aac': encrypt(soundOf(7), iv),
      '/8.aac': encrypt(soundOf(8), byNumber),
    }),
    hasAtLeast(2),
  );
  assert.deepEqual(numbers, [7, 8]);
  assert.equal(asked.filter((path) => path === '/key').length, 1);
});

test('AES-128 of fMP4: the key before a map is that of the map too, unless the map is plain to read', async (t) => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'longwave-keys-'));
  const ffmpeg = (...args: string[]): Buffer =>
    execFileSync('ffmpeg', ['-nostdin', '-loglevel', 'error', ...args], { cwd: folder.path });
  const sound = ['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000:duration=1', '-c:a', 'aac'];
  ffmpeg(...sound, '-f', 'hls', '-hls_time', '0.4', '-hls_segment_type', 'fmp4', 'live.m3u8');
  const expected = ffmpeg('-i', 'live.m3u8', '-c', 'copy', '-f', 'adts', 'pipe:1');
  const made = globSync('*.{mp4,m4s}', { cwd: folder.path }).map(
    (name) => [`/${name}`, readFileSync(join(folder.path, name))] as const,
  );
  const lines = readFileSync(join(folder.path, 'live.m3u8'), 'utf8')
    .split('\n')
    .filter((line) => /^#EXTINF|m4s$/.test(line));
  const [key, iv] = [randomBytes(16), randomBytes(16)];
  const keyLine = `#EXT-X-KEY:METHOD=AES-128,URI="key",IV=0x${iv.toString('hex')}`;
  const mapLine = '#EXT-X-MAP:URI="init.mp4"';
  for (const { head, isMapPlain } of [
    { head: [keyLine, mapLine], isMapPlain: false },
    { head: [keyLine, mapLine], isMapPlain: true },
    { head: [mapLine, keyLine], isMapPlain: true },
  ]) {
    const sent = made.map(([path, bytes]) => {
      const cipher = createCipheriv('aes-128-cbc', key, iv);
      const isPlain = isMapPlain && path === '/init.mp4';
      return [path, isPlain ? bytes : Buffer.concat([cipher.update(bytes), cipher.final()])] as const;
    });
    const { bytes, missed } = await follow(
      t,
      () => ({ '/live.m3u8': list(1, lines, ...head), '/key': key, ...Object.fromEntries(sent) }),
      (heard) => heard.length >= expected.length,
    );
    assert.equal(missed, 0);
    assert.ok(bytes.equals(expected), `${bytes.length} of ${expected.length} bytes`);
  }
});

const nearBy: Answer = (_request, response) => response.writeHead(302, { location: '/near.aac' }).end();

test('parts of one file, also where the server sends the whole, or sends on to one near by', async (t) => {
  const whole = Buffer.concat([soundOf(1), soundOf(2), soundOf(3)]);
  const asked: string[] = [];
  const part = ['#EXT-X-BYTERANGE:214', 'all.aac'];
  const lines = ['#EXT-X-BYTERANGE:214@0', 'all.aac', ...part, ...part];
  const parts: Answer = ({ headers }, response) => {
    const [, from, to] = /bytes=(\d+)-(\d+)/.exec(headers.range ?? '') ?? [];
    asked.push(`${headers['user-agent']} ${headers.range}`);
    response.writeHead(206).end(whole.subarray(Number(from), Number(to) + 1));
  };
  for (const file of [parts, whole, nearBy]) {
    const station = { '/live.m3u8': list(1, lines), '/all.aac': file, '/near.aac': parts };
    const { numbers } = await follow(t, () => station, hasAtLeast(3));
    assert.deepEqual(numbers, [1, 2, 3]);
  }
  const each = ['test bytes=0-213', 'test bytes=214-427', 'test bytes=428-641'];
  assert.deepEqual(asked, [...each, ...each], 'the one near by hears who asks, and for what');
});

test('titles come from the list or from the segment', async (t) => {
  const said = [
    'Ana Moura - Fado',
    '',
    'no desc',
    String.raw`title="First Light",artist="The Example Duo",url="song_spot=\"M\""`,
    String.raw`title="Corner Shop",artist="Agency",url="song_spot=\"T\""`,
    'title="Dawn"',
  ];
  const listed = said.map((title, n) => `#EXTINF:0.3,${title}\n${n + 1}.aac`);
  let first = 0;
  // Three segments at first, and then one more each time.
  const live: Answer = (_request, response) => {
    response.end(list(1, listed.slice(0, 3 + first)));
    first += 1;
  };
  const { titles } = await follow(t, () => ({ '/live.m3u8': live, ...files(1, 6) }), hasAtLeast(6));
  assert.deepEqual(titles, ['Ana Moura - Fado', 'The Example Duo - First Light', 'Dawn']);
});

test('a key that cannot be had once is asked for again', async (t) => {
  const key = randomBytes(16);
  let asked = 0;
  const keys: Answer = (_request, response) => {
    asked += 1;
    if (asked === 1) response.writeHead(503).end();
    else response.end(key);
  };
  const encrypted = (number: number): Buffer => {
    const iv = Buffer.alloc(16);
    iv.writeUInt32BE(number, 12);
    const cipher = createCipheriv('aes-128-cbc', key, iv);
    return Buffer.concat([cipher.update(soundOf(number)), cipher.final()]);
  };
  const { numbers, missed } = await follow(
    t,
    () => ({
      '/live.m3u8': list(1, segments(1, 3), '#EXT-X-KEY:METHOD=AES-128,URI="key"'),
      '/key': keys,
      '/1.aac': encrypted(1),
      '/2.aac': encrypted(2),
      '/3.aac': encrypted(3),
    }),
    hasAtLeast(2),
  );
  assert.deepEqual([numbers, missed], [[2, 3], 1]);
});

test('where no segment can be had or played for a while, the station is away, and nobody waits for ever', async (t) => {
  let first = 1;
  const live: Answer = (_request, response) => {
    first += 1;
    response.end(list(first, segments(first, 3), '#EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://x"'));
  };
  await assert.rejects(
    follow(
      t,
      () => ({ '/live.m3u8': live }),
      () => false,
    ),
    /nothing new that can be played/,
  );
});

for (const [what, answer] of Object.entries({
  'a list that has ended': `${list(1, segments(1, 2))}\n#EXT-X-ENDLIST\n`,
  'a list that leads nowhere': '#EXTM3U\n',
  'a page': '<html>',
}))
  test(`${what} is a station that is away`, async (t) => {
    await assert.rejects(
      follow(
        t,
        () => ({ '/live.m3u8': answer, ...files(1, 2) }),
        () => false,
      ),
      (error) => error instanceof TuneInFailed,
    );
  });

test('what it is told to fetch goes by the same rules as everything: nothing inside', async () => {
  const source = new HlsSource(
    {
      fetcher: new SafeFetcher(),
      address: 'http://127.0.0.1/live.m3u8',
      headers: {},
      signal: AbortSignal.timeout(5000),
    },
    { begins: () => undefined, body: () => undefined, title: () => undefined, missed: () => undefined },
  );
  await assert.rejects(source.run(), /not on the public internet/);
});
