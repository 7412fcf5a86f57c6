import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitsAddress, fitsHomepage, shareWord } from './name-evidence.ts';

const NJOY = 'http://icecast.ndr.de/ndr/njoy/live/mp3/128/stream.mp3';

const addresses: [name: string, address: string, fits: boolean][] = [
  ['N-JOY', NJOY, true],
  ['MYXX FM (MIX FM Dallas)', NJOY, false],
  ['KNX 1070AM', 'https://live.amperwave.net/manifest/audacy-knxamaac-imc', true],
  ['KRR - Kandos - 98.7 FM', 'http://streaming.radiowyo.com:1010/KRRR', false],
  ['Pure Radio', 'https://www.radioking.com/play/pure-vintage-radio', false],
  ['The Wave 94.5 Castries', 'http://stream.thewaveradio.de/wave-live/mp3-128/kontakt/', false],
  ['Radio BOB Punk', 'http://regiocast.streamabc.net/regc-radiobobpunk9297074-mp3-192-5301995', true],
  ['SomaFM Lush', 'https://somafm.com/lush64.pls', true],
  ['Harbour Lounge', 'http://stream.somebody.net/lounge', false],
  ['1LIVE', 'https://f111.rndfnk.com/ard/wdr/1live/chillout/mp3/128/stream.mp3', false],
  ['Radio Udaan', 'https://stream.zeno.fm/pfsm8zen0lguv', false],
  ['Nashe Radio', 'not an address', false],
];
for (const [name, address, fits] of addresses)
  test(`${address} ${fits ? 'speaks' : 'does not speak'} of ${name}`, () => {
    assert.equal(fitsAddress(name, address), fits);
  });

test('a homepage speaks for the name that is its own', () => {
  assert.ok(fitsHomepage('N-JOY', 'n-joy.de'));
  assert.ok(fitsHomepage('Chaos', 'laut.fm/chaos'));
  assert.ok(!fitsHomepage('MYXX FM', 'n-joy.de'));
});

test('names agree by a word that tells them from others', () => {
  assert.ok(shareWord('JB.FM', 'JB FM Rio'));
  assert.ok(shareWord('WDR 2', 'WDR 2 Rheinland'));
  assert.ok(!shareWord('Radio Freedance', 'Radio Free Phoenix'));
  assert.ok(!shareWord('Radio 1', 'Radio 2'));
});
