import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseForeignId } from './foreign-id.ts';

const UUID = '9608c1f4-0601-11e8-ae97-52543be04c81';

const FOUND: [text: string, scheme: string, id: string][] = [
  ['s24896', 'tunein', 's24896'],
  [' S24896 ', 'tunein', 's24896'],
  ['tunein:station:s24896', 'tunein', 's24896'],
  ['x-sonosapi-stream:s24896?sid=254&flags=8224&sn=0', 'tunein', 's24896'],
  ['http://opml.radiotime.com/Tune.ashx?id=s24896', 'tunein', 's24896'],
  ['http://opml.radiotime.com/Tune.ashx?partnerId=16&id=s24896&formats=mp3', 'tunein', 's24896'],
  ['/v1/playback/station/s24896', 'tunein', 's24896'],
  ['https://tunein.com/radio/Radio-Two-891-s24896/', 'tunein', 's24896'],
  [UUID, 'radio-browser', UUID],
  [UUID.toUpperCase(), 'radio-browser', UUID],
  [UUID.replaceAll('-', ''), 'radio-browser', UUID],
  [`radiobrowser:${UUID}`, 'radio-browser', UUID],
  [`https://de1.api.radio-browser.info/m3u/url/${UUID}`, 'radio-browser', UUID],
  [`/soundtouch/stations/byuuid/${UUID}`, 'radio-browser', UUID],
];
for (const [text, scheme, id] of FOUND)
  test(`an id is found in ${text}`, () => assert.deepEqual(parseForeignId(text), { scheme, id }));

const OTHERS = [
  '',
  's',
  'p1234',
  't1234',
  's1234567890',
  'news24896',
  'http://stream.example.net/s24896',
  'http://stream.example.net/s24896.mp3?id=s1',
  'http://opml.radiotime.com/Tune.ashx?sid=s24896',
  'http://opml.radiotime.com/Tune.ashx?id=p24896',
  `http://stream.example.net/${UUID}`,
  'x'.repeat(5000),
];
for (const text of OTHERS)
  test(`no id is in ${text.slice(0, 60)}`, () => assert.equal(parseForeignId(text), undefined));
