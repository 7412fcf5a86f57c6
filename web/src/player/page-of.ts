import type { PlayerItem } from './state.ts';

/** A topic and a saved address are neither presets nor have a page. */
export const canBePreset = ({ guideId, address }: PlayerItem): boolean =>
  address === undefined && guideId.startsWith('s');

/** The site's page for an item. */
export const playerPageOf = (item: PlayerItem): string | undefined =>
  canBePreset(item) ? `/station/${item.guideId}` : undefined;
/** The site's page for an item: a topic has that of its show, a saved address has none. */
export function playerPageOf({ guideId, address, showId }: PlayerItem): string | undefined {
  if (address !== undefined) return undefined;
  if (guideId.startsWith('s')) return `/station/${guideId}`;
  return showId ? `/show/${showId}` : undefined;
}
