import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitSong } from './split-song.ts';

const songs: [streamTitle: string, artist: string | undefined, title: string][] = [
  ['Nina Simone - Feeling Good', 'Nina Simone', 'Feeling Good'],
  ['AC/DC - T.N.T. - Live', 'AC/DC', 'T.N.T. - Live'],
  ['Jay-Z - 99 Problems', 'Jay-Z', '99 Problems'],
  ['Sigur Rós – Hoppípolla', 'Sigur Rós', 'Hoppípolla'],
  ['The Morning Show', undefined, 'The Morning Show'],
  ['Nina Simone - ', undefined, 'Nina Simone'],
  [' - Feeling Good', undefined, 'Feeling Good'],
  ['Unknown - Feeling Good', undefined, 'Feeling Good'],
  ['Nina Simone - Unknown', undefined, 'Nina Simone'],
  ['Ariana Grande - text="7 Rings" song_spot="M" MediaBaseId="1"', 'Ariana Grande', '7 Rings'],
  ['A - text="cut off', 'A', 'cut off'],
];
for (const [streamTitle, artist, title] of songs) {
  test(`${JSON.stringify(streamTitle)} is ${title}${artist ? ` by ${artist}` : ''}`, () => {
    assert.deepEqual(splitSong(streamTitle), { ...(artist === undefined ? {} : { artist }), title });
  });
}

const none = [
  '',
  ' ',
  '-',
  ' - ',
  '?',
  'Unknown - Unknown',
  'ADVERT',
  'Track 01',
  'Werbung',
  'Spot Block End',
];
for (const streamTitle of [...none, 'x - text="Buy!" song_spot="T" length="00:00:30"', '\u202e\u0001']) {
  test(`${JSON.stringify(streamTitle)} is no song`, () => assert.equal(splitSong(streamTitle), undefined));
}
