import type { Outline } from '../../../formats/opml/document.ts';
import { logoOf, objectOutline, textOutline } from '../../../formats/opml/outlines.ts';
import { type GuideId, guideId } from '../../../lib/guide-id.ts';

/** The first line: the station or show. Scripts match its attributes in exactly this order. */
export const playingItemLine = (text: string, id: GuideId<'s' | 'p'>): Outline => ({
  ...textOutline(text, { guideId: id, key: id.startsWith('s') ? 'station' : 'show' }),
  image: logoOf(id),
  presetId: id,
});

/** `Town FM 97.9`: name and frequency, unless the name contains it. */
export const playingStationLine = (station: {
  id: number;
  name: string;
  frequency?: string | undefined;
}): Outline => {
  const { name, frequency } = station;
  const isSaid = frequency === undefined || name.includes(frequency);
  return playingItemLine(isSaid ? name : `${name} ${frequency}`, guideId('s', station.id));
};

export interface PlayingShow {
  id: number;
  title: string;
  secondsRemaining: number;
  durationSeconds: number;
}

export const playingShowLine = (show: PlayingShow): Outline => ({
  ...textOutline(show.title, { guideId: guideId('p', show.id), key: 'show' }),
  secondsRemaining: show.secondsRemaining,
  duration: show.durationSeconds,
});

/** The last line, for scripts that look for a `<logo>`. */
export const nowPlayingObject = (id: GuideId<'s' | 'p'>): Outline =>
  objectOutline('NowPlaying', 'nowplaying', [
    ['logo', logoOf(id)],
    ['twitterId', ''],
  ]);

export interface SongFacts {
  title: string;
  artist?: string | undefined;
  /** `yyyy-mm-ddThh:mm:ss`, in the caller's time zone. */
  start: string;
  zoneName: string;
}

/** A song that a station played. It has no link: songs have no ids here. */
export const songOutline = ({ title, artist, start, zoneName }: SongFacts): Outline => ({
  ...textOutline(title),
  subtext: artist,
  start,
  tz: zoneName,
});
