import type KDBush from 'kdbush';
import type { Coordinate } from '../lib/geo.ts';

/**
 * The points of the map at which stations stand. More than half of them stand exactly where another does, at the
 * coordinate of their town, so the tree holds points, and each point its stations in order of rank.
 */
export interface Sites {
  readonly tree: KDBush;
  /** Three numbers a site: its point on the unit sphere. */
  readonly positions: Float64Array;
  /** Where a site's ranks start in `ranks`; they end where the next one's start. */
  readonly starts: Int32Array;
  readonly ranks: Int32Array;
  /** What any station of the site plays. */
  readonly playable: Int32Array;
  /** By rank; -1 for a station of which nobody knows where it is. */
  readonly siteByRank: Int32Array;
}

export type Position = readonly [x: number, y: number, z: number];

/** On the unit sphere, where the nearer point has the shorter straight line: no trigonometry while searching. */
export function positionOf({ longitude, latitude }: Coordinate): Position {
  const east = (longitude * Math.PI) / 180;
  const north = (latitude * Math.PI) / 180;
  return [Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)];
}

/** Squared, of the straight line through the earth, in earth radii; it orders as the way round does. */
export function squaredDistance({ positions }: Sites, site: number, [x, y, z]: Position): number {
  const east = positions[site * 3]! - x;
  const north = positions[site * 3 + 1]! - y;
  const up = positions[site * 3 + 2]! - z;
  return east * east + north * north + up * up;
}
