import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  absolute,
  chooseSegment,
  type MasterPlaylist,
  type MediaPlaylist,
  MAX_SEGMENTS,
  parseHls,
} from './parse-hls.ts';

const BASE = 'https://radio.example.net/hls/live.m3u8?key=1';

function master(...lines: string[]): MasterPlaylist {
  const playlist = parseHls(['#EXTM3U', ...lines].join('\n'), BASE);
  return playlist?.kind === 'master' ? playlist : assert.fail();
}

function media(...lines: string[]): MediaPlaylist {
  const playlist = parseHls(['#EXTM3U', ...lines].join('\r\n'), BASE);
  return playlist?.kind === 'media' ? playlist : assert.fail();
}

test('a list of qualities', () => {
  const playlist = master(
    '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aac, low",NAME="x",URI="apart.m3u8"',
    '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",URI="s.m3u8"',
    '#EXT-X-STREAM-INF:BANDWIDTH=2000000,RESOLUTION=640x360,CODECS="avc1.4d401e, mp4a.40.2",AUDIO="aac, low"',
    'video.m3u8',
    '#EXT-X-STREAM-INF: BANDWIDTH=64000 ,CODECS="mp4a.40.5"',
    '/low.m3u8',
    'no-quality.m3u8',
    '#EXT-X-STREAM-INF:BANDWIDTH=x',
    'file:///etc/passwd',
  );
  assert.deepEqual(playlist.renditions, [
    { address: 'https://radio.example.net/hls/apart.m3u8', group: 'aac, low' },
  ]);
  assert.deepEqual(playlist.variants, [
    {
      address: 'https://radio.example.net/hls/video.m3u8',
      bandwidth: 2_000_000,
      codecs: ['avc1.4d401e', 'mp4a.40.2'],
      hasPicture: true,
      audioGroup: 'aac, low',
    },
    {
      address: 'https://radio.example.net/low.m3u8',
      bandwidth: 64_000,
      codecs: ['mp4a.40.5'],
      hasPicture: false,
    },
  ]);
});

const address = (name: string): string => `https://radio.example.net/hls/${name}`;

test('a list of segments', () => {
  const playlist = media(
    '#EXT-X-TARGETDURATION:6',
    '#EXT-X-MEDIA-SEQUENCE:41',
    '#EXT-X-KEY:METHOD=AES-128,URI="k"',
    '#EXT-X-MAP:URI="init.mp4"',
    '#EXT-X-PROGRAM-DATE-TIME:2026-11-15T12:00:00.000Z',
    '#EXTINF:6.5,title="x",artist="y"',
    'a.ts',
    '#EXT-X-DATERANGE:ID="ad\u202e1",START-DATE="2026-11-15T12:00:03Z",DURATION=30,X-TITLE="Spot"',
    '#EXT-X-DATERANGE:ID="no start"',
    '#EXTINF:6.0,',
    '# a remark',
    'b.ts',
    'c.ts',
    '#EXT-X-ENDLIST',
  );
  const { segments, ...said } = playlist;
  const at = Date.parse('2026-11-15T12:00:00Z');
  const key = { address: address('k') };
  const before = { map: { address: address('init.mp4'), key }, key };
  assert.deepEqual(segments, [
    {
      address: address('a.ts'),
      sequence: 41,
      seconds: 6.5,
      title: 'title="x",artist="y"',
      atMs: at,
      ...before,
    },
    { address: address('b.ts'), sequence: 42, seconds: 6, atMs: at + 6500, ...before },
    { address: address('c.ts'), sequence: 43, seconds: 6, atMs: at + 12_500, ...before },
  ]);
  assert.deepEqual(said, {
    kind: 'media',
    targetSeconds: 6,
    mapAddress: address('init.mp4'),
    isEncrypted: true,
    hasEnded: true,
  });
  assert.equal(chooseSegment(playlist)?.sequence, 42);
});

test('a gap is not chosen where there is sound', () => {
  const gap = ['#EXT-X-GAP', 'gap.ts'];
  assert.equal(chooseSegment(media('a.ts', 'b.ts', ...gap, ...gap))?.address, address('a.ts'));
  assert.equal(chooseSegment(media(...gap))?.address, address('gap.ts'));
});

