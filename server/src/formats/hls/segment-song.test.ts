import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adtsFrames, id3Tag } from '../../../test/stations/sounds.ts';
import { box, eventMessage, transportStream } from '../../../test/stations/transport.ts';
import { id3Song, segmentSong, segmentTitle } from './segment-song.ts';

const CLOCK = id3Tag({ PRIV: 'com.apple.streaming.transportStreamTimestamp\0........' });
const OLD = id3Tag({ TIT2: 'Old', TPE1: 'A' });
const NEW = id3Tag({ TPE1: 'Björk', TIT2: 'Jóga', TALB: 'Homogenic' });
const ADVERT = id3Tag({ TPE1: '-', TIT2: 'Advertisement' });
const SONG = { artist: 'Björk', title: 'Jóga', album: 'Homogenic' };
const SOUND = { type: 0x0f, pid: 0x101, pieces: [adtsFrames(5)] };

const segments: [name: string, bytes: Buffer, song: object | undefined][] = [
  ['AAC behind a tag', Buffer.concat([NEW, adtsFrames(3)]), SONG],
  ['AAC behind a song and an advert', Buffer.concat([NEW, ADVERT, adtsFrames(3)]), undefined],
  ['AAC behind a clock and a tag', Buffer.concat([CLOCK, NEW, adtsFrames(3)]), SONG],
  ['AAC behind a clock', Buffer.concat([CLOCK, adtsFrames(3)]), undefined],
  ['MPEG-TS', transportStream([SOUND, { type: 0x15, pid: 0x102, pieces: [OLD, NEW] }]), SONG],
  [
    'MPEG-TS with a tag in two packets',
    transportStream([
      SOUND,
      {
        type: 0x15,
        pid: 0x102,
        pieces: [id3Tag({ PRIV: 'x'.repeat(400), TIT2: 'Jóga', TPE1: 'Björk', TALB: 'Homogenic' })],
      },
    ]),
    SONG,
  ],
  [
    'MPEG-TS without timed metadata',
    transportStream([SOUND, { type: 0x06, pid: 0x102, pieces: [NEW] }]),
    undefined,
  ],
  [
    'fMP4',
    Buffer.concat([
      box('styp', Buffer.from('msdh')),
      eventMessage(OLD),
      eventMessage(NEW),
      box('moof', Buffer.alloc(4)),
    ]),
    SONG,
  ],
  ['fMP4 of the older kind', eventMessage(NEW, 0), SONG],
  ['fMP4 with an event that is no tag', box('emsg', Buffer.alloc(40)), undefined],
  ['sound alone', adtsFrames(5), undefined],
  ['nothing', Buffer.alloc(0), undefined],
];
for (const [name, bytes, song] of segments) {
  test(`the song of ${name}`, () => assert.deepEqual(segmentSong(bytes), song));
}

const latin = (text: string): Buffer => Buffer.from(text, 'latin1');
const tags: [name: string, tag: Buffer, song: object | undefined][] = [
  [
    '2.3, Latin-1',
    latin('ID3\x03\0\0\0\0\0\x1fTIT2\0\0\0\x05\0\0\0J\xf3gaTPE1\0\0\0\x06\0\0\0Bj\xf6rk'),
    { artist: 'Björk', title: 'Jóga' },
  ],
  ['2.2', latin('ID3\x02\0\0\0\0\0\x14TT2\0\0\x03\0HiTP1\0\0\x02\0A\0\0'), { artist: 'A', title: 'Hi' }],
  [
    'UTF-16 with a mark, little end first',
    latin('ID3\x04\0\0\0\0\0\x11TIT2\0\0\0\x07\0\0\x01\xff\xfeH\0i\0'),
    { title: 'Hi' },
  ],
  [
    'UTF-16 with a mark, big end first',
    latin('ID3\x04\0\0\0\0\0\x11TIT2\0\0\0\x07\0\0\x01\xfe\xff\0H\0i'),
    { title: 'Hi' },
  ],
  ['UTF-16 without', latin('ID3\x04\0\0\0\0\0\x0fTIT2\0\0\0\x05\0\0\x02\0H\0i'), { title: 'Hi' }],
  ['two values', latin('ID3\x04\0\0\0\0\0\x0fTIT2\0\0\0\x05\0\0\x03A\0B\0'), { title: 'A' }],
  [
    'a header more',
    latin('ID3\x04\0\x40\0\0\0\x14\0\0\0\x06\x01\0TIT2\0\0\0\x03\0\0\x03Hi'),
    { title: 'Hi' },
  ],
  [
    'a header more, of 2.3',
    latin('ID3\x03\0\x40\0\0\0\x18\0\0\0\x06\0\0\0\0\0\0TIT2\0\0\0\x03\0\0\x03Hi'),
    { title: 'Hi' },
  ],
  ['zeros put in', latin('ID3\x03\0\x80\0\0\0\x10TIT2\0\0\0\x04\0\0\0\xff\0Hi'), { title: 'ÿHi' }],
  [
    'a frame longer than the tag',
    latin('ID3\x04\0\0\0\0\0\x0dTIT2\x7f\x7f\x7f\x7f\0\0\x03Hi'),
    { title: 'Hi' },
  ],
  ['no frame', latin('ID3\x04\0\0\0\0\0\x00'), undefined],
  ['a version to come', latin('ID3\x05\0\0\0\0\0\x0dTIT2\0\0\0\x03\0\0\x03Hi'), undefined],
];
for (const [name, tag, song] of tags) {
  test(`a tag of ${name}`, () => assert.deepEqual(id3Song(tag), song));
}

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
