import { setImmediate } from 'node:timers/promises';
import type { Coordinate } from '../../../lib/geo.ts';

/**
 * The points on the map that have stations. More than half of the stations share a point with another, the coordinate
 * of their town, so the tree holds points, and each point its stations in order of rank.
 */
export interface Locations {
  /** Locations are numbered in tree order, so that neighbours are adjacent in memory. */
  readonly tree: LocationTree;
  /** Three numbers per location: its point on the unit sphere. */
  readonly positions: Float64Array;
  /** Where a location's ranks start in `ranks`; they end where the next one's start. */
  readonly starts: Int32Array;
  readonly ranks: Int32Array;
  /** Formats that any station of the location plays. */
  readonly playable: Int32Array;
  /** By rank; -1 for a station without a known position, and where its position is only a guess. */
  readonly locationByRank: Int32Array;
}

/** Squared length of the chord through the earth, in earth radii; it sorts like the distance along the surface. */
export function squaredDistance({ positions }: Locations, location: number, position: Position): number {
  const east = positions[location * 3]! - position[0];
  const north = positions[location * 3 + 1]! - position[1];
  const up = positions[location * 3 + 2]! - position[2];
  return east * east + north * north + up * up;
}

/** The same between two points. */
export function squaredChord(a: Position, b: Position): number {
  const [east, north, up] = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
  return east * east + north * north + up * up;
}

export const EARTH_RADIUS_KM = 6371;

/** The same of a distance along the surface. */
export const squaredReach = (km: number): number =>
  km === Infinity ? Infinity : (2 * Math.sin(km / EARTH_RADIUS_KM / 2)) ** 2;

/**
 * A k-d tree over points of the unit sphere. Each node splits its range of points in half, and the points are stored in
 * tree order, so a node takes two numbers and no pointers. The sphere has no special cases at the poles and the date
 * line.
 */
interface LocationTree {
  /** By node: the split axis, and the split value. The children of node n are 2n + 1 and 2n + 2. */
  readonly axes: Uint8Array;
  readonly splits: Float64Array;
}

/** Ranges with fewer points than this are scanned. */
export const LEAF_LOCATIONS = 8;

export const middleOf = (from: number, to: number): number => (from + to) >>> 1;

/** After sorting a range of this many points, the builder yields to other work. */
const LONG_PART = 2000;

/** Builds the tree and returns the order of its points. Yields between large ranges so that requests are answered. */
export async function buildTree(
  points: readonly Position[],
): Promise<{ tree: LocationTree; order: Int32Array<ArrayBuffer> }> {
  const order = Int32Array.from(points.keys());
  const nodes = 2 ** Math.max(1, Math.ceil(Math.log2(points.length / LEAF_LOCATIONS + 1)) + 1);
  const tree = { axes: new Uint8Array(nodes), splits: new Float64Array(nodes) };
  const parts: Part[] = [{ node: 0, from: 0, to: points.length }];
  for (let part = parts.pop(); part; part = parts.pop()) {
    if (part.to - part.from <= LEAF_LOCATIONS) continue;
    parts.push(...halve(points, order, tree, part));
    if (part.to - part.from >= LONG_PART) await setImmediate();
  }
  return { tree, order };
}

/** A node's range of points, sorted so far. */
interface Part {
  node: number;
  from: number;
  to: number;
}

function halve(points: readonly Position[], order: Int32Array, tree: LocationTree, part: Part): Part[] {
  const { node, from, to } = part;
  const axis = widestAxis(points, order, from, to);
  const middle = middleOf(from, to);
  order.subarray(from, to).sort((a, b) => points[a]![axis] - points[b]![axis] || a - b);
  tree.axes[node] = axis;
  tree.splits[node] = points[order[middle]!]![axis];
  return [
    { node: 2 * node + 1, from, to: middle },
    { node: 2 * node + 2, from: middle, to },
  ];
}

type Axis = 0 | 1 | 2;

function widestAxis(points: readonly Position[], order: Int32Array, from: number, to: number): Axis {
  const widths = ([0, 1, 2] as const).map((axis) => {
    let [least, most] = [Infinity, -Infinity];
    for (let at = from; at < to; at++) {
      const value = points[order[at]!]![axis];
      if (value < least) least = value;
      if (value > most) most = value;
    }
    return most - least;
  });
  const widest = Math.max(...widths);
  return ([0, 1, 2] as const).find((axis) => widths[axis] === widest) ?? 0;
}

export type Position = readonly [x: number, y: number, z: number];

/** On the unit sphere, where the nearer point has the shorter chord: no trigonometry while searching. */
export function positionOf({ longitude, latitude }: Coordinate): Position {
  const east = (longitude * Math.PI) / 180;
  const north = (latitude * Math.PI) / 180;
  return [Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)];
}
