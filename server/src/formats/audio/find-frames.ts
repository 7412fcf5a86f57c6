import type { Frame, ReadFrame } from './audio.ts';

/** A byte that looks like a beginning is not rare; three that follow each other as they say are. */
const ENOUGH = 3;
const SYNC = 0xff;

/** The frames in a row, wherever they begin: who tunes in to a live stream does so in the middle of one. */
export function findFrames(bytes: Buffer, read: ReadFrame): Frame[] {
  for (let at = bytes.indexOf(SYNC); at !== -1; at = bytes.indexOf(SYNC, at + 1)) {
    const frames = framesFrom(bytes, at, read);
    if (frames.length >= ENOUGH) return frames;
  }
  return [];
}

function framesFrom(bytes: Buffer, start: number, read: ReadFrame): Frame[] {
  const frames: Frame[] = [];
  for (let frame = read(bytes, start), at = start; frame; frame = read(bytes, at)) {
    if (frames[0] && !isAlike(frames[0], frame)) break;
    frames.push(frame);
    at += frame.bytes;
  }
  return frames;
}

const isAlike = (one: Frame, other: Frame): boolean =>
  one.codec === other.codec && one.sampleRate === other.sampleRate;

/** Files begin with a frame of another size, which only says things about them. */
const MOST_FRAMES_SHARE = 0.8;

/** In kbit/s: what nearly all of them say, or where the bitrate varies the average over all. */
export function bitrateOf(frames: readonly Frame[]): number {
  const said = saidByMost(frames);
  let [alike, bytes, samples] = [0, 0, 0];
  for (const frame of frames) {
    if (frame.bitrate === said) alike += 1;
    bytes += frame.bytes;
    samples += frame.samples;
  }
  if (said !== undefined && alike >= MOST_FRAMES_SHARE * frames.length) return said;
  return Math.round((bytes * 8 * (frames[0]?.sampleRate ?? 0)) / samples / 1000);
}

/** The bitrate that more than half of them say, where there is one: others never outvote it. */
function saidByMost(frames: readonly Frame[]): number | undefined {
  let [said, votes]: [number | undefined, number] = [undefined, 0];
  for (const { bitrate } of frames) {
    if (votes === 0) said = bitrate;
    votes += bitrate === said ? 1 : -1;
  }
  return said;
}
