import { identifyContainer, isContainer } from './containers.ts';
import { type Audio, bitrateOf, findFrames, type Frame, readAdtsFrame, readMpegFrame } from './frames.ts';
import { demux, isTransportStream } from './transport-stream.ts';

/** Below this sample rate, AAC uses SBR (HE-AAC): plain AAC would sound too dull. */
const MAX_CORE_RATE = 24_000;

/**
 * Identifies the format, or undefined if it is unknown; 16 to 32 KiB are plenty. MP3 and AAC frames, which nearly all
 * stations send, are parsed here: 0.01 to 0.09 ms of CPU for 32 KiB, where music-metadata took 0.25 to 0.36 for the
 * same bytes.
 */
export function identify(
  bytes: Buffer,
  contentType?: string,
): Audio | undefined | Promise<Audio | undefined> {
  const sound = bytes.subarray(tagLength(bytes));
  if (isContainer(sound)) return identifyContainer(sound);
  if (!isTransportStream(sound)) return identifyFrames(sound, contentType);
  const audio = identifyFrames(demux(sound).audio, contentType);
  return audio && { ...audio, container: 'MPEG-TS' };
}

/** The length of the ID3 tags in front, which files and HLS segments have; one with a picture is long. */
export function tagLength(bytes: Buffer): number {
  let at = 0;
  while (at + 10 <= bytes.length && bytes.toString('latin1', at, at + 3) === 'ID3') {
    const size = bytes.subarray(at + 6, at + 10).reduce((sum, byte) => sum * 128 + (byte & 127), 0);
    at += 10 + size;
  }
  return at;
}

function identifyFrames(bytes: Buffer, contentType: string | undefined): Audio | undefined {
  const kinds = [
    { read: readMpegFrame, audioOf: mpegOf },
    { read: readAdtsFrame, audioOf: aacOf },
  ];
  let most = 0;
  let found: Audio | undefined;
  for (const { read, audioOf } of /aac/i.test(contentType ?? '') ? kinds.toReversed() : kinds) {
    const frames = findFrames(bytes, read);
    const length = frames.reduce((sum, frame) => sum + frame.bytes, 0);
    const [first] = frames;
    if (first && length > most) found = audioOf(first, frames);
    most = Math.max(most, length);
    // Chance matches never cover so much, and searching for the other format is most of the work.
    if (most > bytes.length / 2) break;
  }
  return found;
}

const mpegOf = ({ codec, sampleRate, channels }: Frame, frames: readonly Frame[]): Audio => ({
  format: 'mp3',
  codec,
  container: 'MPEG',
  bitrate: bitrateOf(frames),
  sampleRate,
  channels,
});

function aacOf({ codec, sampleRate, channels }: Frame, frames: readonly Frame[]): Audio {
  const isHigh = codec === 'AAC-LC' && sampleRate <= MAX_CORE_RATE;
  return {
    format: 'aac',
    codec: isHigh ? 'HE-AAC' : codec,
    container: 'ADTS',
    bitrate: bitrateOf(frames),
    sampleRate: isHigh ? 2 * sampleRate : sampleRate,
    ...(channels > 0 ? { channels } : {}),
  };
}
