import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, localFetcher, serveRaw } from '../../../test/stations/serve-raw.ts';
import { mp3Frames, withTitles } from '../../../test/stations/sounds.ts';
import { identify } from '../../formats/audio/identify.ts';
import type { FailureCode, Verdict } from '../../lib/failure-code.ts';
import { TuneInFailed } from './tune-in-failed.ts';
import { tuneIn } from './tune-in.ts';
import { readSome } from './tuned-in.ts';

const SOUND = mp3Frames(40);
const http = (body: string | Buffer, ...headers: string[]): Buffer =>
  Buffer.concat([Buffer.from(['HTTP/1.0 200 OK', ...headers, '', ''].join('\r\n')), Buffer.from(body)]);
const redirect = (location: string, status = 302): string =>
  `HTTP/1.1 ${status} Found\r\nlocation: ${location}\r\n\r\n`;
const chunked = (body: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')]);
const M3U = 'content-type: audio/x-mpegurl';
const MEDIA =
  '#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:7\n#EXTINF:4,\na.aac\n#EXTINF:4,\nb.aac\n';

/** Goes on playing until the listener leaves. */
const live =
  (head: string, ...pieces: Buffer[]): Answer =>
  (socket) => {
    socket.write(head);
    for (const piece of pieces) socket.write(piece);
  };
const silent: Answer = (socket) => void socket.write('ICY 200 OK\r\ncontent-type: audio/mpeg\r\n\r\n');

const ANSWERS: Record<string, Answer> = {
  '/live.mp3': live('HTTP/1.0 200 OK\r\ncontent-type: audio/mpeg\r\nicy-br:128\r\n\r\n', SOUND),
  '/old': live(
    'ICY 200 OK\r\nicy-name: Old\r\nicy-metaint:1000\r\n\r\n',
    withTitles(SOUND, 1000, ["A - It's on", "A - It's on", 'B - Next']),
  ),
  '/chunked': Buffer.concat([
    Buffer.from('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'),
    chunked(SOUND),
  ]),
  '/moved': redirect('/moved-again', 301),
  '/moved-again': redirect('live.mp3'),
  '/far-5': redirect('/far-4'),
  '/far-4': redirect('/far-3'),
  '/far-3': redirect('/far-2'),
  '/far-2': redirect('/far-1'),
  '/far-1': redirect('/live.mp3'),
  '/list.m3u': http('#EXTM3U\n#EXTINF:-1,One\n/gone.mp3\n/live.mp3\n', M3U),
  '/list.pls': http('[playlist]\nFile1=http://radio.example.net:PORT/list.m3u\n'),
  '/open.m3u': live('HTTP/1.0 200 OK\r\ncontent-type: audio/x-mpegurl\r\n\r\n/live.mp3\n'),
  '/list.asx': http(
    '<ASX version=3><Entry><REF HREF="/live.mp3?a=1&b=2"></asx>',
    'content-type: video/x-ms-asf',
  ),
  '/live.mp3?a=1&b=2': live('HTTP/1.0 200 OK\r\n\r\n', SOUND),
  '/list.xspf': http(
    '<playlist><trackList><track><location>/live.mp3</location></track></trackList></playlist>',
  ),
  '/hls/master.m3u8': http(
    '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=128000,CODECS="mp4a.40.2"\nhigh.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=64000\nlow.m3u8\n',
  ),
  '/hls/low.m3u8': http(MEDIA, 'content-type: application/vnd.apple.mpegurl'),
  '/hls/a.aac': http(SOUND, 'content-type: audio/aac'),
  '/hls/fmp4.m3u8': http('#EXTM3U\n#EXT-X-MAP:URI="init.mp4"\n#EXTINF:4,\na.aac\n'),
  '/hls/init.mp4': http('INIT'),
};
const station = await serveRaw(ANSWERS);
after(() => station[Symbol.asyncDispose]());
ANSWERS['/list.pls'] = http(`[playlist]\nFile1=${station.address('/list.m3u')}\n`);
const fetcher = localFetcher();
const QUICK = { deadlineMs: 3000 };

async function untilClosed(): Promise<void> {
  for (let tries = 0; station.open > 0 && tries < 200; tries += 1) await sleep(5);
  assert.equal(station.open, 0, 'nothing stays connected');
}

const WAYS: [path: string, kind: string, whats: string, playlist?: string][] = [
  ['/live.mp3', 'http', 'connect answer audio'],
  ['/old', 'icy', 'connect answer audio titles'],
  ['/chunked', 'http', 'connect answer audio'],
  ['/moved', 'http', 'connect redirect connect redirect connect answer audio'],
  ['/far-5', 'http', `${'connect redirect '.repeat(5)}connect answer audio`],
  ['/list.m3u', 'http', 'connect answer playlist connect answer audio connect answer audio', 'm3u'],
  [
    '/list.pls',
    'http',
    'connect answer playlist connect answer playlist connect answer audio connect answer audio',
    'pls',
  ],
  ['/open.m3u', 'http', 'connect answer playlist connect answer audio', 'm3u'],
  ['/list.asx', 'http', 'connect answer playlist connect answer audio', 'asx'],
  ['/list.xspf', 'http', 'connect answer playlist connect answer audio', 'xspf'],
  ['/hls/low.m3u8', 'hls', 'connect answer hls connect answer segment'],
  ['/hls/master.m3u8', 'hls', 'connect answer hls connect answer hls connect answer segment'],
];
for (const [path, kind, whats, playlist] of WAYS) {
  test(`${path} is heard by ${whats}`, async () => {
    {
      using tuned = await tuneIn(fetcher, station.address(path), QUICK);
      assert.equal(tuned.steps.map(({ what }) => what).join(' '), whats);
      assert.deepEqual([tuned.kind, tuned.playlist, tuned.isSecure], [kind, playlist, false]);
      const { audio, bytes } = await readSome(tuned, 8000, 2000);
      assert.equal(audio.length, 8000);
      assert.ok(bytes >= 8000);
      assert.deepEqual(audio, SOUND.subarray(0, 8000), 'the sound is as it was sent');
      assert.deepEqual(await identify(audio), {
        format: 'mp3',
        codec: 'MPEG 1 Layer 3',
        container: 'MPEG',
        bitrate: 128,
        sampleRate: 44_100,
        channels: 2,
      });
    }
    await untilClosed();
  });
}

test('a player asks like a player, with titles or without', async () => {
  station.asked.length = 0;
  (await tuneIn(fetcher, station.address('/live.mp3')))[Symbol.dispose]();
  (await tuneIn(fetcher, station.address('/live.mp3'), { wantsTitles: false, userAgent: 'Box/2' }))[
    Symbol.dispose
  ]();
  const [first = '', second = ''] = station.asked;
  const host = new URL(station.address('/')).host;
  assert.equal(
    first,
    `GET /live.mp3 HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: longwave-test/1\r\nAccept: */*\r\nIcy-MetaData: 1\r\nConnection: close\r\n\r\n`,
  );
  assert.match(second, /\r\nUser-Agent: Box\/2\r\n/);
  assert.doesNotMatch(second, /icy-metadata/i);
});

test('titles are taken out of the sound, and the first of them can be enough', async () => {
  using tuned = await tuneIn(fetcher, station.address('/old'), QUICK);
  assert.deepEqual([tuned.metaint, tuned.headers.get('icy-name')], [1000, 'Old']);
  const first = await readSome(tuned, 100_000, 2000, true);
  assert.ok(first.titles.includes("A - It's on"));
  assert.equal(first.ended, 'enough');
  using whole = await tuneIn(fetcher, station.address('/old'), QUICK);
  const { audio, titles, ended } = await readSome(whole, 100_000, 300);
  assert.deepEqual([audio, titles, ended], [SOUND, ["A - It's on", 'B - Next'], 'late']);
});

test('a segment is the newest but one, behind what it has to begin with', async () => {
  using tuned = await tuneIn(fetcher, station.address('/hls/low.m3u8'), QUICK);
  const { mediaAddress, segment, targetSeconds, segments } = tuned.hls ?? assert.fail();
  assert.deepEqual([segment.sequence, targetSeconds, segments.length], [7, 4, 2]);
  assert.equal(mediaAddress, station.address('/hls/low.m3u8'));
  using mapped = await tuneIn(fetcher, station.address('/hls/fmp4.m3u8'), QUICK);
  const { audio, ended } = await readSome(mapped, 100_000, 2000);
  assert.deepEqual([audio, ended], [Buffer.concat([Buffer.from('INIT'), SOUND]), 'end']);
});

test('what a segment has to begin with may come from a server that never ends its answer', async () => {
  ANSWERS['/hls/open.m3u8'] = http('#EXTM3U\n#EXT-X-MAP:URI="open.mp4"\n#EXTINF:4,\na.aac\n');
  ANSWERS['/hls/open.mp4'] = live('HTTP/1.0 200 OK\r\n\r\n', Buffer.from('INIT'));
  using tuned = await tuneIn(fetcher, station.address('/hls/open.m3u8'), { deadlineMs: 1500 });
  assert.equal(tuned.hls?.map?.toString(), 'INIT');
});

test('a body ends where it says, and titles without end are enough', async () => {
  ANSWERS['/long'] = live('HTTP/1.1 200 OK\r\ncontent-length: 2000\r\n\r\n', SOUND);
  using tuned = await tuneIn(fetcher, station.address('/long'), QUICK);
  const { audio, ended } = await readSome(tuned, 100_000, 2000);
  assert.deepEqual([audio.length, ended], [2000, 'end']);
  const titles = Array.from({ length: 100 }, (_, index) => `${index} ${'x'.repeat(4000)}`);
  ANSWERS['/titles'] = live(
    'ICY 200 OK\r\nicy-metaint: 1\r\n\r\n',
    withTitles(SOUND.subarray(0, 100), 1, titles),
  );
  using flooded = await tuneIn(fetcher, station.address('/titles'), QUICK);
  const flood = await readSome(flooded, 1000, 2000);
  assert.equal(flood.ended, 'enough');
  assert.ok(flood.bytes < 200_000 && flood.titles.length <= 20, `${flood.bytes} bytes`);
});

test('of a playlist whose addresses all fail, the first is told', async () => {
  ANSWERS['/all-fail'] = http('/gone.mp3\n/private\n', M3U);
  ANSWERS['/private'] = page('403 Forbidden');
  await assert.rejects(tuneIn(fetcher, station.address('/all-fail')), { verdict: 'dead', message: /404/ });
});

test('a playlist of which one address found no seat says nothing of the stream', async () => {
  await using other = await serveRaw(ANSWERS);
  const there = other.address('/live.mp3').replace('radio.', 'ice.');
  using first = await tuneIn(fetcher, there);
  using second = await tuneIn(fetcher, there);
  assert.deepEqual([first.status, second.status], [200, 200]);
  ANSWERS['/full-house'] = http(`/gone.mp3\n${there}\n/private\n`, M3U);
  await assert.rejects(tuneIn(fetcher, station.address('/full-house'), { deadlineMs: 300 }), {
    code: 'ours',
    isOurs: true,
  });
});

const page = (status: string, body = '', ...headers: string[]): string =>
  [`HTTP/1.1 ${status}`, ...headers, '', body].join('\r\n');
const FAILURES: [name: string, answer: Answer, verdict: Verdict, code: FailureCode, why: RegExp][] = [
  ['not found', page('404 File Not Found'), 'dead', 'http_404', /404 File Not Found/],
  ['gone', page('410 Gone'), 'dead', 'http_404', /410/],
  ['broken', page('500 Oops'), 'dead', 'http_error', /500/],
  ['forbidden', page('403 Forbidden'), 'refused', 'http_403', /403/],
  ['private', page('401 Unauthorized'), 'refused', 'http_401', /401/],
  ['no HEAD please', page('400 Bad Request'), 'refused', 'http_refused', /400/],
  ['a station that is away', 'ICY 401 Service Unavailable\r\n\r\n', 'dead', 'away', /ICY 401/],
  ['a full server', 'ICY 400 Server Full\r\n\r\n', 'busy', 'busy', /Server Full/],
  ['a full mount', page('403 Forbidden', 'Too many clients connected to this mount.'), 'busy', 'busy', /403/],
  ['too many questions', page('429 Too Many Requests', '', 'retry-after: 120'), 'busy', 'busy', /429/],
  ['a lawyer', page('451 No'), 'geo', 'geo', /451/],
  [
    'a border',
    page('403 Forbidden', '<p>This stream is not available in your country</p>'),
    'geo',
    'geo',
    /403/,
  ],
  [
    'a border whose page does not end',
    live(page('403 Forbidden', '<p>This stream is not available in your country</p>')),
    'geo',
    'geo',
    /403/,
  ],
  ['a redirect abroad', redirect('/static/geoblocked.mp3'), 'geo', 'geo', /other countries/],
  ['a page', page('200 OK', '<!DOCTYPE html><html>', 'content-type: text/html'), 'dead', 'page', /web page/],
  [
    'a page without a name',
    page('200 OK', 'Hello, listeners', 'content-type: text/html'),
    'dead',
    'page',
    /web page/,
  ],
  ['an empty answer', page('200 OK', '', 'content-length: 0'), 'dead', 'empty', /sends no data/],
  ['no protocol', 'SSH-2.0-OpenSSH_9.2\r\n', 'dead', 'bad_answer', /neither HTTP nor ICY/],
  ['no answer', (socket) => socket.destroy(), 'dead', 'cut_off', /closed the connection|cut off/],
  ['a reset', (socket) => void socket.resetAndDestroy(), 'dead', 'cut_off', /cut off|closed the connection/],
  ['silence', silent, 'dead', 'late', /took longer than 300 ms/],
  ['silence before the head', () => undefined, 'dead', 'no_answer', /took longer than 300 ms/],
  ['redirects without end', redirect('?'), 'dead', 'too_many_redirects', /more than 5 redirects/],
  ['a redirect nowhere', live(redirect('http://[')), 'dead', 'bad_answer', /invalid target/],
  ['a redirect to a file', redirect('file:///etc/passwd'), 'dead', 'bad_address', /neither http/],
  [
    'a redirect inside',
    redirect('http://inside.example.net/'),
    'dead',
    'bad_address',
    /not on the public internet/,
  ],
  ['an empty playlist', http('#EXTM3U\n', M3U), 'dead', 'empty_playlist', /playlist is empty/],
  [
    'a playlist of files',
    http('[playlist]\nFile1=C:\\a.mp3\n'),
    'dead',
    'empty_playlist',
    /playlist is empty/,
  ],
  [
    'a playlist that names itself',
    http('self.m3u?x\n', M3U),
    'dead',
    'too_many_playlists',
    /more than 3 nested playlists/,
  ],
  [
    'HLS without segments',
    http('#EXTM3U\n#EXT-X-TARGETDURATION:4\n'),
    'hls',
    'no_segments',
    /has no segments/,
  ],
  [
    'HLS whose segments are gone',
    http('#EXTM3U\n#EXTINF:4,\n/gone.ts\n#EXT-X-ENDLIST'),
    'hls',
    'http_404',
    /404/,
  ],
  [
    'HLS that names itself',
    http('#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nself.m3u?x\n'),
    'hls',
    'too_many_playlists',
    /lead to each other/,
  ],
];
for (const [name, answer, verdict, code, why] of FAILURES) {
  test(`${name}: ${verdict}, ${code}`, async () => {
    ANSWERS['/fails'] = answer;
    ANSWERS['/self.m3u?x'] = answer;
    ANSWERS['/fails?'] = answer;
    ANSWERS['/?'] = answer;
    // Who is waited for gets a third of the time; all others are known long before theirs is over, however busy the machine is.
    const deadlineMs = why.source.includes('300 ms') ? 900 : 9000;
    const error = await tuneIn(fetcher, station.address('/fails'), { deadlineMs }).then(
      () => assert.fail('it was heard'),
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof TuneInFailed, String(error));
    assert.match(error.message, why);
    assert.deepEqual([error.verdict, error.code, error.isOurs], [verdict, code, false]);
    assert.equal(error.steps[0]?.what, 'connect');
    if (name === 'too many questions') assert.equal(error.retryAfterSeconds, 120);
    await untilClosed();
  });
}

test('nobody there: no name, no listener', async () => {
  await assert.rejects(tuneIn(fetcher, 'http://away.example.net/'), {
    verdict: 'dead',
    code: 'no_name',
    message: /host name does not exist/,
  });
  await using gone = await serveRaw({});
  const address = gone.address('/');
  await gone[Symbol.asyncDispose]();
  await assert.rejects(tuneIn(fetcher, address), {
    verdict: 'dead',
    code: 'refused_port',
    message: /nothing listens/,
  });
  await assert.rejects(tuneIn(fetcher, 'http://radio.example.net:6379/'), {
    verdict: 'dead',
    code: 'bad_address',
    isOurs: false,
  });
});

test('TLS that is none is a fault of its own', async () => {
  const address = station.address('/live.mp3').replace('http:', 'https:');
  await assert.rejects(tuneIn(fetcher, address, { deadlineMs: 5000 }), {
    verdict: 'tls',
    code: 'tls_old',
    isOurs: false,
  });
});

test('what is not the fault of the stream is said to be ours', async () => {
  using first = await tuneIn(fetcher, station.address('/live.mp3'));
  using second = await tuneIn(fetcher, station.address('/live.mp3'));
  assert.deepEqual([first.status, second.status], [200, 200]);
  await assert.rejects(tuneIn(fetcher, station.address('/live.mp3'), { deadlineMs: 200 }), {
    code: 'ours',
    isOurs: true,
  });
  const stopped = { signal: AbortSignal.timeout(50), deadlineMs: 3000 };
  ANSWERS['/fails'] = silent;
  second[Symbol.dispose]();
  await assert.rejects(tuneIn(fetcher, station.address('/fails'), stopped), { isOurs: true });
});

test('the signal ends a stream that is being heard, and so does disposing of it', async () => {
  const stop = new AbortController();
  using tuned = await tuneIn(fetcher, station.address('/live.mp3'), { signal: stop.signal });
  setTimeout(() => stop.abort(), 30);
  assert.equal((await readSome(tuned, 10_000_000, 5000)).ended, 'broken');
  using other = await tuneIn(fetcher, station.address('/live.mp3'));
  setTimeout(() => other[Symbol.dispose](), 30);
  assert.equal((await readSome(other, 10_000_000, 5000)).ended, 'end');
});
