import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ALL_FORMATS, parseFormats } from '../../lib/stream-format.ts';
import { factsOf } from '../../protocols/radiotime/tune/stream-facts.ts';
import { PLAYLISTS } from '../devices/profile.ts';
import { findProfile, SAFE_PROFILE } from '../devices/profiles.ts';
import type { DirectoryStream } from '../directory/snapshot/snapshot.ts';
import { chooseStreams, type LeftOutBy } from './choose-streams.ts';
import { type StreamRequest, playAddress, type Player, playerOf } from './player.ts';
import { directoryStream as stream } from '../../../test/content/directory-stream.ts';

const player = (formats: string, asked: Partial<StreamRequest> = {}, device = SAFE_PROFILE.id): Player =>
  playerOf(findProfile(device) ?? assert.fail(device), {
    formats: parseFormats(formats),
    isSecure: false,
    directOnly: false,
    ...asked,
  });

const idsFor = (streams: readonly DirectoryStream[], asked: Player): number[] =>
  chooseStreams(streams, asked).chosen.map(({ id }) => id);

const unknown = { format: undefined };
const cases: [what: string, streams: DirectoryStream[], formats: string, expected: number[]][] = [
  [
    'only what the device plays',
    [stream(1, { format: 'ogg' }), stream(2), stream(3, { format: 'hls' })],
    'mp3,hls',
    [2, 3],
  ],
  [
    'reliable before rich',
    [stream(1, { reliability: 50, bitrate: 320 }), stream(2, { bitrate: 32 })],
    'mp3',
    [2, 1],
  ],
  ['rich before poor', [stream(1, { bitrate: 64 }), stream(2, { bitrate: 192 })], 'mp3', [2, 1]],
  ['plain before TLS', [stream(1, { address: 'https://a/1', bitrate: 320 }), stream(2)], 'mp3', [2, 1]],
  ['direct before a playlist', [stream(1, { playlist: 'pls' }), stream(2)], 'mp3', [2, 1]],
  [
    'a resolved playlist is direct',
    [stream(1, { playlist: 'pls', resolvedAddress: 'http://r/1' }), stream(2)],
    'mp3',
    [1, 2],
  ],
  ['unknown only to who takes all', [stream(1, unknown), stream(2)], 'mp3', [2]],
  ['nothing', [stream(1, { format: 'wma' })], 'mp3', []],
  ['HLS only to who names it', [stream(1, { format: 'hls' }), stream(2)], 'mp3,aac', [2]],
  [
    'plain before reliable',
    [stream(1, { address: 'https://a/1' }), stream(2, { reliability: 60 })],
    'mp3',
    [2, 1],
  ],
  [
    'what plays before what is plain',
    [stream(1, { address: 'https://a/1' }), stream(2, { reliability: 20 })],
    'mp3',
    [1, 2],
  ],
];
for (const [what, streams, formats, expected] of cases) {
  test(what, () => {
    assert.deepEqual(idsFor(streams, player(formats)), expected);
  });
}

test('a radio that names no formats gets MP3 first, then AAC, then the rest and HLS last, even when those are better', () => {
  const streams = [
    stream(1, unknown),
    stream(2, { format: 'aac' }),
    stream(3, { format: 'hls', bitrate: 320, reliability: 100 }),
    stream(4, { reliability: 60 }),
    stream(5, { format: 'ogg' }),
  ];
  assert.deepEqual(idsFor(streams, player('')), [4, 2, 5, 1, 3]);
  assert.equal(player('').formats, ALL_FORMATS);
});

test('who calls by HTTPS knows TLS, so the better stream goes first', () => {
  const streams = [stream(1), stream(2, { address: 'https://a/2', bitrate: 320 })];
  const ids = (isSecure: boolean) => idsFor(streams, player('mp3', { isSecure }));
  assert.deepEqual(ids(true), [2, 1]);
  assert.deepEqual(ids(false), [1, 2]);
});

test('who wants no playlists gets direct streams only, and what a playlist is known to hold', () => {
  const streams = [
    stream(1, { playlist: 'pls' }),
    stream(2),
    stream(3, { playlist: 'pls', resolvedAddress: 'http://r/3', bitrate: 320 }),
  ];
  assert.deepEqual(idsFor(streams, player('mp3', { directOnly: true })), [3, 2]);
});

test('the order does not depend on the order given, and nothing is changed', () => {
  const streams = Array.from({ length: 8 }, (_item, index) =>
    stream(index, { bitrate: 64 * (index % 3), reliability: 50 + (index % 4) }),
  );
  const forward = chooseStreams(Object.freeze(streams), player('mp3'));
  assert.deepEqual(chooseStreams(streams.toReversed(), player('mp3')), forward);
});

