import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Target } from './document.ts';
import type { Globals } from './links.ts';
import { suffixOf, withQuestionMark, writeAddress } from './links.ts';

test('the suffix repeats what the caller said, in the echo order, and leaves out what it did not', () => {
  const globals: Globals = {
    latlon: '51.5,-0.1',
    username: 'ann',
    locale: 'en-GB',
    serial: '00-0E-58:4',
    partnerId: '!EALLOjB',
    formats: 'mp3,aac',
  };
  assert.equal(
    suffixOf(globals),
    '&formats=mp3,aac&partnerId=!EALLOjB&serial=00-0E-58:4&locale=en-GB&username=ann&latlon=51.5,-0.1',
  );
  assert.equal(suffixOf({ serial: '', partnerId: 'demo' }), '&partnerId=demo');
  assert.equal(suffixOf({}), '');
});

test('no link repeats render, callback or password (rule 17)', () => {
  const caller = { partnerId: 'demo', render: 'json', callback: 'f', password: 'secret' };
  assert.equal(suffixOf(caller), '&partnerId=demo');
});

test('values are percent-encoded, except commas, colons and !', () => {
  for (const [value, encoded] of [
    ['a b&c=d#e?f/g%h+i', 'a%20b%26c%3Dd%23e%3Ff%2Fg%25h%2Bi'],
    ['"<\'>', '%22%3C%27%3E'],
    ['Zürich, 東京: 1!', 'Z%C3%BCrich,%20%E6%9D%B1%E4%BA%AC:%201!'],
    ['half \ud83d', 'half%20'],
    ['a\r\nb\0', 'a%20b'],
  ] as const) {
    assert.equal(suffixOf({ username: value }), `&username=${encoded}`);
  }
});

test('an address: own parameters, the suffix, the filter last', () => {
  const links = { origin: 'http://radio.test', suffix: suffixOf({ formats: 'mp3', latlon: '1,2' }) };
  const cases: [Target, string][] = [
    [
      {
        path: '/Browse.ashx',
        params: [
          ['offset', '26'],
          ['id', 'g79'],
        ],
        filter: 's:popular',
      },
      'http://radio.test/Browse.ashx?offset=26&id=g79&formats=mp3&latlon=1,2&filter=s:popular',
    ],
    [{ path: '/Browse.ashx', params: [] }, 'http://radio.test/Browse.ashx?&formats=mp3&latlon=1,2'],
    [
      { path: '/Search.ashx', params: [['query', '{QUERY}']] },
      'http://radio.test/Search.ashx?query={QUERY}&formats=mp3&latlon=1,2',
    ],
  ];
  for (const [target, address] of cases) assert.equal(writeAddress(target, links), address);
  const bare = { origin: 'http://radio.test', suffix: '' };
  assert.equal(writeAddress({ path: '/Browse.ashx', params: [] }, bare), 'http://radio.test/Browse.ashx?');
});

test('a foreign link gets a ? when it has none', () => {
  assert.equal(withQuestionMark('http://a.test/live'), 'http://a.test/live?');
  assert.equal(withQuestionMark('http://a.test/live?x=1'), 'http://a.test/live?x=1');
  assert.equal(withQuestionMark('http://a.test/live#t=1'), 'http://a.test/live?#t=1');
});
