import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressKey, cleanAddress, cleanFeedAddress, MAX_ADDRESS_LENGTH } from './clean-address.ts';

const addressOf = (text: string): string => {
  const result = cleanAddress(text);
  return 'refused' in result ? `refused: ${result.refused}` : result.address;
};
const keyOf = (text: string): string => {
  const result = cleanAddress(text);
  return 'refused' in result ? `refused: ${result.refused}` : result.key;
};

test('what stays keeps its spelling', () => {
  const same = [
    'http://a.example:8000/;stream.mp3',
    'http://a.example:8000/;',
    'https://a.example/Path/Mount.MP3?mp=/stream&Sid=2',
    'http://a.example/listen?type=.mp3&id=%C3%A9',
    'http://a.example/proxy/?q=http://b.example/x',
    'http://8.8.8.8:8000/a//b/',
    'http://a.example/x?token=abc',
  ];
  for (const address of same) assert.equal(addressOf(address), address);
});

test('spaces, capitals of hosts, default ports, fragments, entities, repetitions', () => {
  const cases = {
    ' http://a.example/my stream.mp3 ': 'http://a.example/my%20stream.mp3',
    'HTTP://A.Example/Live': 'http://a.example/Live',
    'http://a.example:80/x': 'http://a.example/x',
    'https://a.example:443/x': 'https://a.example/x',
    'https://a.example:80/x': 'https://a.example:80/x',
    'http://a.example/x#.mp3': 'http://a.example/x',
    'http://a.example/x #EXTINF:0,Name': 'http://a.example/x',
    'http://a.example/x?a=1&amp;b=2': 'http://a.example/x?a=1&b=2',
    'http://a.example/xhttp://a.example/x': 'http://a.example/x',
    'http://münchen.example/': 'http://xn--mnchen-3ya.example/',
  };
  for (const [text, address] of Object.entries(cases)) assert.equal(addressOf(text), address);
});

test('session tokens and tracking are dropped, meaning stays', () => {
  const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdHJlYW0iOiJ4In0.c2lnbmF0dXJl';
  const cases = {
    [`https://a.example/x?zt=${jwt}&sid=2`]: 'https://a.example/x?sid=2',
    [`https://a.example/x?anything=${jwt}`]: 'https://a.example/x',
    'http://a.example/x?rj-ttl=5&rj-tok=AAABmvt': 'http://a.example/x',
    'http://a.example/x?ref=radiobrowser&upd-meta&upd-scheme=https&_art=dD0x': 'http://a.example/x',
    'http://a.example/x?DIST=a&TGT=b&maxServers=2&partnertok=x&mount=y': 'http://a.example/x?mount=y',
    'http://a.example/x?utm_source=a&aw_0_1st.playerid=b&gdpr=0': 'http://a.example/x',
    'http://a.example/;?type=http&nocache=7': 'http://a.example/;',
    'http://a.example/x?1707015598': 'http://a.example/x',
    'http://a.example/x?7': 'http://a.example/x?7',
    'http://a.example/x??a=1&&=': 'http://a.example/x??a=1',
    'http://s.spcast.eu/stream?time=1757533800': 'http://s.spcast.eu/stream',
    'http://a.example/x?time=17': 'http://a.example/x?time=17',
  };
  for (const [text, address] of Object.entries(cases)) assert.equal(addressOf(text), address);
});

test('machines of the moment give way to the front door', () => {
  const cases = {
    'https://stream-283.zeno.fm/n2fd0?zt=x': 'https://stream.zeno.fm/n2fd0',
    'http://n0a.radiojar.com/cp13?rj-ttl=5&rj-tok=x': 'http://stream.radiojar.com/cp13',
    'http://n27b-e2.revma.ihrhls.com/zc1469?rj-tok=x': 'http://stream.revma.ihrhls.com/zc1469',
    'http://my-radio.stream.laut.fm/my-radio?t302=2025-09-10_20-30-55&uuid=8':
      'http://stream.laut.fm/my-radio',
    'http://n0a.radiojar.com:8000/cp13': 'http://n0a.radiojar.com:8000/cp13',
    'http://27903.live.streamtheworld.com/ONE.mp3': 'http://27903.live.streamtheworld.com/ONE.mp3',
  };
  for (const [text, address] of Object.entries(cases)) assert.equal(addressOf(text), address);
});

