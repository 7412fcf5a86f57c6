import { guideId } from '../../../lib/guide-id.ts';
import { linkTo, type Outline } from '../../../formats/opml/document.ts';
import { linkOutline, logoOf } from '../../../formats/opml/outlines.ts';

export interface ScheduleFacts {
  showId: number;
  title: string;
  /** `yyyy-mm-ddThh:mm:ss`, in the caller's time zone. */
  start: string;
  durationSeconds: number;
  /** The zone's name, for times other than UTC. */
  zoneName?: string | undefined;
}

/** A show in a station's schedule; its link plays it while it is live, and its topics otherwise. */
export function scheduleOutline({ showId, title, start, durationSeconds, zoneName }: ScheduleFacts): Outline {
  const id = guideId('p', showId);
  return {
    ...linkOutline(title, linkTo('/Tune.ashx', ['c', 'pbrowse'], ['id', id]), { guideId: id }),
    start,
    duration: durationSeconds,
    image: logoOf(id),
    tz: zoneName,
  };
}
