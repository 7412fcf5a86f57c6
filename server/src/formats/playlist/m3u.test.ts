import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeText } from '../decode-text.ts';
import { MAX_PLAYLIST_ENTRIES, MAX_LINE_LENGTH, parseM3u } from './m3u.ts';

const plain = (text: string) =>
  parseM3u(text).map(({ attributes, ...entry }) => ({ ...entry, ...Object.fromEntries(attributes) }));

test('extended M3U: name, group, logo and attributes', () => {
  const text = [
    '#EXTM3U',
    '#EXTINF:-1 tvg-id="7" tvg-logo="http://a.example/l,1.png" group-title="Jazz, Blues",Radio One, live',
    'http://a.example:8000/one',
    '#EXTINF:0,',
    '#EXTGRP:News',
    '#EXTVLCOPT:http-user-agent=x',
    'https://b.example/two',
  ].join('\n');
  assert.deepEqual(plain(text), [
    {
      address: 'http://a.example:8000/one',
      name: 'Radio One, live',
      group: 'Jazz, Blues',
      logo: 'http://a.example/l,1.png',
      'tvg-id': '7',
      'tvg-logo': 'http://a.example/l,1.png',
      'group-title': 'Jazz, Blues',
    },
    { address: 'https://b.example/two', group: 'News', extgrp: 'News' },
  ]);
});

test('what is said belongs to the next line only', () => {
  assert.deepEqual(plain('#EXTINF:-1,First\nhttp://a.example/1\nhttp://a.example/2\n'), [
    { address: 'http://a.example/1', name: 'First' },
    { address: 'http://a.example/2' },
  ]);
  assert.deepEqual(plain('#EXTINF:-1,Local\nC:\\music\\a.mp3\nhttp://a.example/2'), [
    { address: 'http://a.example/2' },
  ]);
});

test('byte order mark, CRLF, lone CR, spaces, Latin-1', () => {
  assert.deepEqual(plain('\ufeff  http://a.example/1  \r\n\r\n'), [{ address: 'http://a.example/1' }]);
  assert.deepEqual(plain('#EXTM3U\r#EXTINF:1,A\rhttp://a.example/1\r'), [
    { address: 'http://a.example/1', name: 'A' },
  ]);
  const latin = Buffer.from('#EXTINF:-1,Radio Montréal\nhttp://a.example/1', 'latin1');
  assert.equal(parseM3u(decodeText(latin))[0]?.name, 'Radio Montréal');
});

test('odd quoting still gives a name', () => {
  assert.equal(parseM3u('#EXTINF:-1 tvg-logo="x,Name\nhttp://a.example/1')[0]?.name, 'Name');
  assert.equal(parseM3u('#EXTINF:-1 tvg-name="From tag"\nhttp://a.example/1')[0]?.name, 'From tag');
  assert.equal(parseM3u('#EXTINF:-1 tvg-logo="x\nhttp://a.example/1')[0]?.name, undefined);
});

test('attributes are read between all that is none', () => {
  const [entry] = parseM3u(
    '#EXTINF:-1 x=  --tvg-id=7 =a b==c tvg-name="A = B" c="d"e=f,"g=h",N\nhttp://a.example/1',
  );
  assert.deepEqual(Object.fromEntries(entry?.attributes ?? []), {
    'tvg-id': '7',
    b: '=c',
    'tvg-name': 'A = B',
    c: 'd',
    e: 'f',
  });
});

test('entries and lines are bounded; an attribute cannot reach a prototype', () => {
  assert.deepEqual(parseM3u(`http://a.example/${'x'.repeat(MAX_LINE_LENGTH)}`), []);
  assert.equal(parseM3u('http://a.example/\n'.repeat(MAX_PLAYLIST_ENTRIES + 5)).length, MAX_PLAYLIST_ENTRIES);
  const [entry] = parseM3u('#EXTINF:-1 __proto__="x" constructor="y",N\nhttp://a.example/');
  assert.equal(entry?.attributes.get('constructor'), 'y');
  assert.equal(entry?.name, 'N');
});