test('one stream has one key', () => {
  const families = [
    ['http://a.example:8000', 'http://a.example:8000/;', 'http://a.example:8000/;stream.mp3?nocache=1'],
    ['http://a.example/x', 'https://a.example/x', 'http://a.example:80/x/', 'https://A.example:443/x#y'],
    ['http://a.example/7000/;', 'http://a.example/7000/;stream/1', 'http://a.example/7000/'],
    [
      'https://27903.live.streamtheworld.com:443/ONE.mp3',
      'http://14553.live.streamtheworld.com:3690/ONE.mp3?dist=x',
      'https://playerservices.streamtheworld.com/api/livestream-redirect/ONE.mp3',
    ],
    ['http://d111.rndfnk.com/a/b.mp3?cid=1&sid=2&token=3&tvf=4', 'https://f131.rndfnk.com/a/b.mp3'],
    ['http://one.stream13.radiohost.de/a?ref=b', 'https://one.stream42.radiohost.de/a?_art=c'],
    ['http://stream.zenolive.com/abc', 'https://stream-1.zeno.fm/abc?zs=1'],
  ];
  for (const [first = '', ...others] of families) {
    for (const other of others) assert.equal(keyOf(other), keyOf(first), other);
  }
});

test('two streams have two keys', () => {
  const all = [
    'http://a.example/',
    'http://a.example:8000/',
    'http://a.example:8000/?sid=2',
    'http://a.example/x',
    'http://a.example/X',
    'http://b.example/x',
    'http://one.stream1.radiohost.de/x',
    'http://two.stream1.radiohost.de/x',
    'http://a.example/proxy/?q=http://b.example/x',
    'http://a.example/proxy/?q=http://b.example/y',
    'http://[2001:4860:4860::8888]:8000/x',
    'http://[2001:4860:4860::8888]/x',
  ];
  assert.equal(new Set(all.map(keyOf)).size, all.length);
});

test('what no radio can use is refused with the reason', () => {
  const cases: [string, RegExp][] = [
    ['mms://a.example/x', /scheme mms: .* http or https/],
    ['rtsp://a.example/x', /scheme rtsp:/],
    ['rtmp://a.example/x', /scheme rtmp:/],
    ['javascript:alert(1)', /scheme/],
    ['http://user:secret@a.example/x', /password: remove it/],
    ['http://192.168.1.7:8000/x', /private network/],
    ['http://localhost/x', /private network/],
    ['http://opml.radiotime.com/Tune.ashx?id=s1', /original directory service/],
    ['https://tunein.com/radio/x', /original directory service/],
    ['nonsense', /malformed/],
    ['', /malformed/],
    ['http://', /malformed/],
    [`http://a.example/${'x'.repeat(MAX_ADDRESS_LENGTH)}`, /longer than/],
    ['x'.repeat(1_000_000), /longer than/],
  ];
  for (const [text, reason] of cases) {
    const result = cleanAddress(text);
    assert.match('refused' in result ? result.refused : result.address, reason, text.slice(0, 60));
  }
});

test('the id of a key is its md5 in the shape of a uuid', () => {
  assert.equal(addressKey('a.example/x'), '75746e1a-be94-6357-fa6f-50391293c66b');
});

test('cleaning twice changes nothing more', () => {
  for (const text of ['http://n0a.radiojar.com/cp13?rj-tok=x', 'http://a.example/my x??a&b#c']) {
    assert.equal(addressOf(addressOf(text)), addressOf(text));
    assert.equal(keyOf(addressOf(text)), keyOf(text));
  }
});

const clean = (text: string): string => {
  const found = cleanFeedAddress(text);
  return 'refused' in found ? `refused: ${found.refused}` : found.address;
};
const keyOfFeed = (text: string): string => {
  const found = cleanFeedAddress(text);
  return 'refused' in found ? '' : found.key;
};

test('however it is spelled, a feed has one key', () => {
  const keys = [
    'https://Feeds.Radio-Haven.net/harbour',
    'http://feeds.radio-haven.net:80/harbour/',
    ' feed://feeds.radio-haven.net/harbour#top',
    'feed:https://feeds.radio-haven.net/harbour',
    'itpc://feeds.radio-haven.net/harbour',
  ].map(keyOfFeed);
  assert.deepEqual(new Set(keys).size, 1, keys.join(' '));
  assert.notEqual(keys[0], keyOfFeed('https://feeds.radio-haven.net/harbour?id=2'));
  assert.notEqual(keys[0], keyOfFeed('https://feeds.radio-haven.net/Harbour'));
  assert.equal(
    keyOfFeed('http://feeds.feedburner.com/x?format=xml'),
    keyOfFeed('https://feeds.feedburner.com/x'),
  );
});

test('what is no public feed is refused with the reason', () => {
  for (const [text, reason] of [
    ['', /malformed/],
    ['feed', /malformed/],
    ['ftp://radio-haven.net/x', /malformed/],
    ['file:///etc/passwd', /malformed/],
    ['https://me:secret@radio-haven.net/feed', /password/],
    ['http://127.0.0.1/feed', /private network/],
    ['http://2130706433/feed', /private network/],
    ['http://nas.local/feed', /private network/],
    [`https://radio-haven.net/${'x'.repeat(2100)}`, /longer/],
    ['https://www.radiotime.com/feed', /original/],
  ] as const)
    assert.match(clean(text), reason, text);
});
