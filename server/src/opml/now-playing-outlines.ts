import { type GuideId, guideId } from '../lib/guide-id.ts';
import type { Outline } from './document.ts';
import { logoOf, textOutline } from './outlines.ts';

/** The first line: whose sound it is. Scripts match its attributes in exactly this order. */
export const playingItemLine = (text: string, id: GuideId<'s' | 'p'>): Outline => ({
  ...textOutline(text, { guideId: id, key: id.startsWith('s') ? 'station' : 'show' }),
  image: logoOf(id),
  presetId: id,
});

/** `Town FM 97.9`: the name and the frequency, unless the name says it already. */
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

/** The last of the lines, for the scripts that look for a `<logo>`. */
export const nowPlayingObject = (id: GuideId<'s' | 'p'>): Outline => ({
  type: 'object',
  text: 'NowPlaying',
  object: {
    element: 'nowplaying',
    fields: [
      ['logo', logoOf(id)],
      ['twitterId', ''],
    ],
  },
});
