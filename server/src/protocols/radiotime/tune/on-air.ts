import { playableBits, wantedBits } from '../../../core/directory/groups/compiled-filter.ts';
import { findStation } from '../../../core/directory/lookup/lookups.ts';
import type { DirectoryStation, Snapshot } from '../../../core/directory/snapshot/snapshot.ts';
import type { FormatMask } from '../../../lib/stream-format.ts';
import type { KnownShow } from './shows.ts';

/** A station that has a show now or later. */
export interface Airing {
  station: DirectoryStation;
  startsAt: Temporal.Instant;
  /** For a current broadcast. */
  secondsRemaining: number | undefined;
}

/**
 * The playable stations that have the show, each once: those with it on air first, by popularity, then the others by
 * start time.
 */
export function listAirings(
  snapshot: Pick<Snapshot, 'stationById'>,
  { broadcasts }: Pick<KnownShow, 'broadcasts'>,
  { now, formats }: { now: Temporal.Instant; formats: FormatMask },
): Airing[] {
  const wanted = wantedBits(formats);
  const seen = new Set<number>();
  const airings: Airing[] = [];
  for (const { station_id, starts_at, ends_at } of broadcasts) {
    const remainingMs = ends_at.epochMilliseconds - now.epochMilliseconds;
    const station = findStation(snapshot, station_id);
    if (!station || remainingMs <= 0 || seen.has(station_id) || !(playableBits(station) & wanted)) continue;
    seen.add(station_id);
    const isOn = Temporal.Instant.compare(starts_at, now) <= 0;
    airings.push({
      station,
      startsAt: starts_at,
      secondsRemaining: isOn ? Math.ceil(remainingMs / 1000) : undefined,
    });
  }
  return airings.toSorted(
    (a, b) =>
      Number(!isOnNow(a)) - Number(!isOnNow(b)) ||
      (isOnNow(a)
        ? b.station.popularity - a.station.popularity
        : Temporal.Instant.compare(a.startsAt, b.startsAt)),
  );
}

export const isOnNow = ({ secondsRemaining }: Airing): boolean => secondsRemaining !== undefined;
