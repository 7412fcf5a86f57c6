import type { PlayerItem } from '../engine/state.ts';

/** A topic and a saved address are no presets. */
export const canBePreset = ({ guideId, address }: PlayerItem): boolean =>
  address === undefined && guideId.startsWith('s');

/** The site's page for an item: a topic has that of its show, a saved address has none. */
export function playerPageOf(item: PlayerItem): string | undefined {
  if (canBePreset(item)) return `/station/${item.guideId}`;
  return item.address === undefined && item.showId ? `/show/${item.showId}` : undefined;
}
