import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempDisposableSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { adtsFrames, id3Tag, mp3Frames } from '../../../test/stations/sounds.ts';
import { identify } from './identify.ts';

/** Real sound by ffmpeg: how it is made, and what must be heard of it; sizes of a second and a half. */
const SOUNDS: Record<string, { made: string; is: (string | number | undefined)[] }> = {
  'a.mp3': { made: '-c:a libmp3lame -b:a 128k -ac 2', is: ['mp3', 'MPEG 1 Layer 3', 'MPEG', 128, 44_100, 2] },
  'low.mp3': {
    made: '-c:a libmp3lame -b:a 24k -ar 22050 -ac 1',
    is: ['mp3', 'MPEG 2 Layer 3', 'MPEG', 24, 22_050, 1],
  },
  'lower.mp3': {
    made: '-c:a libmp3lame -b:a 8k -ar 11025 -ac 1',
    is: ['mp3', 'MPEG 2.5 Layer 3', 'MPEG', 8, 11_025, 1],
  },
  'a.mp2': {
    made: '-c:a mp2 -b:a 192k -ar 48000 -ac 2',
    is: ['mp3', 'MPEG 1 Layer 2', 'MPEG', 192, 48_000, 2],
  },
  'a.aac': { made: '-c:a aac -b:a 96k -f adts -ac 2', is: ['aac', 'AAC-LC', 'ADTS', undefined, 44_100, 2] },
  'vorbis.ogg': { made: '-c:a libvorbis -b:a 96k -ac 2', is: ['ogg', 'Vorbis', 'Ogg', 96, 44_100, 2] },
  'a.opus': { made: '-c:a libopus -b:a 64k -ac 2', is: ['opus', 'Opus', 'Ogg', undefined, 48_000, 2] },
  'a.flac': { made: '-c:a flac -ac 2', is: ['flac', 'FLAC', 'FLAC', undefined, 44_100, 2] },
  'flac.ogg': { made: '-c:a flac -ac 2', is: ['flac', 'FLAC', 'Ogg', undefined, 44_100, 2] },
  'a.ts': { made: '-c:a aac -ac 2', is: ['aac', 'AAC-LC', 'MPEG-TS', undefined, 44_100, 2] },
  'mp3.ts': {
    made: '-c:a libmp3lame -b:a 128k -ac 2',
    is: ['mp3', 'MPEG 1 Layer 3', 'MPEG-TS', 128, 44_100, 2],
  },
  'a.mp4': {
    made: '-c:a aac -movflags frag_keyframe+empty_moov -ac 2',
    is: ['aac', 'AAC', 'MP4', undefined, 44_100, 2],
  },
  'a.asf': {
    made: '-c:a wmav2 -b:a 128k -ac 2',
    is: ['wma', 'Windows Media Audio V8', 'ASF/audio', 128, 44_100, 2],
  },
  'a.wav': { made: '-c:a pcm_s16le -ac 1', is: ['wav', 'PCM', 'WAVE', undefined, 44_100, 1] },
  'a.webm': { made: '-c:a libopus -ac 2', is: ['opus', 'Opus', 'EBML/webm', undefined, 48_000, 2] },
  'a.flv': { made: '-c:a aac -ac 2', is: ['flash', 'unknown', 'FLV', undefined, undefined, undefined] },
};
const folder = mkdtempDisposableSync(join(tmpdir(), 'longwave-sounds-'));
after(() => folder.remove());
execFileSync('ffmpeg', [
  ...'-nostdin -loglevel error -f lavfi -i anoisesrc=d=1.5:r=44100:a=0.3'.split(' '),
  ...Object.entries(SOUNDS).flatMap(([name, { made }]) => [
    '-map',
    '0',
    ...made.split(' '),
    join(folder.path, name),
  ]),
]);

for (const [name, { is }] of Object.entries(SOUNDS)) {
  test(`${name} is ${is.slice(0, 3).join(', ')}`, async () => {
    const bytes = readFileSync(join(folder.path, name)).subarray(0, 16_384);
    const { format, codec, container, bitrate, sampleRate, channels } =
      (await identify(bytes)) ?? assert.fail();
    const [, , , wanted] = is;
    assert.deepEqual([format, codec, container, wanted && bitrate, sampleRate, channels], is);
  });
}

test('who tunes in in the middle of a frame hears the same', async () => {
  for (const name of ['a.mp3', 'low.mp3', 'a.mp2', 'a.aac']) {
    const bytes = readFileSync(join(folder.path, name));
    const whole = await identify(bytes.subarray(0, 16_384));
    for (const from of [1000, 1001, 1234, 1777]) {
      const { bitrate, ...rest } = (await identify(bytes.subarray(from, from + 16_384))) ?? assert.fail(name);
      const { bitrate: before = 0, ...same } = whole ?? assert.fail();
      assert.deepEqual(rest, same);
      assert.ok(Math.abs((bitrate ?? 0) - before) <= before / 4, `${name}: ${bitrate} and ${before}`);
    }
  }
});

test('AAC with half of a sample rate is the kind that makes up for it; a tag before it does not matter', async () => {
  const high = {
    format: 'aac',
    codec: 'HE-AAC',
    container: 'ADTS',
    bitrate: 38,
    sampleRate: 48_000,
    channels: 2,
  };
  assert.deepEqual(await identify(adtsFrames(10)), high);
  assert.deepEqual(
    await identify(Buffer.concat([id3Tag({ PRIV: 'x' }), id3Tag({ TIT2: 'y' }), adtsFrames(10)])),
    high,
  );
});

test('a bitrate that varies is its average', async () => {
  const slow = Buffer.alloc(104);
  slow.set([0xff, 0xfb, 0x10, 0x64]);
  const mixed = Buffer.concat([mp3Frames(1), slow, mp3Frames(1), slow]);
  assert.equal((await identify(mixed))?.bitrate, 80);
});

const NONE: Record<string, Buffer> = {
  nothing: Buffer.alloc(0),
  'a page': Buffer.from('<html>'.repeat(2000)),
  'two frames alone': mp3Frames(2).subarray(0, 800),
  ones: Buffer.alloc(20_000, 0xff),
  zeros: Buffer.alloc(20_000),
  'a name without a body': Buffer.from('OggS'),
  'a tag longer than all': Buffer.from('ID3\x04\0\0\x7f\x7f\x7f\x7f', 'latin1'),
  'Ogg in the middle': Buffer.from(`OggS\0\0${'\0'.repeat(20)}\x01\x01x`, 'latin1'),
  'boxes without a beginning': Buffer.from('\0\0\0\x08moof\0\0\0\x08mdat', 'latin1'),
};
for (const [name, bytes] of Object.entries(NONE)) {
  test(`${name} is no sound`, async () => assert.equal(await identify(bytes, 'audio/mpeg'), undefined));
}
