import { findFrames, findStart, readAdtsFrame, readMpegFrame } from '../../../formats/audio/frames.ts';
import type { MediaPlaylist, Segment } from '../../../formats/hls/parse-hls.ts';

/** Players begin so many segments behind the newest. */
const BEHIND = 3;
/** A list that is older than the one before is another server's; one that is older than this has begun anew. */
const MAX_BACK = 2;
/** With fewer bytes in frames, the playlist knows better. */
const MIN_KNOWN_SHARE = 0.9;

/**
 * Those after the last one; at the start, and where the numbers begin again, the newest few.
 *
 * @param before what the list had when it was last asked for
 */
export function freshSegments(
  media: MediaPlaylist,
  last: Segment | undefined,
  before: readonly Segment[] = [],
): readonly Segment[] {
  const { segments } = media;
  if (!last) return segments.slice(-BEHIND);
  if (media.isUnnumbered) return freshByAddress(segments, last);
  const newest = segments.at(-1)?.sequence ?? 0;
  if (newest < last.sequence - MAX_BACK) return isOld(media, before) ? [] : segments.slice(-BEHIND);
  return segments.filter(({ sequence }) => sequence > last.sequence);
}

/** Segments of a second or two are soon many: a list that a server near by has kept ends with one of those that were there. */
const isOld = ({ segments }: MediaPlaylist, before: readonly Segment[]): boolean => {
  const newest = segments.at(-1);
  return before.some(
    (segment) => newest && segment.sequence === newest.sequence && nameOf(segment) === nameOf(newest),
  );
};

/** The same where a station is called anew: however long it was away, it begins near the end of the list. */
export const firstSegments = (media: MediaPlaylist, heard: Segment | undefined): readonly Segment[] =>
  freshSegments(media, heard).slice(-BEHIND);

/** What follows a `?` may change while the segment is the same. */
const nameOf = ({ address, range }: Segment): string => `${address.split('?', 1)[0]} ${range?.start}`;

function freshByAddress(segments: readonly Segment[], last: Segment): readonly Segment[] {
  const at = segments.findLastIndex((segment) => nameOf(segment) === nameOf(last));
  return at === -1 ? segments.slice(-BEHIND) : segments.slice(at + 1);
}

/** However short a station says its segments are, and however long. */
const RELOAD_SECONDS = { min: 1, max: 60 };

/**
 * How long until there may be more. By rights it is what the list says of its longest segment; where that is far too long, all
 * that was there would have been played before.
 *
 * @param longestMs of the segments that were heard
 */
export function reloadMs({ targetSeconds, segments }: MediaPlaylist, longestMs: number | undefined): number {
  const usual = segments.reduce((sum, { seconds }) => sum + seconds, 0) / segments.length;
  const seconds = Math.min(targetSeconds, usual || targetSeconds, (longestMs ?? Infinity) / 1000);
  return 1000 * Math.min(Math.max(seconds, RELOAD_SECONDS.min), RELOAD_SECONDS.max);
}

const AWAY_MS = { min: 15_000, maxSaid: 120_000, max: 300_000 };

/** Three segments' time without anything new: two minutes at most by what the list says, five by what was heard. */
export function awayMs({ targetSeconds }: MediaPlaylist, longestMs = 0): number {
  const said = Math.min(3000 * targetSeconds, AWAY_MS.maxSaid);
  return Math.min(Math.max(said, 3 * longestMs, AWAY_MS.min), AWAY_MS.max);
}

/** By its frames: what playlists say is rounded, and sometimes wrong. */
export function lengthOf(audio: Buffer): number | undefined {
  const frames = [readAdtsFrame, readMpegFrame]
    .map((read) => findFrames(audio, read))
    .find((found) => found.length > 0);
  let [bytes, ms] = [0, 0];
  for (const frame of frames ?? []) {
    bytes += frame.bytes;
    ms += (1000 * frame.samples) / frame.sampleRate;
  }
  return bytes > MIN_KNOWN_SHARE * audio.length ? ms : undefined;
}

/** What HTTP calls the sound. A segment of MPEG-TS may begin in the middle of a frame, and a very short one has but one. */
export function mediaTypeOf(audio: Buffer): string {
  const isAac = readAdtsFrame(audio, 0) !== undefined || findStart(audio, readAdtsFrame) !== undefined;
  return isAac ? 'audio/aac' : 'audio/mpeg';
}
