import { findStation } from '../directory/by-id.ts';
import { playableBits, wantedBits } from '../directory/playable.ts';
import type { DirectoryStation, Snapshot } from '../directory/snapshot.ts';
import type { FormatMask } from '../lib/stream-format.ts';
import type { KnownShow } from './shows.ts';

/** A station with a show, now or later. */
export interface Airing {
  station: DirectoryStation;
  startsAt: Temporal.Instant;
  /** Of a broadcast that is on now. */
  secondsRemaining: number | undefined;
}

/**
 * The stations that have the show and can be played, each once: those on which it is now, the most popular first, then
 * the others in the order in which it comes.
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
