import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DirectoryStream } from '../directory/snapshot.ts';
import { ALL_FORMATS, parseFormats } from '../lib/stream-format.ts';
import { chooseStreams, playAddress, type Player } from './choose-streams.ts';

const stream = (id: number, changes: Partial<DirectoryStream> = {}): DirectoryStream => ({
  id,
  address: `http://a/${id}`,
  resolvedAddress: undefined,
  format: 'mp3',
  playlist: undefined,
  bitrate: 128,
  reliability: 90,
  ...changes,
});

const player = (formats: string, changes: Partial<Player> = {}): Player => ({
  formats: parseFormats(formats),
  knowsTls: false,
  directOnly: false,
  ...changes,
});

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
    const chosen = chooseStreams(streams, player(formats)).map(({ id }) => id);
    assert.deepEqual(chosen, expected);
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
  const all = { ...player(''), formats: ALL_FORMATS };
  assert.deepEqual(
    chooseStreams(streams, all).map(({ id }) => id),
    [4, 2, 5, 1, 3],
  );
});

test('who calls by HTTPS knows TLS, so the better stream goes first', () => {
  const streams = [stream(1), stream(2, { address: 'https://a/2', bitrate: 320 })];
  const ids = (knowsTls: boolean) => chooseStreams(streams, player('mp3', { knowsTls })).map(({ id }) => id);
  assert.deepEqual(ids(true), [2, 1]);
  assert.deepEqual(ids(false), [1, 2]);
});

test('who wants no playlists gets direct streams only, and what a playlist is known to hold', () => {
  const streams = [
    stream(1, { playlist: 'pls' }),
    stream(2),
    stream(3, { playlist: 'pls', resolvedAddress: 'http://r/3', bitrate: 320 }),
  ];
  const chosen = chooseStreams(streams, player('mp3', { directOnly: true })).map(({ id }) => id);
  assert.deepEqual(chosen, [3, 2]);
});

test('the order does not depend on the order given, and nothing is changed', () => {
  const streams = Array.from({ length: 8 }, (_item, index) =>
    stream(index, { bitrate: 64 * (index % 3), reliability: 50 + (index % 4) }),
  );
  const forward = chooseStreams(Object.freeze(streams), player('mp3'));
  assert.deepEqual(chooseStreams(streams.toReversed(), player('mp3')), forward);
});

test('a player is sent past a playlist when it is known where that leads', () => {
  assert.equal(playAddress(stream(1, { playlist: 'm3u', resolvedAddress: 'http://r/1' })), 'http://r/1');
  assert.equal(playAddress(stream(1, { resolvedAddress: 'http://r/1' })), 'http://a/1');
});
