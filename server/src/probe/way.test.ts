import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Step } from '../tuner/step.ts';
import { wayOf } from './way.ts';

/** `connect a` and the like. */
const steps = (...texts: string[]): Step[] =>
  texts.map((text) => {
    const [what = '', address = ''] = text.split(' ');
    // oxlint-disable-next-line no-unsafe-type-assertion -- the names of steps, in a table
    return { what: what as Step['what'], address, ms: 1, detail: '' };
  });

const ROWS: [what: string, steps: Step[], entry: string | undefined, redirects: number][] = [
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

for (const [what, taken, entry, redirects] of ROWS)
  test(what, () => assert.deepEqual(wayOf(taken), { entry, redirects }));
