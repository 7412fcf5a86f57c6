import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanSongText, MAX_TEXT_LENGTH, songOfText, splitSong } from './song-text.ts';

const lines: [text: string, clean: string][] = [
  ['  two\r\n lines\t ', 'two lines'],
  ['\u202eturned\u202c and \u2066apart\u2069', 'turned and apart'],
  ['zero\u200bwidth\ufeff', 'zero width'],
  ['\0\x1b[31mred\x7f\x9b', '[31mred'],
  ['half \ud800 letter', 'half \ufffd letter'],
  ['שלום عليكم', 'שלום عليكم'],
];
for (const [text, clean] of lines) {
  test(`${JSON.stringify(text)} is shown as ${JSON.stringify(clean)}`, () =>
    assert.equal(cleanSongText(text), clean));
}

test('a text is cut between letters', () => {
  assert.equal(cleanSongText('x'.repeat(10_000)).length, MAX_TEXT_LENGTH);
  assert.equal(cleanSongText(`${'x'.repeat(255)}😀`), 'x'.repeat(255));
});

test('a song has a title, and of the rest what is said', () => {
  assert.deepEqual(songOfText({ artist: ' A ', title: 'T', album: 'L' }), {
    artist: 'A',
    title: 'T',
    album: 'L',
  });
  assert.deepEqual(songOfText({ artist: '\u0001', title: 'T' }), { title: 'T' });
  assert.equal(songOfText({ artist: 'A', title: ' ' }), undefined);
  assert.equal(songOfText({}), undefined);
});

const songs: [streamTitle: string, artist: string | undefined, title: string][] = [
  ['Nina Simone - Feeling Good', 'Nina Simone', 'Feeling Good'],
  ['AC/DC - T.N.T. - Live', 'AC/DC', 'T.N.T. - Live'],
  ['Jay-Z - 99 Problems', 'Jay-Z', '99 Problems'],
  ['Sigur Rós – Hoppípolla', 'Sigur Rós', 'Hoppípolla'],
  ['Sigur Rós – Hoppípolla - Live', 'Sigur Rós', 'Hoppípolla - Live'],
  ['Simon &amp; Garfunkel - Don&apos;t', 'Simon & Garfunkel', "Don't"],
  ['Mi&#353;o Kova&#269; - &#8217;Dalmacija', 'Mišo Kovač', '’Dalmacija'],
  ['R&B&copy AT&T - Q&A &unheard;', 'R&B&copy AT&T', 'Q&A &unheard;'],
  ['A - B&#10;C&#8238;&#0;', 'A', 'B C \ufffd'],
  ['The Morning Show', undefined, 'The Morning Show'],
  ['Nina Simone - ', undefined, 'Nina Simone'],
  [' - Feeling Good', undefined, 'Feeling Good'],
  ['Unknown - Feeling Good', undefined, 'Feeling Good'],
  ['Nina Simone - Unknown', undefined, 'Nina Simone'],
  ['Ariana Grande - text="7 Rings" song_spot="M" MediaBaseId="1"', 'Ariana Grande', '7 Rings'],
  ['A - text="cut off', 'A', 'cut off'],
  [' - title="First Light",artist="The Duo",song_spot="M" MediaBaseId="1"', 'The Duo', 'First Light'],
  ['The Duo - title="First Light - Live",url="x"', 'The Duo', 'First Light - Live'],
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
const adverts = [
  'x - text="Buy!" song_spot="T" length="00:00:30"',
  String.raw`title="Buy!",artist="x",url="song_spot=\"T\""`,
];
for (const streamTitle of [...none, ...adverts, '\u202e\u0001']) {
  test(`${JSON.stringify(streamTitle)} is no song`, () => assert.equal(splitSong(streamTitle), undefined));
}
