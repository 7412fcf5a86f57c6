import { forEachYielding } from '../../../lib/clock.ts';
import type { Coordinate } from '../../../lib/geo.ts';
import type { SnapshotStationDraft } from '../snapshot/station-draft.ts';
import { cityNameKeys } from './city-names.ts';
import { buildTree, positionOf, type Locations } from './locations.ts';

export async function buildLocations(
  drafts: readonly SnapshotStationDraft[],
  playable: Int32Array,
): Promise<Locations> {
  const unordered = (await ranksByPoint(drafts)).flatMap((ranks) => withoutGuesses(drafts, ranks));
  const positions = unordered.map(([rank]) => positionOf(pointOf(drafts[rank!]!)));
  const { tree, order } = await buildTree(positions);
  const groups = Array.from(order, (group) => unordered[group]!);
  const locations = {
    tree,
    positions: Float64Array.from(Array.from(order, (group) => positions[group]!).flat()),
    starts: new Int32Array(groups.length + 1),
    ranks: Int32Array.from(groups.flat()),
    playable: new Int32Array(groups.length),
    locationByRank: new Int32Array(drafts.length).fill(-1),
  };
  await forEachYielding(groups, (ranks, location) => {
    locations.starts[location + 1] = locations.starts[location]! + ranks.length;
    for (const rank of ranks) {
      locations.playable[location]! |= playable[rank]!;
      locations.locationByRank[rank] = location;
    }
  });
  return locations;
}

async function ranksByPoint(drafts: readonly SnapshotStationDraft[]): Promise<number[][]> {
  const points = new Map<string, number[]>();
  await forEachYielding(drafts, (draft, rank) => {
    if (Number.isNaN(draft.longitude)) return;
    const { longitude, latitude } = pointOf(draft);
    const key = `${longitude},${latitude}`;
    const ranks = points.get(key);
    if (ranks) ranks.push(rank);
    else points.set(key, [rank]);
  });
  return [...points.values()];
}

/** A point that the pages of this many owners claim is one that a map gives for the name of a city. */
const SHARED_BY_OWNERS = 5;

/**
 * The stations of a point that are known to be there: all, unless many unrelated owners claim that very point. Then those
 * that claim it were put there by somebody who knew the city at best, and often not even that; a claim counts only where the
 * station is named after the city. Empty when nobody is left.
 */
function withoutGuesses(drafts: readonly SnapshotStationDraft[], ranks: number[]): number[][] {
  const claims = ranks.map((rank) => drafts[rank]!).filter(({ isClaim }) => isClaim);
  if (claims.length < SHARED_BY_OWNERS) return [ranks];
  const owners = new Set(claims.map(({ domain }) => domain));
  owners.delete(undefined);
  if (owners.size < SHARED_BY_OWNERS) return [ranks];
  const known = ranks.filter((rank) => !drafts[rank]!.isClaim || isNamedAfterCity(drafts[rank]!));
  return known.length > 0 ? [known] : [];
}

function isNamedAfterCity({ station, nameKey: name }: SnapshotStationDraft): boolean {
  const [city = ''] = station.placeName?.split(',', 1) ?? [];
  return city !== '' && cityNameKeys(station.countryCode, city).some((key) => name.includes(key));
}

/** Normalizes a point to one coordinate: a pole has every longitude, and the date line two. */
function pointOf({ longitude, latitude }: Coordinate): Coordinate {
  if (Math.abs(latitude) === 90) return { longitude: 0, latitude };
  return { longitude: longitude === -180 ? 180 : longitude, latitude };
}
