import { findStation } from '../directory/by-id.ts';
import { playableBits, wantedBits } from '../directory/playable.ts';
import type { DirectoryStation, Snapshot } from '../directory/snapshot.ts';
import { type Coordinate, distanceKm } from '../lib/geo.ts';
import type { FormatMask } from '../lib/stream-format.ts';
import type { Hit } from './find.ts';

export interface RankedStation {
  station: DirectoryStation;
  score: number;
  isPlayable: boolean;
}

/** Where the listener is and what the radio plays. */
export interface Listener {
  place: Coordinate | undefined;
  formats: FormatMask;
}

/** A station next door is worth this much, one fifty kilometres away half: less than a name typed in full. */
const NEXT_DOOR = 200;
const HALF_AT_KM = 50;
/** Between a stream that always answers and one that never does. */
const RELIABLE = 60;

/** The stations behind the hits, the best for this listener first. Those that are not on the air are left out. */
export function rankStations(
  snapshot: Snapshot,
  hits: readonly Hit[],
  { place, formats }: Listener,
): RankedStation[] {
  const wanted = wantedBits(formats);
  const ranked: RankedStation[] = [];
  for (const { id, score } of hits) {
    const station = findStation(snapshot, id);
    if (!station) continue;
    const near = place === undefined ? 0 : nearness(snapshot, station, place);
    const reliable = (RELIABLE * station.reliability) / 100;
    const isPlayable = (playableBits(station) & wanted) !== 0;
    ranked.push({ station, score: score + reliable + near, isPlayable });
  }
  return ranked.toSorted((a, b) => b.score - a.score);
}

function nearness(snapshot: Snapshot, station: DirectoryStation, place: Coordinate): number {
  const at = station.coordinate ?? snapshot.regionById.get(station.regionId ?? Number.NaN)?.coordinate;
  return at === undefined ? 0 : NEXT_DOOR / (1 + distanceKm(at, place) / HALF_AT_KM);
}
