import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sniffPlaylist } from './sniff-playlist.ts';

const A = 'http://radio.example.net/live';
const cases: [
  type: string | undefined,
  address: string,
  begins: string | Buffer,
  kind: string | undefined,
][] = [
  ['audio/x-mpegurl', A, 'http://radio.example.net:8000/a\n', 'm3u'],
  ['audio/mpegurl; charset=utf-8', A, 'stream.mp3', 'm3u'],
  ['audio/mpeg', A, '#EXTM3U\n#EXTINF:-1,x\nhttp://a.example/', 'm3u'],
  ['application/vnd.apple.mpegurl', A, '#EXTM3U\n#EXT-X-VERSION:3\n', 'hls'],
  ['text/plain', `${A}.m3u8`, '\ufeff#EXTM3U\r\n#EXT-X-STREAM-INF:BANDWIDTH=1\r\n', 'hls'],
  // Cut in the middle of a letter, as the first bytes of a longer one may be.
  ['text/plain', A, Buffer.from('\ufeff#EXTM3U\n#EXTINF:-1,Radio Zé').subarray(0, -1), 'm3u'],
  [undefined, A, '[playlist]\nFile1=', 'pls'],
  ['audio/x-scpls', A, 'File1=http://a.example/', 'pls'],
  ['video/x-ms-asf', A, '<ASX VERSION="3.0">', 'asx'],
  ['video/x-ms-asf', A, Buffer.from('3026b2758e66cf11a6d900aa0062ce6c', 'hex'), undefined],
  [undefined, A, '[Reference]\r\nRef1=http://a.example/?MSWMExt=.asf', 'asx'],
  ['application/xml', A, '<?xml version="1.0"?>\n<playlist version="1">', 'xspf'],
  ['application/xml', A, '<?xml version="1.0"?><asx>', 'asx'],
  ['application/octet-stream', `${A}.pls?x=1`, 'NumberOfEntries=1', 'pls'],
  ['text/plain', A, 'http://radio.example.net:8000/a', 'm3u'],
  ['text/plain', A, 'Hello', undefined],
  ['text/html', `${A}.m3u`, '<!DOCTYPE html>', undefined],
  ['audio/x-mpegurl', A, '<html>', undefined],
  ['audio/x-mpegurl', A, Buffer.from([0xff, 0xfb, 0x90, 0x64, 0, 0, 0]), undefined],
  ['audio/x-mpegurl', A, '', undefined],
  ['constructor', 'http://a.example/x.constructor', 'x', undefined],
  ['audio/mpeg', 'nowhere', 'x', undefined],
];
for (const [type, address, begins, kind] of cases) {
  test(`${type} at ${address} with ${JSON.stringify(begins.toString('latin1').slice(0, 30))}: ${kind}`, () => {
    assert.equal(sniffPlaylist(type, address, Buffer.from(begins)), kind);
  });
}
