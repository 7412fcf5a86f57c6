import type { Frame, ReadFrame } from './audio.ts';

/** A byte that looks like a beginning is not rare; three that follow each other as they say are. */
const ENOUGH = 3;
const SYNC = 0xff;

/** The frames in a row, wherever they begin: who tunes in to a live stream does so in the middle of one. */
export function findFrames(bytes: Buffer, read: ReadFrame): Frame[] {
  for (let at = bytes.indexOf(SYNC); at !== -1; at = bytes.indexOf(SYNC, at + 1)) {
    const frames = framesFrom(bytes, at, read, ENOUGH);
    if (frames.length === ENOUGH) return framesFrom(bytes, at, read, Infinity);
  }
  return [];
}

function framesFrom(bytes: Buffer, start: number, read: ReadFrame, most: number): Frame[] {
  const frames: Frame[] = [];
  for (let at = start; frames.length < most;) {
    const frame = read(bytes, at);
    const [first] = frames;
    if (!frame || (first && !isAlike(first, frame))) break;
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
  const said = mostCommon(frames.map(({ bitrate }) => bitrate));
  if (said.value !== undefined && said.count >= MOST_FRAMES_SHARE * frames.length) return said.value;
  const bytes = frames.reduce((sum, frame) => sum + frame.bytes, 0);
  const samples = frames.reduce((sum, frame) => sum + frame.samples, 0);
  return Math.round((bytes * 8 * (frames[0]?.sampleRate ?? 0)) / samples / 1000);
}

function mostCommon<T>(values: readonly T[]): { value: T | undefined; count: number } {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const [value, count] = [...counts].toSorted(([, a], [, b]) => b - a)[0] ?? [];
  return { value, count: count ?? 0 };
}
