import { guideId } from '../lib/guide-id.ts';
import type { Outline } from './document.ts';
import { linkOutline, logoOf } from './outlines.ts';

export interface ScheduleFacts {
  showId: number;
  title: string;
  /** `yyyy-mm-ddThh:mm:ss`, in the zone the caller is told times in. */
  start: string;
  durationSeconds: number;
  /** That zone's name, for a caller who is told anything but UTC. */
  zoneName?: string | undefined;
}

/** A show in a station's schedule; its link plays it while it is live, and what there is of it before. */
export function scheduleOutline({ showId, title, start, durationSeconds, zoneName }: ScheduleFacts): Outline {
  const id = guideId('p', showId);
  const params = [
    ['c', 'pbrowse'],
    ['id', id],
  ] as const;
  return {
    ...linkOutline(title, { path: '/Tune.ashx', params }, { guideId: id }),
    start,
    duration: durationSeconds,
    image: logoOf(id),
    tz: zoneName,
  };
}
