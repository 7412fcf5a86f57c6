import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findProfile } from '../../src/core/devices/profiles.ts';
import type { DirectoryStream } from '../../src/core/directory/snapshot/snapshot.ts';
import { chooseStreams } from '../../src/core/streams/choose-streams.ts';
import { playAddress, playerOf } from '../../src/core/streams/player.ts';
import { ALL_FORMATS } from '../../src/lib/stream-format.ts';
import { directoryStream } from '../content/directory-stream.ts';

type Facts = Partial<Omit<DirectoryStream, 'id'>>;

const RESOLVED = 'http://r.example/live';
const TLS = { address: 'https://a.example/live' };
const LONG = { address: `http://a.example/${'x'.repeat(300)}` };

/** The streams of each are called a, b, c in this order. */
const STATIONS: Readonly<Record<string, readonly Facts[]>> = {
  'plain MP3': [{}],
  'HTTPS only': [TLS],
  'HTTPS and plain': [{ ...TLS, bitrate: 320 }, {}],
  'HLS only': [{ format: 'hls' }],
  'HLS and MP3': [{ format: 'hls', bitrate: 320 }, {}],
  'AAC+ only': [{ format: 'aac', codec: 'HE-AAC', bitrate: 48 }],
  'AAC+ and MP3': [{ format: 'aac', codec: 'HE-AAC', bitrate: 192 }, {}],
  'Opus only': [{ format: 'opus' }],
  'FLAC and Ogg': [{ format: 'flac', bitrate: 900 }, { format: 'ogg' }],
  'WMA only': [{ format: 'wma' }],
  'WMA and MP3': [{ format: 'wma', bitrate: 192 }, { bitrate: 64 }],
  'unknown format': [{ format: undefined }, { format: 'aac', bitrate: 32 }],
  'a PLS': [{ playlist: 'pls' }, { bitrate: 32 }],
  'an ASX only': [{ playlist: 'asx' }],
  'a resolved PLS': [{ playlist: 'pls', resolvedAddress: RESOLVED }],
  'a redirect': [{ redirects: 1 }, { bitrate: 32 }],
  'redirects, known': [{ redirects: 4, resolvedAddress: RESOLVED }],
  'redirect to HTTPS': [{ redirects: 1, resolvedAddress: TLS.address }, { format: 'ogg' }],
  'dead first': [{ verdict: 'dead', bitrate: 320 }, { bitrate: 32 }],
  'nothing certain': [{ verdict: 'dead' }, { verdict: 'geo' }, { reliability: 20 }, { verdict: 'busy' }],
  'long address': [LONG, { bitrate: 32 }],
  'unreliable first': [{ reliability: 60, bitrate: 320 }, { reliability: 99 }],
};

/** What each device is given, in order; `*` where it is sent past a playlist or redirects, `-` for nothing. */
const TABLE = `
                  | unknown mopidy mpd  mpv  vlc  web  lyrion linn soundtouch raumfeld esp32 old-radio
plain MP3         | a       a      a    a    a    a    a      a    a          a        a     a
HTTPS only        | a       a      a    a    a    a    a      a    a          a        -     -
HTTPS and plain   | ba      ab     ab   ab   ab   ab   ba     ba   ba         ba       b     b
HLS only          | a       -      a    a    a    a    a      a    -          a        -     -
HLS and MP3       | ba      b      ba   ab   ab   ba   ba     ba   b          ba       b     b
AAC+ only         | a       a      a    a    a    a    a      a    a          a        a     a
AAC+ and MP3      | ba      ba     ba   ab   ab   ba   ba     ba   ba         ba       ba    ba
Opus only         | a       a      a    a    a    a    a      -    -          a        -     -
FLAC and Ogg      | ba      ba     ba   ab   ab   ba   ba     ba   ba         ba       -     -
WMA only          | a       a      a    a    a    -    a      a    a          a        -     a
WMA and MP3       | ba      ba     ba   ab   ab   b    ba     ba   ba         ba       b     ba
unknown format    | ba      ba     ba   ab   ab   ba   ba     ba   ba         ba       ba    ba
a PLS             | ba      ba     b    ba   ba   b    ba     ba   ba         ba       ba    b
an ASX only       | a       -      -    -    a    -    a      a    -          a        -     -
a resolved PLS    | a*      a*     a*   a*   a*   a*   a*     a*   a*         a*       a*    a*
a redirect        | ab      ab     ab   ab   ab   ab   ab     ab   ab         ab       ab    b
redirects, known  | a       a      a    a    a    a    a      a    a          a        a*    a*
redirect to HTTPS | ab      ab     ab   ab   ab   ab   ab     ab   ab         ab       -     -
dead first        | ba      ba     ba   ba   ba   ba   ba     ba   ba         ba       ba    ba
nothing certain   | dcba    dcba   dcba dcba dcba dcba dcba   dcba dcba       dcba     dcba  dcba
long address      | ab      ab     ab   ab   ab   ab   ab     ab   ab         ab       b     b
unreliable first  | ba      ba     ba   ba   ba   ba   ba     ba   ba         ba       ba    ba
`;

const streamOf = (facts: Facts, id: number): DirectoryStream =>
  directoryStream(id, { address: 'http://a.example/live', ...facts });

/** By a call over plain HTTP that names no formats. */
function given(facts: readonly Facts[], device: string): string {
  const profile = findProfile(device) ?? assert.fail(device);
  const player = playerOf(profile, { formats: ALL_FORMATS, isSecure: false, directOnly: false });
  const { chosen } = chooseStreams(facts.map(streamOf), player);
  const cell = chosen.map(
    (stream) => 'abcd'.charAt(stream.id) + (playAddress(stream, player) === stream.address ? '' : '*'),
  );
  return cell.join('') || '-';
}

const [header = [], ...rows] = TABLE.trim()
  .split('\n')
  .map((line) =>
    line.split('|').flatMap((part, side) => (side === 0 ? part.trim() : part.trim().split(/\s+/))),
  );
const devices = header.slice(1);

test('the table is of 12 devices and every station', () => {
  assert.equal(devices.length, 12);
  assert.deepEqual(
    rows.map(([station]) => station),
    Object.keys(STATIONS),
  );
});

for (const [station = '', ...expected] of rows) {
  test(`each device is given what it plays of a station with ${station}`, () => {
    const cells = devices.map((device) => `${device}: ${given(STATIONS[station] ?? [], device)}`);
    assert.deepEqual(
      cells,
      devices.map((device, column) => `${device}: ${expected[column]}`),
    );
  });
}
