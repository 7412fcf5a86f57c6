import { kept } from '../../app/kept.ts';
import { parsePositions } from '../../player/positions.ts';

/** Where a topic was left in this browser, in seconds. */
export const keptPosition = (guideId: string): number | undefined =>
  parsePositions(kept('positions')).find(([id]) => id === guideId)?.[1];
