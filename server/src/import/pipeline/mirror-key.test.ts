import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mirrorKey } from './mirror-key.ts';

const MIRRORS: [string, string][] = [
  ['http://icecast.radiofrance.fr/fipjazz-hifi.aac', 'https://stream.radiofrance.fr/fipjazz/fipjazz.m3u8'],
  [
    'http://provisioning.streamtheworld.com/pls/WKYAM.pls',
    'http://17813.live.streamtheworld.com:3690/WKYAM_SC',
  ],
  ['http://192.0.2.7:8000/live.mp3', 'http://192.0.2.7:8000/listen.pls'],
  ['http://edge01.example.net/harbour/128/stream.mp3', 'http://edge02.example.net/harbour/64/stream.aac'],
];
for (const [one, other] of MIRRORS)
  test(`${one} and ${other} are mirrors`, () => {
    assert.ok(mirrorKey(one));
    assert.equal(mirrorKey(one), mirrorKey(other));
  });

const OTHERS: [string, string][] = [
  ['https://stream.zeno.fm/gzaf75yevceuv', 'https://stream.zeno.fm/r7a6hvh2yf8uv'],
  ['http://192.0.2.7:8000/stream', 'http://192.0.2.7:8002/stream'],
  ['http://192.0.2.7/harbour', 'http://198.51.100.7/harbour'],
  ['http://ic4.example.net:8000/region_energy_16.m3u', 'http://ic4.example.net:8000/region_energy_48.m3u'],
  ['http://harbour.co.uk/harbour', 'http://quay.co.uk/harbour'],
];
for (const [one, other] of OTHERS)
  test(`${one} and ${other} are not`, () => {
    assert.notEqual(mirrorKey(one), mirrorKey(other));
  });

test('an address that does not tell has none', () => {
  assert.equal(mirrorKey('http://samcloud.example.com/api/listen?sid=118908'), undefined);
  assert.equal(mirrorKey('no address'), undefined);
});