test('a player is sent past a playlist when it is known where that leads', () => {
  const any = player('');
  assert.equal(playAddress(stream(1, { playlist: 'm3u', resolvedAddress: 'http://r/1' }), any), 'http://r/1');
  assert.equal(playAddress(stream(1, { resolvedAddress: 'http://r/1' }), any), 'http://a/1');
});

test('a playlist that nobody has looked into is called what it is', () => {
  for (const playlist of PLAYLISTS) {
    const tuned = { name: 'Station', guideId: 's1', streams: [] } as const;
    assert.equal(factsOf(tuned, stream(1, { playlist }), player('')).playlistType, playlist);
  }
});

test('a device that follows no redirect is sent to their end, and one that follows three past four', () => {
  const moved = stream(1, { resolvedAddress: 'http://r/1' });
  const often = stream(1, { redirects: 4, resolvedAddress: 'http://r/1' });
  assert.equal(playAddress(moved, player('', {}, 'old-radio')), 'http://r/1');
  assert.equal(playAddress(moved, player('', {}, 'esp32')), 'http://a/1');
  assert.equal(playAddress(often, player('', {}, 'esp32')), 'http://r/1');
});

test('what was heard last orders the streams and holds none of them back', () => {
  const streams = [
    stream(1, { verdict: 'dead', reliability: 99, bitrate: 320 }),
    stream(2, { verdict: 'geo' }),
    stream(3, { verdict: 'busy' }),
    stream(4, { verdict: 'plays', bitrate: 32 }),
    stream(5, { reliability: 20 }),
    stream(6, { verdict: 'tls' }),
    stream(7, { verdict: 'codec' }),
    stream(8, { verdict: 'refused' }),
    stream(9, { verdict: 'hls' }),
    stream(10),
  ];
  assert.deepEqual(idsFor(streams, player('mp3')), [10, 4, 3, 5, 2, 6, 8, 1, 7, 9]);
});

const leftOut: [device: string, formats: string, changes: Partial<DirectoryStream>, by: LeftOutBy][] = [
  ['web', '', { format: 'wma' }, 'format'],
  ['unknown', 'mp3', { format: undefined }, 'unknown-format'],
  ['soundtouch', '', { format: 'hls' }, 'hls'],
  ['unknown', 'mp3', { format: 'hls' }, 'hls'],
  ['old-radio', '', { address: 'https://a/1' }, 'tls'],
  ['esp32', '', { resolvedAddress: 'https://r/1' }, 'tls'],
  ['mpd', '', { playlist: 'pls' }, 'playlist'],
  ['mpv', '', { playlist: 'asx' }, 'playlist'],
  ['old-radio', '', { redirects: 1 }, 'redirect'],
  ['old-radio', '', { address: `http://a/${'x'.repeat(250)}` }, 'address-too-long'],
  ['unknown', '', { address: 'ftp://a/1' }, 'address'],
];
for (const [device, formats, changes, by] of leftOut) {
  test(`${device} is not given a stream, by ${by}: ${JSON.stringify(changes).slice(0, 40)}`, () => {
    const given = stream(1, changes);
    assert.deepEqual(chooseStreams([given], player(formats, {}, device)), {
      chosen: [],
      leftOut: [{ stream: given, by }],
    });
  });
}

test('formats that a call names narrow the profile, and are believed where nothing would be left', () => {
  const streams = [stream(1), stream(2, { format: 'aac' }), stream(3, { format: 'wma' })];
  assert.deepEqual(idsFor(streams, player('aac,wma', {}, 'web')), [2]);
  assert.deepEqual(idsFor(streams, player('wma', {}, 'web')), [3]);
  assert.deepEqual(idsFor(streams, player('', {}, 'web')), [1, 2]);
});

test('a device without TLS is sent past an address with TLS that leads to one without', () => {
  const streams = [stream(1, { address: 'https://a/1', resolvedAddress: 'http://r/1' })];
  assert.deepEqual(idsFor(streams, player('', {}, 'esp32')), [1]);
  assert.equal(playAddress(streams[0] ?? assert.fail(), player('', {}, 'esp32')), 'http://r/1');
});

test('a page reached by HTTPS is given streams by HTTPS first', () => {
  const streams = [stream(1, { bitrate: 320 }), stream(2, { address: 'https://a/2' })];
  assert.deepEqual(idsFor(streams, player('', { isSecure: true }, 'web')), [2, 1]);
  assert.deepEqual(idsFor(streams, player('', { isSecure: false }, 'web')), [1, 2]);
  assert.deepEqual(idsFor(streams, player('', { isSecure: true }, 'vlc')), [1, 2]);
});
