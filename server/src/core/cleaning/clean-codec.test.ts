import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanBitrate, cleanCodec, type StreamKind } from './clean-codec.ts';

const PLAIN = 'http://a.example/live';

test('a codec that is told is believed', () => {
  const cases: Record<string, StreamKind> = {
    MP3: { format: 'mp3' },
    AAC: { format: 'aac' },
    'AAC+': { format: 'aac' },
    OGG: { format: 'ogg' },
    OPUS: { format: 'opus' },
    FLAC: { format: 'flac' },
    WMA: { format: 'wma' },
    FLV: { format: 'flash' },
    UNKNOWN: {},
    MP4: {},
    '': {},
  };
  for (const [codec, kind] of Object.entries(cases))
    assert.deepEqual(cleanCodec(codec, false, PLAIN), kind, codec);
});

test('of what a list calls OGG the address tells whether it is Opus', () => {
  const cases: Record<string, StreamKind> = {
    'http://a.example/live.ogg': { format: 'ogg' },
    'http://a.example/live.opus': { format: 'opus' },
    'https://a.example:8443/jazz_opus': { format: 'opus' },
    'https://a.example/listen/town/Opus8?x=1': { format: 'opus' },
    'http://opus.example/live.ogg': { format: 'ogg' },
    'http://a.example/live.ogg?from=/opus': { format: 'ogg' },
  };
  for (const [address, kind] of Object.entries(cases))
    assert.deepEqual(cleanCodec('OGG', false, address), kind, address);
  assert.deepEqual(cleanCodec('VORBIS', false, 'http://a.example/opus.ogg'), { format: 'ogg' });
});

test('otherwise the address tells', () => {
  const cases: Record<string, StreamKind> = {
    'http://a.example/x.mp3?a=.ogg': { format: 'mp3' },
    'http://a.example/x.AACP': { format: 'aac' },
    'http://a.example/x.m3u8': { format: 'hls' },
    'http://a.example/;stream.mp3': { format: 'mp3' },
    'http://a.example/;listen.pls': {},
    'http://a.example/listen.pls?sid=1': { playlist: 'pls' },
    'http://a.example/x.mp3.m3u': { playlist: 'm3u' },
    'http://a.example/x.asx': { playlist: 'asx' },
    'http://a.example/x.xspf': { playlist: 'xspf' },
    'http://a.example.ram': {},
    'http://a.mp3': {},
    'http://a.example/x.ram': { format: 'real' },
    'http://a.example/x.php': {},
    'http://a.example/stream': {},
  };
  for (const [address, kind] of Object.entries(cases))
    assert.deepEqual(cleanCodec(undefined, false, address), kind, address);
});

test('segments are hls whatever is in them; a playlist keeps the codec behind it', () => {
  assert.deepEqual(cleanCodec('AAC', true, PLAIN), { format: 'hls' });
  assert.deepEqual(cleanCodec('AAC', false, 'http://a.example/x.m3u8'), { format: 'hls' });
  assert.deepEqual(cleanCodec('MP3', false, 'http://a.example/x.pls'), { format: 'mp3', playlist: 'pls' });
});

test('television is refused', () => {
  for (const codec of ['AAC,H.264', 'AAC+,H.264', 'H.265', 'UNKNOWN,H.264', 'hevc']) {
    assert.deepEqual(cleanCodec(codec, true, PLAIN), { refused: 'television' }, codec);
  }
});

test('kilobits stay, bits are divided, the absurd is unknown', () => {
  const cases: [number, number][] = [
    [128, 128],
    [127.6, 128],
    [1411, 1411],
    [128_000, 128],
    [320_000, 320],
    [6, 6],
    [5, 0],
    [0, 0],
    [-1, 0],
    [5500, 0],
    [99_999_999, 0],
    [Number.NaN, 0],
    [Number.POSITIVE_INFINITY, 0],
  ];
  for (const [value, kbps] of cases) assert.equal(cleanBitrate(value), kbps, String(value));
});
