import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../relay/radio.ts';
import { openTestRelay } from '../../relay/test-relay.ts';
import { countFrames } from '../../streams/count-frames.ts';

const OGG = 'HTTP/1.0 200 OK\r\nContent-Type: application/ogg\r\n\r\n';
const toneOf = (rate: number, seconds: number): string[] => [
  '-f',
  'lavfi',
  '-i',
  `sine=frequency=440:sample_rate=${rate}:duration=${seconds}`,
];
const TONE = toneOf(44_100, 60);
const STEP_MS = 100;
/** It is fifteen; a busy machine takes longer, and was it given up by the number of tries it would be fifty. */
const MAX_NOISE_SECONDS = 35;

/** Those of this process that run ffmpeg. */
const converters = (): number[] =>
  readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8')
    .split(' ')
    .flatMap((pid) =>
      pid.trim() !== '' && commandOf(Number(pid)).includes('libmp3lame') ? Number(pid) : [],
    );

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

describe('nothing that ffmpeg does stops the music', () => {
  test('one that hangs is replaced, and the radio hears on in whole frames', async () => {
    const sound = execFileSync(
      'ffmpeg',
      ['-loglevel', 'error', ...TONE, '-c:a', 'libvorbis', '-f', 'ogg', 'pipe:1'],
      {
        maxBuffer: 2 ** 24,
      },
    );
    await using relay = await openTestRelay({ conversions: 1 });
    const studio = await relay.studio((socket): void => {
      socket.write(OGG);
      let at = 0;
      const step = Math.ceil((sound.length / 60_000) * STEP_MS * 2);
      const timer = setInterval(() => socket.write(sound.subarray(at, (at += step))), STEP_MS);
      socket.on('close', () => clearInterval(timer));
    });
    using radio = relay.radio(studio.id, { variant: 'm128' });
    await until('MP3', () => radio.bytes > 20_000);
    const [hanging] = converters();
    assert.ok(hanging !== undefined);
    process.kill(hanging, 'SIGSTOP');
    await until('another one', () => converters().some((pid) => pid !== hanging));
    const soFar = radio.bytes;
    await until('it is heard', () => radio.bytes > soFar + 40_000);
    assert.equal(countFrames(radio.body).gaps, 0);
    assert.equal(commandOf(hanging), '', 'the first one is gone');
    radio.socket.destroy();
    await until('with the radio the last one ends', () => converters().length === 0);
  });

  test('what nobody understands is given up, and ffmpeg with it', async () => {
    const noise = randomBytes(8 * 2 ** 20);
    await using relay = await openTestRelay({ conversions: 1 });
    const studio = await relay.studio((socket): void => {
      socket.write(OGG);
      // More than ffmpeg looks at.
      socket.write(noise);
    });
    using radio = relay.radio(studio.id, { variant: 'm128' });
    await radio.ended;
    assert.ok(studio.heads.length < 20, `${studio.heads.length} calls`);
    await until('no ffmpeg is left', () => converters().length === 0);
    await relay.untilNobodyListens();
    // Its place is free again.
    assert.equal(await relay.gauge('relay_streams'), 0);
  });

  test('a little noise and then nothing, or noise that drips: given up within seconds, and not after every try', async (t) => {
    await using relay = await openTestRelay({ conversions: 2 });
    const small = await relay.studio((socket): void => void socket.write(OGG + 'x'.repeat(4000)));
    const dripping = await relay.studio((socket): void => {
      socket.write(OGG);
      const timer = setInterval(() => socket.write(randomBytes(1600)), STEP_MS);
      socket.on('close', () => clearInterval(timer));
    });
    const startMs = performance.now();
    const radios = [small, dripping].map(({ id }) => relay.radio(id, { variant: 'm128' }));
    await Promise.all(radios.map(({ ended }) => ended));
    const seconds = (performance.now() - startMs) / 1000;
    t.diagnostic(`${seconds.toFixed(1)} s`);
    assert.ok(seconds < MAX_NOISE_SECONDS, `${seconds} s`);
    await until('no ffmpeg is left', () => converters().length === 0);
    await relay.untilNobodyListens();
  });

  test('a file, sent as fast as it goes: a radio that pauses now and then misses nothing of what is converted', async (t) => {
    const seconds = 1800;
    const rate = 8000;
    const sound = execFileSync(
      'ffmpeg',
      ['-loglevel', 'error', ...toneOf(rate, seconds), '-c:a', 'pcm_u8', '-f', 'wav', 'pipe:1'],
      { maxBuffer: 2 ** 25 },
    );
    await using relay = await openTestRelay({ conversions: 1 });
    const studio = await relay.studio((socket, call): void => {
      if (call > 1) return void socket.destroy();
      socket.write('HTTP/1.0 200 OK\r\nContent-Type: audio/wav\r\n\r\n');
      // It does not hang up, so that all of it can be converted.
      socket.write(sound);
    });
    using radio = relay.radio(studio.id, { variant: 'm128' });
    await until('MP3', () => radio.bytes > 0);
    radio.socket.pause();
    await sleep(13_000);
    radio.socket.resume();
    await until('the end', () => studio.heads.length > 1 || radio.isClosed, 200_000);
    const heard = countFrames(radio.body);
    t.diagnostic(`${heard.seconds} seconds of ${seconds}`);
    assert.ok(heard.seconds >= seconds - 2, `${heard.seconds} seconds of ${seconds}`);
    assert.equal(heard.gaps, 0);
  });
});
