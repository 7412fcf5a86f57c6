import type { PlayerItem } from './state.ts';

/** A topic and a saved address are neither presets nor have a page. */
export const canBePreset = ({ guideId, address }: PlayerItem): boolean =>
  address === undefined && guideId.startsWith('s');

/** The site's page for an item. */
export const playerPageOf = (item: PlayerItem): string | undefined =>
  canBePreset(item) ? `/station/${item.guideId}` : undefined;
