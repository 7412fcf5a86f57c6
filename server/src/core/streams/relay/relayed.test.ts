import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseFormats } from '../../../lib/stream-format.ts';
import { findProfile } from '../../devices/profiles.ts';
import type { DirectoryStream } from '../../directory/snapshot/snapshot.ts';
import { chooseStreams } from '../choose-streams.ts';
import { playerOf } from '../player.ts';
import { withRelayed } from './relayed.ts';
import { directoryStream as stream } from '../../../../test/content/directory-stream.ts';

const secure = (id: number, changes: Partial<DirectoryStream> = {}): DirectoryStream =>
  stream(id, { address: `https://a/${id}`, ...changes });

interface Case {
  device: string;
  /** Where the device is one that lacks it. */
  heAac?: false;
  streams: DirectoryStream[];
  isSecure?: boolean;
  /** Ids in order; relayed ones with what they are relayed for. */
  expected: string[];
  /** The same with a relay that converts other formats to MP3, where that is another answer. */
  converted?: string[];
}

const CASES: Record<string, Case> = {
  'no TLS: HTTPS is relayed': { device: 'old-radio', streams: [secure(1)], expected: ['1 tls'] },
  'what plays directly comes first': {
    device: 'old-radio',
    streams: [secure(1, { bitrate: 320 }), stream(2)],
    expected: ['2', '1 tls'],
  },
  'what was silent comes after what is relayed': {
    device: 'old-radio',
    streams: [stream(1, { verdict: 'dead' }), secure(2)],
    expected: ['2 tls', '1'],
  },
  'too many redirects, and a long address': {
    device: 'old-radio',
    streams: [stream(1, { redirects: 1 }), stream(2, { address: `http://a/${'x'.repeat(255)}` })],
    expected: ['1 redirect', '2 address-too-long'],
  },
  'two are enough': {
    device: 'old-radio',
    streams: [secure(1), secure(2), secure(3)],
    expected: ['1 tls', '2 tls'],
  },
  'a station that is limited to some countries is not sent out of them': {
    device: 'old-radio',
    streams: [secure(1, { verdict: 'geo' }), secure(2, { verdict: 'refused' })],
    expected: [],
  },
  'a format that the device lacks is not helped by a copy': {
    device: 'old-radio',
    streams: [secure(1, { format: 'opus' })],
    expected: [],
    converted: ['1 format as MP3'],
  },
  'a copy comes before a conversion': {
    device: 'old-radio',
    streams: [stream(1, { format: 'flac', bitrate: 900 }), secure(2)],
    expected: ['2 tls'],
    converted: ['2 tls', '1 format as MP3'],
  },
  'nothing is made of what nobody knows the format of': {
    device: 'old-radio',
    streams: [stream(1, { format: 'real' })],
    expected: [],
  },
  'HLS comes as AAC': {
    device: 'old-radio',
    streams: [stream(1, { format: 'hls' })],
    expected: ['1 hls'],
  },
  'HE-AAC comes last to a device that lacks it, or as MP3': {
    device: 'old-radio',
    heAac: false,
    streams: [stream(1, { format: 'aac', codec: 'HE-AAC', bitrate: 64 }), stream(2, { format: 'wma' })],
    expected: ['2', '1'],
    converted: ['2', '1 he-aac as MP3', '1'],
  },
  'by HTTPS or HLS it is copied only where nothing is converted': {
    device: 'old-radio',
    heAac: false,
    streams: [
      secure(1, { format: 'aac', codec: 'HE-AAC' }),
      stream(2, { format: 'hls', codec: 'HE-AAC' }),
      secure(3, { format: 'aac', codec: 'AAC-LC', bitrate: 32 }),
    ],
    expected: ['3 tls', '1 tls'],
    converted: ['3 tls', '1 he-aac as MP3'],
  },
  'old TLS: relayed first, then the stream itself': {
    device: 'soundtouch',
    streams: [secure(1), stream(2)],
    expected: ['2', '1 tls', '1'],
  },
  'modern TLS needs no relay': { device: 'vlc', streams: [secure(1), stream(2)], expected: ['1', '2'] },
  'a page over HTTPS gets plain HTTP relayed': {
    device: 'web',
    isSecure: true,
    streams: [stream(1)],
    expected: ['1 blocked', '1'],
  },
  'and a playlist that it cannot read': {
    device: 'web',
    isSecure: true,
    streams: [stream(1, { playlist: 'pls' })],
    expected: ['1 playlist'],
  },
};

for (const [
  what,
  { device, heAac = true, streams, isSecure = false, expected, converted = expected },
] of Object.entries(CASES))
  test(what, () => {
    const profile = findProfile(device) ?? assert.fail(device);
    const player = playerOf(
      { ...profile, heAac },
      { formats: parseFormats(''), isSecure, directOnly: false },
    );
    for (const [converts, wanted] of [
      [false, expected],
      [true, converted],
    ] as const) {
      const ordered = withRelayed(chooseStreams(streams, player), player, { isSecure: true, converts });
      assert.deepEqual(
        ordered.map(({ stream: { id }, relayedFor, isConverted }) =>
          [`${id}`, relayedFor, isConverted && 'as MP3'].filter(Boolean).join(' '),
        ),
        wanted,
      );
    }
    const alone = withRelayed(chooseStreams(streams, player), player, undefined);
    assert.ok(alone.every(({ relayedFor }) => relayedFor === undefined));
  });
