import { setImmediate } from 'node:timers/promises';
import type { Position } from './position.ts';

/**
 * A k-d tree over points of the unit sphere. Its nodes are halves of halves of the points, which lie in the order of the
 * tree, so it is two numbers a node and no pointers. On the sphere there are no poles and no date line to step around.
 */
export interface SiteTree {
  /** By node: along which axis it is halved, and where. The halves of node n are 2n + 1 and 2n + 2. */
  readonly axes: Uint8Array;
  readonly splits: Float64Array;
}

/** Fewer points than this are looked at one by one. */
export const LEAF_SITES = 8;

export const middleOf = (from: number, to: number): number => (from + to) >>> 1;

/** A part of so many points is sorted before others get their turn. */
const LONG_PART = 2000;

/** The tree, and the points' order in it. Requests are answered between two large parts. */
export async function buildTree(
  points: readonly Position[],
): Promise<{ tree: SiteTree; order: Int32Array<ArrayBuffer> }> {
  const order = Int32Array.from(points.keys());
  const nodes = 2 ** Math.max(1, Math.ceil(Math.log2(points.length / LEAF_SITES + 1)) + 1);
  const tree = { axes: new Uint8Array(nodes), splits: new Float64Array(nodes) };
  const parts: Part[] = [{ node: 0, from: 0, to: points.length }];
  for (let part = parts.pop(); part; part = parts.pop()) {
    if (part.to - part.from <= LEAF_SITES) continue;
    parts.push(...halve(points, order, tree, part));
    if (part.to - part.from >= LONG_PART) await setImmediate();
  }
  return { tree, order };
}

/** The points of a node, as far as they are in order. */
interface Part {
  node: number;
  from: number;
  to: number;
}

function halve(points: readonly Position[], order: Int32Array, tree: SiteTree, part: Part): Part[] {
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
