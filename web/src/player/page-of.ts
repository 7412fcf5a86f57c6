import type { PlayerItem } from './state.ts';

/** The site's page for an item; a topic and a saved address have none. */
export const playerPageOf = ({ guideId, address }: PlayerItem): string | undefined =>
  address === undefined && guideId.startsWith('s') ? `/station/${guideId}` : undefined;
