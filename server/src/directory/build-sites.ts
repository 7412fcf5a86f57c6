import type { Coordinate } from '../lib/geo.ts';
import { inTurns } from './in-turns.ts';
import { positionOf } from './position.ts';
import { buildTree } from './site-tree.ts';
import type { Sites } from './sites.ts';
import type { StationDraft } from './station-draft.ts';

export async function buildSites(drafts: readonly StationDraft[], playable: Int32Array): Promise<Sites> {
  const unordered = await ranksByPoint(drafts);
  const positions = unordered.map(([rank]) => positionOf(pointOf(drafts[rank!]!)));
  const { tree, order } = await buildTree(positions);
  const groups = Array.from(order, (group) => unordered[group]!);
  const sites = {
    tree,
    positions: Float64Array.from(Array.from(order, (group) => positions[group]!).flat()),
    starts: new Int32Array(groups.length + 1),
    ranks: Int32Array.from(groups.flat()),
    playable: new Int32Array(groups.length),
    siteByRank: new Int32Array(drafts.length).fill(-1),
  };
  await inTurns(groups, (ranks, site) => {
    sites.starts[site + 1] = sites.starts[site]! + ranks.length;
    for (const rank of ranks) {
      sites.playable[site]! |= playable[rank]!;
      sites.siteByRank[rank] = site;
    }
  });
  return sites;
}

async function ranksByPoint(drafts: readonly StationDraft[]): Promise<number[][]> {
  const points = new Map<string, number[]>();
  await inTurns(drafts, (draft, rank) => {
    if (Number.isNaN(draft.longitude)) return;
    const { longitude, latitude } = pointOf(draft);
    const key = `${longitude},${latitude}`;
    const ranks = points.get(key);
    if (ranks) ranks.push(rank);
    else points.set(key, [rank]);
  });
  return [...points.values()];
}

/** One point, one coordinate: a pole has every longitude, and the date line two. */
function pointOf({ longitude, latitude }: Coordinate): Coordinate {
  if (Math.abs(latitude) === 90) return { longitude: 0, latitude };
  return { longitude: longitude === -180 ? 180 : longitude, latitude };
}
