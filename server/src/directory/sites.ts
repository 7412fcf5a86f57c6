import type { Position } from './position.ts';
import type { SiteTree } from './site-tree.ts';

/**
 * The points of the map at which stations stand. More than half of them stand exactly where another does, at the
 * coordinate of their town, so the tree holds points, and each point its stations in order of rank.
 */
export interface Sites {
  /** Sites are numbered in the order of the tree, so that neighbours lie side by side. */
  readonly tree: SiteTree;
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

/** Squared, of the straight line through the earth, in earth radii; it orders as the way round does. */
export function squaredDistance({ positions }: Sites, site: number, position: Position): number {
  const east = positions[site * 3]! - position[0];
  const north = positions[site * 3 + 1]! - position[1];
  const up = positions[site * 3 + 2]! - position[2];
  return east * east + north * north + up * up;
}
