import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TuneInStep } from '../../net/tuner/tune-in-failed.ts';
import { compactSteps, usualBitrate, routeOf } from './probe-stream.ts';

/** `connect a` and the like. */
const steps = (...texts: string[]): TuneInStep[] =>
  texts.map((text) => {
    const [what = '', address = ''] = text.split(' ');
    // oxlint-disable-next-line no-unsafe-type-assertion -- the names of steps, in a table
    return { what: what as TuneInStep['what'], address, ms: 1, detail: '' };
  });

const WAYS: [what: string, steps: TuneInStep[], entry: string | undefined, redirects: number][] = [
  ['straight to the sound', steps('connect a', 'answer a', 'audio a'), undefined, 0],
  [
    'two redirects',
    steps('connect a', 'redirect a', 'connect b', 'redirect b', 'connect c', 'audio c'),
    undefined,
    2,
  ],
  ['a playlist', steps('connect a', 'answer a', 'playlist a', 'connect b', 'answer b', 'audio b'), 'b', 0],
  [
    'a redirect to a playlist, whose entry is redirected',
    steps(
      'connect a',
      'redirect a',
      'connect p',
      'playlist p',
      'connect b',
      'redirect b',
      'connect c',
      'audio c',
    ),
    'b',
    1,
  ],
  [
    'a playlist whose first address is dead',
    steps(
      'connect a',
      'playlist a',
      'connect b',
      'redirect b',
      'connect x',
      'answer x',
      'connect c',
      'audio c',
    ),
    'c',
    0,
  ],
  [
    'a playlist in a playlist',
    steps('connect a', 'playlist a', 'connect p', 'playlist p', 'connect b', 'audio b'),
    'b',
    0,
  ],
  [
    'HLS: its own playlists and segments are the player’s business',
    steps(
      'connect a',
      'redirect a',
      'connect m',
      'hls m',
      'connect n',
      'hls n',
      'connect seg',
      'redirect seg',
    ),
    undefined,
    1,
  ],
  [
    'a playlist that leads to HLS',
    steps('connect a', 'playlist a', 'connect m', 'answer m', 'hls m', 'connect seg', 'segment seg'),
    'm',
    0,
  ],
];

for (const [what, taken, entry, redirects] of WAYS)
  test(what, () => assert.deepEqual(routeOf(taken), { entry, redirects }));

const BITRATES: [
  what: string,
  measured: number | undefined,
  told: number | undefined,
  bitrate: number | undefined,
][] = [
  ['nothing is known', undefined, undefined, undefined],
  ['nothing is measured', undefined, 128, 128],
  ['a station that says nothing of use', undefined, 0, undefined],
  ['a station that says more than there is', undefined, 99_999_999, undefined],
  ['as the station says, more or less', 61.7, 64, 64],
  ['a station that is wrong', 128, 320, 128],
  ['measured alone', 121.3, undefined, 128],
  ['measured alone, between two', 71, undefined, 64],
  ['a measure that is none', Number.NaN, 96, 96],
  ['lossless', 812, undefined, 768],
];

for (const [what, measured, given, bitrate] of BITRATES)
  test(`${what}: ${bitrate}`, () => assert.equal(usualBitrate(measured, given), bitrate));

const step = (address: string, detail = 'connected'): TuneInStep => ({
  what: 'connect',
  address,
  ms: 3,
  detail,
});

test('an address is told where it is another than before', () => {
  const kept = compactSteps([step('http://a/'), step('http://a/'), step('http://b/')]);
  assert.deepEqual(
    kept.map(({ address }) => address),
    ['http://a/', undefined, 'http://b/'],
  );
});

test('whatever a stranger’s server makes of it, it fits into its column', () => {
  const long = Array.from({ length: 60 }, (_, n) =>
    step(`http://${n}.example/${'広'.repeat(3000)}`, `\0\ud800${'広'.repeat(500)}`),
  );
  const kept = compactSteps(long);
  assert.equal(kept.length, 12);
  assert.match(kept[0]?.address ?? '', /^http:\/\/0\.example/);
  assert.match(kept.at(-1)?.address ?? '', /^http:\/\/59\.example/);
  const text = JSON.stringify(kept);
  assert.ok(Buffer.byteLength(text) <= 15_000, `${Buffer.byteLength(text)} bytes`);
  assert.ok(!text.includes('\\u0000') && text.isWellFormed() && !/\\ud[89a-f]/.test(text));
});
