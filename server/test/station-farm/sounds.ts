import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ENCODERS = {
  mp3: ['-c:a', 'libmp3lame', '-b:a', '128k', '-f', 'mp3', '-write_xing', '0', '-id3v2_version', '0'],
  aac: ['-c:a', 'aac', '-b:a', '96k', '-f', 'adts'],
  vorbis: ['-c:a', 'libvorbis', '-b:a', '96k', '-f', 'ogg'],
  opus: ['-c:a', 'libopus', '-b:a', '64k', '-f', 'ogg'],
} as const;

export type Sound = keyof typeof ENCODERS;
export const TYPES: Readonly<Record<Sound, string>> = {
  mp3: 'audio/mpeg',
  aac: 'audio/aac',
  vorbis: 'application/ogg',
  opus: 'audio/ogg',
};

/** Some seconds of each, as encoders make them: what a station sends at once to who has just come. */
export async function makeSounds(): Promise<Readonly<Record<Sound, Buffer>>> {
  const folder = await mkdtemp(join(tmpdir(), 'sounds-'));
  const make = async (sound: Sound): Promise<Buffer> => {
    const file = join(folder, sound);
    const source = ['-f', 'lavfi', '-i', 'anoisesrc=d=6:c=pink:r=44100:a=0.3,aformat=channel_layouts=stereo'];
    await promisify(execFile)('ffmpeg', ['-v', 'error', '-y', ...source, ...ENCODERS[sound], file]);
    return readFile(file);
  };
  try {
    const [mp3, aac, vorbis, opus] = [
      await make('mp3'),
      await make('aac'),
      await make('vorbis'),
      await make('opus'),
    ];
    // A live stream of frames is joined anywhere in the middle; of Ogg the headers are sent first.
    return { mp3: mp3.subarray(1234), aac: aac.subarray(1234), vorbis, opus };
  } finally {
    await rm(folder, { recursive: true });
  }
}
