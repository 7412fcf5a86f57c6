import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_PLAYLIST_ENTRIES } from './m3u.ts';
import { MAX_ADDRESSES, parsePlaylist, parsePls, type PlaylistKind } from './parse-playlist.ts';

const BASE = 'https://radio.example.net/lists/all';
const one = (path: string): string => `https://radio.example.net${path}`;

const cases: [name: string, kind: PlaylistKind, text: string, addresses: string[]][] = [
  [
    'bare addresses and relative ones',
    'm3u',
    'http://a.example/1\n\n# no\nlive.mp3\n/top#part\r',
    ['http://a.example/1', one('/lists/live.mp3'), one('/top')],
  ],
  ['one address twice', 'm3u', 'http://a.example/1\nhttp://a.example/1#x', ['http://a.example/1']],
  ['other protocols', 'm3u', 'mms://a.example/\nfile:///etc/passwd\nrtsp://a.example/\njavascript:1', []],
  [
    'PLS in the order of its numbers',
    'pls',
    '[playlist]\nFile2=http://a.example/2\nFile1=http://a.example/1',
    ['http://a.example/1', 'http://a.example/2'],
  ],
  [
    'PLS by where it is, without files of somebody’s disk',
    'pls',
    '[playlist]\nFile1=C:\\a.mp3\nFile2=live.mp3\nFile3=/top\nFile4=\nTitle4=x',
    [one('/lists/live.mp3'), one('/top')],
  ],
  [
    'PLS that gives every address the same number',
    'pls',
    '[playlist]\nFile1=http://a.example/1\nFile1=http://a.example/2',
    ['http://a.example/1', 'http://a.example/2'],
  ],
  [
    'ASX as it should be',
    'asx',
    '<asx version="3.0"><entry><ref href="http://a.example/?a=1&amp;b=2"/></entry></asx>',
    ['http://a.example/?a=1&b=2'],
  ],
  [
    'ASX as it is',
    'asx',
    `<ASX><ENTRY><REF  HREF = 'http://a.example/1' ><Ref href=http://a.example/2 ><title>a & b<`,
    ['http://a.example/1', 'http://a.example/2'],
  ],
  [
    'ASX that leads to others',
    'asx',
    '<asx><entryref\nhref="b.asx" /><refx href="/no"><ref title="x">',
    [one('/lists/b.asx')],
  ],
  [
    'ASX as an INI file',
    'asx',
    '[Reference]\r\nRef1=http://a.example/?MSWMExt=.asf\r\nRef2=http://b.example/',
    ['http://a.example/?MSWMExt=.asf', 'http://b.example/'],
  ],
  [
    'XSPF',
    'xspf',
    '<?xml version="1.0"?><playlist xmlns="http://xspf.org/ns/0/"><location>/no</location><trackList><track><title>x</title><location> http://a.example/?a&amp;b </location></track><track><location><![CDATA[/2]]></location></track></trackList></playlist>',
    ['http://a.example/?a&b', one('/2')],
  ],
  [
    'XSPF that breaks off',
    'xspf',
    '<playlist><trackList><track><location>/1</location></track><track>&broken;',
    [one('/1')],
  ],
  [
    'XSPF with entities of its own',
    'xspf',
    '<!DOCTYPE p [<!ENTITY a "b">]><playlist><track><location>/1</location></track></playlist>',
    [],
  ],
];
for (const [name, kind, text, addresses] of cases) {
  test(`${kind}: ${name}`, () => assert.deepEqual(parsePlaylist(kind, text, BASE), addresses));
}

test('no more than twenty, none too long, and depth has an end', () => {
  const many = Array.from({ length: 50 }, (_, index) => `/${index}`);
  assert.equal(parsePlaylist('m3u', many.join('\n'), BASE).length, MAX_ADDRESSES);
  assert.deepEqual(parsePlaylist('m3u', `/${'x'.repeat(3000)}`, BASE), []);
  const tracks = '<track><location>/1</location></track>'.repeat(2000);
  assert.deepEqual(parsePlaylist('xspf', `<playlist>${tracks}`, BASE), [one('/1')]);
  assert.deepEqual(parsePlaylist('xspf', `${'<a>'.repeat(100)}<track><location>/1</location>`, BASE), []);
});

const repeated = (times: number): string => `${'0\n'.repeat(times)}http://other.example/`;

test('a list that repeats itself without end is not read to its end', () => {
  assert.deepEqual(parsePlaylist('m3u', repeated(900), 'http://a.example/'), [
    'http://a.example/0',
    'http://other.example/',
  ]);
  assert.deepEqual(parsePlaylist('m3u', repeated(1000), 'http://a.example/'), ['http://a.example/0']);
});

const plain = (text: string) => parsePls(text).map(({ address, name }) => [address, name]);

test('entries are joined by number and given in its order', () => {
  const text = [
    '\ufeff[playlist]',
    'NumberOfEntries=2',
    'File10=http://a.example/ten',
    'Title2=Two = best',
    'file2 = http://a.example/two',
    'Length2=-1',
    'Title3=nothing to play',
    'File4=C:\\local.mp3',
  ].join('\r\n');
  assert.deepEqual(plain(text), [
    ['http://a.example/two', 'Two = best'],
    ['http://a.example/ten', undefined],
  ]);
  assert.equal(parsePls(text)[0]?.attributes.get('length'), '-1');
});

test('what is no PLS gives nothing, and the number of entries is bounded', () => {
  assert.deepEqual(parsePls('<html>File1=</html>'), []);
  const many = Array.from(
    { length: MAX_PLAYLIST_ENTRIES + 3 },
    (_, index) => `File${index + 1}=http://a.example/`,
  );
  assert.equal(parsePls(many.join('\n')).length, MAX_PLAYLIST_ENTRIES);
});
