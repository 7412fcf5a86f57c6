import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { findFrames, readAdtsFrame, readMpegFrame } from './frames.ts';
import { FRAME_HEADER_BYTES, silentFrame } from './silent-frame.ts';
import { WholeFrames } from './whole-frames.ts';

const KINDS: Record<string, string[]> = {
  'MP3 of 128 kbit/s': ['-c:a', 'libmp3lame', '-b:a', '128k', '-write_xing', '0', '-f', 'mp3'],
  'MP3 of one channel': ['-ac', '1', '-c:a', 'libmp3lame', '-b:a', '48k', '-write_xing', '0', '-f', 'mp3'],
  'MP3 of 22,050 Hz': ['-ar', '22050', '-c:a', 'libmp3lame', '-b:a', '32k', '-write_xing', '0', '-f', 'mp3'],
  'AAC of two channels': ['-ac', '2', '-c:a', 'aac', '-b:a', '64k', '-f', 'adts'],
  'AAC of one channel at 24,000 Hz': ['-ac', '1', '-ar', '24000', '-c:a', 'aac', '-f', 'adts'],
};
const FFMPEG = ['-nostdin', '-loglevel', 'error'];

for (const [kind, options] of Object.entries(KINDS))
  test(`${kind}: a second of silence between two of a tone, and no decoder complains`, () => {
    const tone = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=1'];
    const sound = execFileSync('ffmpeg', [...FFMPEG, ...tone, ...options, 'pipe:1'], { maxBuffer: 2 ** 24 });
    const frames = new WholeFrames();
    frames.push(sound);
    const whole = frames.take();
    const [first] = findFrames(whole, options.includes('mp3') ? readMpegFrame : readAdtsFrame);
    const silence = silentFrame(whole.subarray(0, FRAME_HEADER_BYTES)) ?? assert.fail('there is none');
    assert.equal(silence.ms, (1000 * (first?.samples ?? 0)) / (first?.sampleRate ?? 0));
    const second = Buffer.concat(Array.from({ length: Math.round(1000 / silence.ms) }, () => silence.bytes));
    const decoded = spawnSync(
      'ffmpeg',
      [
        '-nostdin',
        '-loglevel',
        'warning',
        '-i',
        'pipe:0',
        '-ac',
        '1',
        '-ar',
        '8000',
        '-f',
        's16le',
        'pipe:1',
      ],
      { input: Buffer.concat([whole, second, whole]), maxBuffer: 2 ** 24 },
    );
    assert.doesNotMatch(decoded.stderr.toString(), /invalid|error|missing|overread/i);
    const samples = decoded.stdout;
    const loudest = (fromMs: number, toMs: number): number => {
      let most = 0;
      for (let at = fromMs * 16; at < toMs * 16; at += 2)
        most = Math.max(most, Math.abs(samples.readInt16LE(at)));
      return most;
    };
    assert.ok(Math.abs(samples.length / 16 - 3000) < 250, `${samples.length / 16} ms`);
    assert.ok(loudest(200, 800) > 1000);
    assert.ok(loudest(1300, 1800) < 20, `${loudest(1300, 1800)}`);
    assert.ok(loudest(2300, 2800) > 1000);
  });

test('other formats have none', () => {
  assert.equal(silentFrame(Buffer.from('OggS and so on')), undefined);
});
