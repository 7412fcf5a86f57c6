import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { IcySplitter } from '../../../src/formats/icy/icy-splitter.ts';
import { METAINT } from '../../../src/formats/icy/join-titles.ts';
import { until } from '../../relay/radio.ts';
import { openTestRelay } from '../../relay/test-relay.ts';

/** The long form: `RELAY_SOUND_SECONDS=3600 node scripts/test.ts server/test/drills/relay/relay-bytes.test.ts`, an hour of sound in some minutes. */
const SECONDS = Number(process.env['RELAY_SOUND_SECONDS'] ?? 30);
/** Sent so many times as fast as it plays. */
const SPEED = 20;
const STEP_MS = 50;
/** No multiple of anything. */
const PIECE = 1451;

const KINDS = {
  'MP3 of a constant bitrate': {
    args: ['-c:a', 'libmp3lame', '-b:a', '128k', '-write_xing', '0', '-f', 'mp3'],
    type: 'audio/mpeg',
  },
  'MP3 of a varying bitrate': {
    args: ['-c:a', 'libmp3lame', '-q:a', '4', '-write_xing', '0', '-f', 'mp3'],
    type: 'audio/mpeg',
  },
  'AAC in ADTS': { args: ['-c:a', 'aac', '-b:a', '96k', '-f', 'adts'], type: 'audio/aac' },
};

/** Sound that is nowhere the same: a tone that rises, and noise. */
const encode = (args: readonly string[]): Buffer =>
  execFileSync(
    'ffmpeg',
    [
      '-nostdin',
      '-loglevel',
      'error',
      '-f',
      'lavfi',
      '-i',
      `aevalsrc='0.3*sin(2*PI*t*(200+t))+0.1*random(0)':s=44100:d=${SECONDS}`,
      ...args,
      '-id3v2_version',
      '0',
      'pipe:1',
    ],
    { maxBuffer: 2 ** 28 },
  );

const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

describe('the sound of a station arrives byte for byte', { concurrency: true }, () => {
  for (const [kind, { args, type }] of Object.entries(KINDS))
    test(`${SECONDS} s of ${kind}, with and without titles`, async () => {
      await using relay = await openTestRelay();
      const sound = encode(args);
      const studio = await relay.studio((socket): void => {
        socket.write(`HTTP/1.0 200 OK\r\nContent-Type: ${type}\r\n\r\n`);
        const rate = sound.length / SECONDS;
        const startMs = performance.now();
        let at = 0;
        const timer = setInterval(() => {
          const due = Math.min(
            sound.length,
            Math.floor((rate * SPEED * (performance.now() - startMs)) / 1000),
          );
          for (; at < due; at += PIECE) socket.write(sound.subarray(at, Math.min(at + PIECE, sound.length)));
          if (at >= sound.length) clearInterval(timer);
        }, STEP_MS);
        socket.on('close', () => clearInterval(timer));
      });
      using plain = relay.radio(studio.id);
      using titled = relay.radio(studio.id, { headers: 'Icy-MetaData: 1\r\n' });
      const heard = (): Buffer => Buffer.concat(new IcySplitter(METAINT).push(titled.body).audio);
      // The last frame may wait for the one after it.
      const enough = sound.length - 2000;
      await until(
        'all of it',
        () => plain.bytes >= enough && titled.bytes >= enough + enough / METAINT,
        1000 * SECONDS,
      );
      for (const body of [plain.body, heard()])
        assert.equal(digest(body.subarray(0, enough)), digest(sound.subarray(0, enough)));
      assert.equal(studio.heads.length, 2);
    });
});
