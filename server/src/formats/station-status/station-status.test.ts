import assert from 'node:assert/strict';
import { test } from 'node:test';
import { azuracastSong, icecastSong, shoutcastSong } from './station-status.ts';

const LIVE = { listenurl: 'http://localhost:8000/live.mp3', title: 'Björk - Jóga', dummy: null };
const VORBIS = { listenurl: 'http://localhost:8000/live.ogg', title: 'Jóga', artist: 'Björk', dummy: null };
const icestats = (source: unknown): string => JSON.stringify({ icestats: { source } });
const twice = (text: string): string => Buffer.from(text).toString('latin1');
/** As it writes a title of ` - `: without quotation marks. */
const dashed = (sources: string): string =>
  `{"icestats":{"source":${sources}}}`
    .replace('DASHED', '{"listenurl":"http://localhost:8000/dash","title": - ,"dummy":null}')
    .replace('LIVE', JSON.stringify(LIVE));
const JOGA = { artist: 'Björk', title: 'Jóga' };

const icecast: [name: string, text: string, mount: string, song: object | undefined][] = [
  ['a list, MP3', icestats([VORBIS, LIVE]), '/live.mp3', JOGA],
  ['a list, Ogg', icestats([LIVE, VORBIS]), '/live.ogg', JOGA],
  ['one object', icestats(LIVE), '/live.mp3', JOGA],
  ['another mount', icestats([LIVE]), '/other', undefined],
  ['no source', '{"icestats":{"admin":"x"}}', '/live.mp3', undefined],
  ['no title', icestats({ listenurl: LIVE.listenurl, title: 7 }), '/live.mp3', undefined],
  ['no address', icestats([{ title: 'x' }, null, 'x', { listenurl: 'x' }]), '/live.mp3', undefined],
  ['no name', icestats({ ...VORBIS, title: 'Unknown', artist: 'Unknown' }), '/live.ogg', undefined],
  ['a title alone', icestats({ ...VORBIS, artist: 'Unknown' }), '/live.ogg', { title: 'Jóga' }],
  [
    'UTF-8 that was taken for Latin-1',
    icestats({ ...LIVE, title: twice('Björk - Jóga') }),
    '/live.mp3',
    JOGA,
  ],
  [
    'the same of other scripts',
    icestats({ ...LIVE, title: twice('失恋 - É') }),
    '/live.mp3',
    { artist: '失恋', title: 'É' },
  ],
  [
    'Latin-1 that is right',
    icestats({ ...LIVE, title: 'Â - ß©é' }),
    '/live.mp3',
    { artist: 'Â', title: 'ß©é' },
  ],
  ['letters by their number', icestats({ ...VORBIS, title: 'J&#243;ga' }), '/live.ogg', JOGA],
  ['an artist of digits', icestats({ ...VORBIS, artist: 311 }), '/live.ogg', undefined],
  ['an artist that is a word of JSON', icestats({ ...VORBIS, artist: true }), '/live.ogg', undefined],
  ['no artist', icestats({ ...VORBIS, artist: null }), '/live.ogg', { title: 'Jóga' }],
  ['a dash beside it', dashed('[DASHED,LIVE]'), '/live.mp3', JOGA],
  ['a dash', dashed('[DASHED,LIVE]'), '/dash', undefined],
  ['an answer that is a page', '<html>', '/live.mp3', undefined],
  ['nothing of the kind', '[1,{"icestats":null}]', '/live.mp3', undefined],
];
for (const [name, text, mount, song] of icecast) {
  test(`Icecast: ${name}`, () => assert.deepEqual(icecastSong(text, mount), song));
}

const PLAYING = {
  played_at: 1_700_000_000,
  duration: 200,
  song: { title: 'Jóga', artist: 'Björk', album: 'Homogenic', art: 'https://radio.example.net/a.jpg' },
};
const UPDATABLE = { ...JOGA, album: 'Homogenic', artAddress: 'https://radio.example.net/a.jpg' };
const azuracast: [name: string, value: unknown, song: object | undefined][] = [
  [
    'one station',
    { now_playing: PLAYING },
    { ...UPDATABLE, startedAtMs: 1_700_000_000_000, endsAtMs: 1_700_000_200_000 },
  ],
  [
    'a list',
    [{ now_playing: PLAYING }],
    { ...UPDATABLE, startedAtMs: 1_700_000_000_000, endsAtMs: 1_700_000_200_000 },
  ],
  [
    'a live show has no end',
    { now_playing: { ...PLAYING, duration: 0 } },
    { ...UPDATABLE, startedAtMs: 1_700_000_000_000 },
  ],
  ['no times to believe', { now_playing: { ...PLAYING, played_at: 1e300, duration: 'x' } }, UPDATABLE],
  [
    'no picture to believe',
    { now_playing: { song: { title: 'T', artist: 'A', art: 'data:x' } } },
    { artist: 'A', title: 'T' },
  ],
  ['no song', { now_playing: { song: { title: '' } } }, undefined],
  ['a name of every object', { now_playing: { song: { constructor: 1 } } }, undefined],
  ['off the air', { now_playing: null }, undefined],
  ['off the air, with the song it ended on', { is_online: false, now_playing: PLAYING }, undefined],
];
for (const [name, value, song] of azuracast) {
  test(`AzuraCast: ${name}`, () => assert.deepEqual(azuracastSong(JSON.stringify(value)), song));
}

const shoutcast: [name: string, text: string, song: object | undefined][] = [
  ['JSON', '{"currentlisteners":3,"songtitle":"Björk - Jóga","streamstatus":1}', JOGA],
  ['7.html', '<HTML><meta><BODY>3,1,45,100,3,128,Bj&ouml;rk - J&oacute;ga</body></html>', JOGA],
  ['a title with commas', '<body>3,1,45,100,3,128,A - B, C & D</body>', { artist: 'A', title: 'B, C & D' }],
  ['no page around it', '3,1,45,100,3,128,A - B', { artist: 'A', title: 'B' }],
  ['off the air', '<body>0,0,0,100,0,0,</body>', undefined],
  ['another page', '<html><body>Login, please, we, have, to, know, you</body>', undefined],
  ['nothing', '', undefined],
  ['broken JSON', '{"songtitle":', undefined],
];
for (const [name, text, song] of shoutcast) {
  test(`SHOUTcast: ${name}`, () => assert.deepEqual(shoutcastSong(text), song));
}

test('a status of half a megabyte is none', () => {
  assert.equal(icecastSong(icestats([LIVE, 'x'.repeat(600_000)]), '/live.mp3'), undefined);
});
