import type { Outline } from './document.ts';
import { textOutline } from './outlines.ts';

export interface SongFacts {
  title: string;
  artist?: string | undefined;
  /** `yyyy-mm-ddThh:mm:ss`, in the zone the caller is told times in. */
  start: string;
  zoneName: string;
}

/** A song that a station played. It leads nowhere: songs have no ids here. */
export const songOutline = ({ title, artist, start, zoneName }: SongFacts): Outline => ({
  ...textOutline(title),
  subtext: artist,
  start,
  tz: zoneName,
});
