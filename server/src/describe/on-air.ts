import type { Song } from '../opml/describe-station-outline.ts';
import type { TitledBroadcastRow } from '../catalog/broadcasts.ts';

export interface PlayingSong extends Song {
  endsAt?: Temporal.Instant | undefined;
}

/** What is known of a station's air: its schedule from now on, and the song. */
export interface OnAir {
  readonly schedule: readonly TitledBroadcastRow[];
  readonly song: PlayingSong | undefined;
  /** Nobody asked lately: whether it plays a song is known in a moment. */
  readonly isCold?: boolean | undefined;
}

/** Of two that overlap the later: a bulletin inside a long show is what is heard. */
export const currentBroadcast = (
  schedule: readonly TitledBroadcastRow[],
  now: Temporal.Instant,
): TitledBroadcastRow | undefined =>
  schedule.findLast(({ starts_at: start, ends_at: end }) => isPast(start, now) && !isPast(end, now));

export const secondsBetween = (from: Temporal.Instant, until: Temporal.Instant): number =>
  Math.ceil((until.epochMilliseconds - from.epochMilliseconds) / 1000);

const UNKNOWN_SECONDS = 30;
const COLD_SECONDS = 15;
const LONGEST_SECONDS = 300;

/**
 * How long what is told of the air holds: until the song ends, else the show; half a minute when nobody knows, and less
 * while that is being found out.
 */
export function onAirSeconds({ schedule, song, isCold }: OnAir, now: Temporal.Instant): number {
  const showEnd = currentBroadcast(schedule, now)?.ends_at;
  const nextStart = schedule.find(({ starts_at: start }) => !isPast(start, now))?.starts_at;
  const end = song ? song.endsAt : showEnd;
  const longest = end === undefined || isPast(end, now) ? UNKNOWN_SECONDS : secondsBetween(now, end);
  const most = isCold && !song ? COLD_SECONDS : LONGEST_SECONDS;
  const changes = [showEnd, nextStart].filter((at) => at !== undefined);
  return Math.max(1, Math.min(longest, most, ...changes.map((at) => secondsBetween(now, at))));
}

const isPast = (at: Temporal.Instant, now: Temporal.Instant): boolean =>
  Temporal.Instant.compare(at, now) <= 0;
