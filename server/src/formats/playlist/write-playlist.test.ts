import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SaxesParser } from 'saxes';
import { parseM3u } from './m3u.ts';
import { parsePls } from './parse-playlist.ts';
import { playlistKind, type PlaylistLine } from './write-playlist.ts';

const LINES: PlaylistLine[] = [
  { address: 'http://a.example/1?x=1&y=2', name: 'Rock & <Roll> "live", 24/7', durationSeconds: undefined },
  { address: 'http://a.example/2', name: 'Ünïcode 電台', durationSeconds: 3480 },
];
const write = (render: string): string => playlistKind(render).write('T & T', LINES).join('\n') + '\n';

test('M3U is bare addresses, and so is everything unknown', () => {
  const bare = 'http://a.example/1?x=1&y=2\nhttp://a.example/2\n';
  for (const render of ['m3u', 'M3U', 'xml', '', 'constructor', '__proto__'])
    assert.equal(write(render), bare);
  assert.equal(playlistKind(undefined).contentType, 'audio/x-mpegurl');
});

test('extended M3U gives back addresses and names', () => {
  const text = write('m3u8');
  assert.ok(text.startsWith('#EXTM3U\n#EXTINF:-1,'));
  assert.match(text, /#EXTINF:3480,Ünïcode/);
  assert.deepEqual(
    parseM3u(text).map(({ address, name }) => [address, name]),
    LINES.map(({ address, name }) => [address, name]),
  );
  assert.equal(playlistKind('m3u8').contentType, 'audio/x-mpegurl');
});

test('PLS gives back addresses, names and lengths', () => {
  const text = write('pls');
  assert.match(text, /^\[playlist\]\nFile1=[^]*\nNumberOfEntries=2\nVersion=2\n$/);
  assert.deepEqual(
    parsePls(text).map(({ address, name, attributes }) => [address, name, attributes.get('length')]),
    LINES.map(({ address, name, durationSeconds = -1 }) => [address, name, String(durationSeconds)]),
  );
  assert.equal(playlistKind('pls').contentType, 'audio/x-scpls');
});

test('XSPF is well-formed XML in its namespace, and gives back addresses, names and milliseconds', () => {
  const said: string[] = [];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => assert.fail(error));
  parser.on('opentag', (tag) => assert.equal(tag.uri, 'http://xspf.org/ns/0/'));
  parser.on('text', (text) => void (text.trim() && said.push(text)));
  parser.write(write('xspf')).close();
  assert.deepEqual(said, ['T & T', ...LINES.flatMap(({ address, name }) => [address, name]), '3480000']);
  assert.equal(playlistKind('xspf').contentType, 'application/xspf+xml');
});
