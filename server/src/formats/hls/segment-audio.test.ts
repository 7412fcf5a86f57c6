import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempDisposableSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { aacConfig } from '../audio/fragmented-mp4.ts';
import { parseHls } from './parse-hls.ts';
import { segmentAudio } from './segment-audio.ts';

const TONE = ['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000:duration=8'];
const QUIET = ['-nostdin', '-loglevel', 'error'];

/** Kinds of segments, as ffmpeg makes them. */
const KINDS: Record<string, { encode: string[]; hls: string[]; copy: string }> = {
  'MPEG-TS with AAC': { encode: ['-c:a', 'aac', '-b:a', '96k'], hls: [], copy: 'adts' },
  'MPEG-TS with MP3': { encode: ['-c:a', 'libmp3lame', '-b:a', '96k'], hls: [], copy: 'mp3' },
  'fMP4 with AAC': {
    encode: ['-c:a', 'aac', '-b:a', '96k'],
    hls: ['-hls_segment_type', 'fmp4'],
    copy: 'adts',
  },
  'fMP4 with AAC of one channel at 22,050 Hz': {
    encode: ['-ac', '1', '-ar', '22050', '-c:a', 'aac'],
    hls: ['-hls_segment_type', 'fmp4'],
    copy: 'adts',
  },
};

for (const [kind, { encode, hls, copy }] of Object.entries(KINDS))
  test(`${kind}: the sound is what ffmpeg copies, byte for byte`, () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'longwave-hls-'));
    const list = join(folder.path, 'live.m3u8');
    execFileSync('ffmpeg', [...QUIET, ...TONE, ...encode, '-f', 'hls', '-hls_time', '2', ...hls, list], {
      cwd: folder.path,
    });
    const whole = ['-c', 'copy', '-write_xing', '0', '-id3v2_version', '0', '-f', copy, 'pipe:1'];
    const args = copy === 'mp3' ? whole : ['-c', 'copy', '-f', copy, 'pipe:1'];
    const expected = execFileSync('ffmpeg', [...QUIET, '-i', list, ...args], { maxBuffer: 2 ** 24 });
    const media = parseHls(readFileSync(list, 'utf8'), 'http://a.example/live.m3u8');
    assert.ok(media?.kind === 'media' && media.segments.length > 2);
    const read = (address: string): Buffer => readFileSync(join(folder.path, new URL(address).pathname));
    const audio = media.segments.map(({ address, map }) => {
      const init = map && read(map.address);
      return segmentAudio(read(address), init) ?? assert.fail('no sound');
    });
    assert.ok(
      Buffer.concat(audio).equals(expected),
      `${Buffer.concat(audio).length} of ${expected.length} bytes`,
    );
  });

/** A frame of ADTS, of eleven bytes. */
const FRAME = Buffer.from('fff14c80017ffc01020304', 'hex');

test('a web page that is sent in place of a segment is no sound', () => {
  const page = `<!DOCTYPE html><title>403 Forbidden</title>${'<p>Your session has expired.'.repeat(2000)}`;
  assert.equal(segmentAudio(Buffer.from(page), undefined), undefined);
  assert.equal(segmentAudio(Buffer.alloc(0), undefined), undefined);
});

test('tags before packed AAC are no sound, and what is not AAC cannot be ADTS', () => {
  const tag = Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\x05'), Buffer.alloc(5)]);
  assert.deepEqual(segmentAudio(Buffer.concat([tag, tag, FRAME]), undefined), FRAME);
  assert.equal(aacConfig(Buffer.from('nothing')), undefined);
  const moof = Buffer.concat([Buffer.of(0, 0, 0, 8), Buffer.from('moof')]);
  assert.equal(segmentAudio(moof, undefined), undefined);
});
