import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstSource, statusSource } from './known-streams.ts';

const FIRST: [address: string, document: string | undefined][] = [
  ['http://radio.example.net/listen/town.fm/radio.mp3', 'http://radio.example.net/api/nowplaying/town.fm'],
  ['https://a.example.net:8443/listen/x/y?z=1', 'https://a.example.net:8443/api/nowplaying/x'],
  ['http://radio.example.net/listen/town', undefined],
  ['http://radio.example.net/listen/a%2Fb/radio.mp3', undefined],
  ['http://radio.example.net/live.mp3', undefined],
  ['not an address', undefined],
];
for (const [address, document] of FIRST)
  test(`${address} is ${document === undefined ? 'listened to' : 'looked up'} first`, () => {
    const source = firstSource(address);
    assert.equal(source.address, document ?? address);
    assert.equal(source.kind, document === undefined ? 'listen' : 'status');
  });

const V2 = { 'icy-notice2': 'SHOUTcast DNAS/posix(linux x64) v2.6.1.777<BR>' };
const V1 = { 'icy-notice2': 'SHOUTcast Distributed Network Audio Server/Linux v1.9.8<BR>' };
const ICECAST = { server: 'Icecast 2.4.4' };
const STATUS: [address: string, headers: Record<string, string>, document: string | undefined][] = [
  ['http://a.example.net:8000/live.mp3', ICECAST, 'http://a.example.net:8000/status-json.xsl'],
  ['http://a.example.net/live.mp3', { server: 'nginx' }, undefined],
  ['http://a.example.net/live.mp3', {}, undefined],
  ['http://a.example.net:8000/', V2, 'http://a.example.net:8000/stats?sid=1&json=1'],
  ['http://a.example.net:8000/;stream.mp3', V2, 'http://a.example.net:8000/stats?sid=1&json=1'],
  ['http://a.example.net:8000/stream/3/', V2, 'http://a.example.net:8000/stats?sid=3&json=1'],
  ['http://a.example.net:8000/;?sid=4', V2, 'http://a.example.net:8000/stats?sid=4&json=1'],
  ['http://a.example.net:8000/;?sid=4%26page', V2, undefined],
  ['http://a.example.net:8000/own-name', V2, undefined],
  ['http://a.example.net:8000/;', V1, 'http://a.example.net:8000/7.html'],
];
for (const [address, headers, document] of STATUS)
  test(`${address} of ${Object.values(headers)[0] ?? 'nobody'} is told of at ${document ?? 'no place'}`, () =>
    assert.equal(statusSource(address, new Map(Object.entries(headers)))?.address, document));
