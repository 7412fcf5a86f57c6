import type { PlayerItem } from './state.ts';

/** The page of the site about an item; a topic and a saved address have none. */
export const pageOf = ({ guideId, address }: PlayerItem): string | undefined =>
  address === undefined && guideId.startsWith('s') ? `/station/${guideId}` : undefined;
