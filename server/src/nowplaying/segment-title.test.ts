import assert from 'node:assert/strict';
import { test } from 'node:test';
import { segmentTitle } from './segment-title.ts';

const TITLES: [text: string | undefined, song: object | undefined][] = [
  ['title="First Light",artist="The Example Duo"', { title: 'First Light', artist: 'The Example Duo' }],
  ['offset=0,subtitle="x" title="Dawn" album="Quay"', { title: 'Dawn', album: 'Quay' }],
  ['title="",artist=""', undefined],
  [
    String.raw`title="First \"Light\"",artist="Duo",url="song_spot=\"M\" length=\"00:03:29\""`,
    { title: 'First "Light"', artist: 'Duo' },
  ],
  [String.raw`title="Corner Shop",artist="Agency",url="song_spot=\"T\" length=\"00:00:29\""`, undefined],
  [
    String.raw`title="text=\"Spot Block End\" amgTrackId=\"1\"",artist=" ",url="length=\"00:00:00\""`,
    undefined,
  ],
  ['The Example Duo - First Light', { title: 'First Light', artist: 'The Example Duo' }],
  ['segment-1234', undefined],
  ['', undefined],
  [undefined, undefined],
];
for (const [text, song] of TITLES)
  test(`a playlist that says ${text} names ${song ? 'a song' : 'none'}`, () =>
    assert.deepEqual(segmentTitle(text), song));
