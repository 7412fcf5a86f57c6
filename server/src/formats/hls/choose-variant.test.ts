import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bestVariants, chooseVariant } from './choose-variant.ts';
import { type MasterPlaylist, parseHls } from './parse-hls.ts';

const BASE = 'https://radio.example.net/hls/live.m3u8?key=1';
const address = (name: string): string => `https://radio.example.net/hls/${name}`;

function master(...lines: string[]): MasterPlaylist {
  const playlist = parseHls(['#EXTM3U', ...lines].join('\n'), BASE);
  return playlist?.kind === 'master' ? playlist : assert.fail();
}

const INF = '#EXT-X-STREAM-INF:';
const choices: [name: string, lines: string[], path: string][] = [
  ['the smallest', [`${INF}BANDWIDTH=9`, 'a', `${INF}BANDWIDTH=5`, 'b'], '/hls/b'],
  [
    'sound rather than pictures',
    [`${INF}BANDWIDTH=5,RESOLUTION=1x1`, 'a', `${INF}BANDWIDTH=9`, 'b'],
    '/hls/b',
  ],
  ['what says its size rather than what does not', [`${INF}X=1`, 'a', `${INF}BANDWIDTH=9`, 'b'], '/hls/b'],
  ['the first where none says it', [`${INF}X=1`, 'a', `${INF}X=2`, 'b'], '/hls/a'],
  [
    'sound that comes apart',
    ['#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="g",URI="c"', `${INF}BANDWIDTH=5,RESOLUTION=1x1,AUDIO="g"`, 'a'],
    '/hls/c',
  ],
  ['sound in a group without an address', [`${INF}BANDWIDTH=5,AUDIO="g"`, 'a'], '/hls/a'],
  ['pictures where there is nothing else', [`${INF}BANDWIDTH=5,RESOLUTION=1x1`, 'a'], '/hls/a'],
];
for (const [name, lines, path] of choices) {
  test(`chosen is ${name}`, () => {
    assert.equal(chooseVariant(master(...lines)), `https://radio.example.net${path}`);
  });
}

const best = (playlist: MasterPlaylist): string[] => bestVariants(playlist).map((found) => found.address);

test('a radio gets the best quality without pictures, a probe the smallest', () => {
  const playlist = master(
    '#EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS="mp4a.40.5"',
    'low.m3u8',
    '#EXT-X-STREAM-INF:BANDWIDTH=320000,CODECS="mp4a.40.2"',
    'high.m3u8',
    '#EXT-X-STREAM-INF:BANDWIDTH=3200000,CODECS="avc1.4d,mp4a.40.2",RESOLUTION=640x360',
    'film.m3u8',
  );
  assert.deepEqual(best(playlist), [address('high.m3u8'), address('low.m3u8')]);
  assert.equal(chooseVariant(playlist), address('low.m3u8'));
});

test('a radio gets no quality that cannot be sent on, unless there is no other', () => {
  const lossless = [`${INF}BANDWIDTH=1400000,CODECS="fLaC"`, 'lossless'];
  const newest = [`${INF}BANDWIDTH=24000,CODECS="mp4a.40.42"`, 'newest'];
  const usual = [`${INF}BANDWIDTH=128000,CODECS="mp4a.40.2"`, 'usual'];
  assert.deepEqual(best(master(...lossless, ...newest, ...usual)), [address('usual')]);
  assert.deepEqual(best(master(...newest, ...lossless)), [address('lossless'), address('newest')]);
});

const group = (id: string, uri = ''): string => `#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="${id}",NAME="x"${uri}`;
const said = (rate: number, more: string): string => `${INF}BANDWIDTH=${rate},AUDIO="g${rate}"${more}`;

test('a radio gets the best of qualities whose sound is in groups, too', () => {
  const codecs = ',CODECS="mp4a.40.2"';
  const sound = [said(48, codecs), 'low', said(320, codecs), 'high'];
  assert.deepEqual(best(master(group('g48'), group('g320'), ...sound)), [address('high'), address('low')]);
  const apart = [group('g48', ',URI="a48"'), group('g320', ',URI="a320"')];
  assert.deepEqual(best(master(...apart, ...sound)), [address('a320'), address('a48')]);
  const films = [said(48, ''), 'small', said(320, ''), 'film'];
  assert.deepEqual(best(master(...apart, ...films)), [address('a48')]);
});