test('what is wrong or missing is passed over', () => {
  const playlist = media(
    '#EXT-X-TARGETDURATION:1e99',
    '#EXT-X-MEDIA-SEQUENCE:-1',
    '#EXT-X-PROGRAM-DATE-TIME:yesterday',
    '#EXT-X-KEY:METHOD=NONE',
    '#EXTINF',
    'a.ts',
    'rtmp://a.example/b',
  );
  assert.deepEqual(playlist.segments, [
    { address: 'https://radio.example.net/hls/a.ts', sequence: 0, seconds: 10 },
  ]);
  assert.deepEqual([playlist.targetSeconds, playlist.isEncrypted, playlist.hasEnded], [10, false, false]);
  assert.equal(chooseSegment(playlist)?.sequence, 0);
  for (const text of ['', '#EXTM3U', '#EXTINF:1,\na.ts', '#EXTM3U\n#EXT-X-STREAM-INF:X=1\n', '<html>'])
    assert.equal(parseHls(text, BASE), undefined);
});

function numbering(value: string): [first: number | undefined, isUnnumbered: boolean] {
  const { segments, isUnnumbered = false } = media(`#EXT-X-MEDIA-SEQUENCE:${value}`, 'a.ts');
  return [segments[0]?.sequence, isUnnumbered];
}

test('a list counts its segments only by a number that can be read', () => {
  for (const value of ['41', ' 41', '41 ']) assert.deepEqual(numbering(value), [41, false]);
  for (const value of ['17000000000000001', '-1', '', 'x', '4 1'])
    assert.deepEqual(numbering(value), [0, true]);
});

test('of a day of segments the newest are kept, with their numbers', () => {
  const day = Array.from({ length: 8000 }, (_, index) => `#EXTINF:6,\n${index}.ts`);
  const { segments } = media('#EXT-X-MEDIA-SEQUENCE:100', ...day);
  assert.equal(segments.length, MAX_SEGMENTS);
  assert.equal(segments.at(-1)?.sequence, 8099);
});

const HERE = 'https://hls.example/live/list.m3u8';

test('an address in a playlist is one of the web, whole or beside the list, and of a length that addresses have', () => {
  assert.equal(absolute('1.ts', HERE), 'https://hls.example/live/1.ts');
  assert.equal(absolute('http://other.example/1.ts', HERE), 'http://other.example/1.ts');
  assert.equal(absolute('file:///etc/passwd', HERE), undefined);
  assert.equal(absolute(undefined, HERE), undefined);
  assert.notEqual(absolute('x'.repeat(2048), HERE), undefined);
  assert.equal(absolute('x'.repeat(2049), HERE), undefined);
});

test('parts of files, maps and keys belong to the segments after them', () => {
  const { segments } = media(
    '#EXT-X-MAP:URI="one.mp4",BYTERANGE="720@0"',
    '#EXT-X-BYTERANGE:1000@720',
    'whole.mp4',
    '#EXT-X-BYTERANGE:500',
    'whole.mp4',
    '#EXT-X-KEY:METHOD=AES-128,URI="k1",IV=0x1F',
    '#EXT-X-MAP:URI="two.mp4"',
    '#EXT-X-GAP',
    'c.mp4',
    '#EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://x",KEYFORMAT="com.apple.streamingkeydelivery"',
    'd.mp4',
    '#EXT-X-KEY:METHOD=NONE',
    'e.mp4',
  );
  const [a, b, c, d, e] = segments;
  assert.deepEqual(a?.map, { address: address('one.mp4'), range: { start: 0, length: 720 } });
  assert.deepEqual(
    [a?.range, b?.range],
    [
      { start: 720, length: 1000 },
      { start: 1720, length: 500 },
    ],
  );
  const iv = Buffer.from('1f'.padStart(32, '0'), 'hex');
  assert.deepEqual(
    [b?.key, c?.key, d?.key, e?.key],
    [undefined, { address: address('k1'), iv }, 'unknown', undefined],
  );
  const key = { address: address('k1'), iv };
  assert.deepEqual([c?.isGap, d?.isGap, c?.map], [true, undefined, { address: address('two.mp4'), key }]);
});

test('a map has the key that was named before it, and no later one', () => {
  const { segments } = media(
    '#EXT-X-MAP:URI="clear.mp4"',
    '#EXT-X-KEY:METHOD=AES-128,URI="k1"',
    'a.mp4',
    '#EXT-X-MAP:URI="one.mp4"',
    '#EXT-X-KEY:METHOD=AES-128,URI="k2"',
    'b.mp4',
    '#EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://x"',
    '#EXT-X-MAP:URI="two.mp4"',
    'c.mp4',
    '#EXT-X-KEY:METHOD=NONE',
    '#EXT-X-MAP:URI="three.mp4"',
    'd.mp4',
  );
  assert.deepEqual(
    segments.map(({ map }) => map),
    [
      { address: address('clear.mp4') },
      { address: address('one.mp4'), key: { address: address('k1') } },
      { address: address('two.mp4') },
      { address: address('three.mp4') },
    ],
  );
});
