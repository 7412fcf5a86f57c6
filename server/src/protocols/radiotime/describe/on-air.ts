import type { DescribedSong } from '../outlines/describe-station-outline.ts';
import type { TitledBroadcastRow } from '../../../storage/catalog/schedules/broadcasts.ts';

export interface PlayingSong extends DescribedSong {
  endsAt?: Temporal.Instant | undefined;
}

/** What a station has on air: its schedule from now on, and the song. */
export interface StationOnAir {
  readonly schedule: readonly TitledBroadcastRow[];
  readonly song: PlayingSong | undefined;
  /** Nobody requested it lately: its song will be known in a moment. */
  readonly isCold?: boolean | undefined;
}

/** Of overlapping broadcasts the later one: a bulletin inside a long show is what is heard. */
export const currentBroadcast = (
  schedule: readonly TitledBroadcastRow[],
  now: Temporal.Instant,
): TitledBroadcastRow | undefined =>
  schedule.findLast(({ starts_at: start, ends_at: end }) => isPast(start, now) && !isPast(end, now));

export const secondsUntil = (from: Temporal.Instant, until: Temporal.Instant): number =>
  Math.ceil((until.epochMilliseconds - from.epochMilliseconds) / 1000);

const UNKNOWN_SECONDS = 30;
const COLD_SECONDS = 15;
const MAX_SECONDS = 300;

/**
 * How long an answer about the current programme stays valid: until the song ends, else the show; half a minute when
 * unknown, less while the song is being looked up.
 */
export function onAirSeconds({ schedule, song, isCold }: StationOnAir, now: Temporal.Instant): number {
  const showEnd = currentBroadcast(schedule, now)?.ends_at;
  const nextStart = schedule.find(({ starts_at: start }) => !isPast(start, now))?.starts_at;
  const end = song ? song.endsAt : showEnd;
  const longest = end === undefined || isPast(end, now) ? UNKNOWN_SECONDS : secondsUntil(now, end);
  const most = isCold && !song ? COLD_SECONDS : MAX_SECONDS;
  const changes = [showEnd, nextStart].filter((at) => at !== undefined);
  return Math.max(1, Math.min(longest, most, ...changes.map((at) => secondsUntil(now, at))));
}

const isPast = (at: Temporal.Instant, now: Temporal.Instant): boolean =>
  Temporal.Instant.compare(at, now) <= 0;
