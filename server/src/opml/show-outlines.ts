import { guideId } from '../lib/guide-id.ts';
import type { Outline } from './document.ts';
import { logoOf } from './outlines.ts';

export interface ShowFacts {
  id: number;
  title: string;
  /** What it is about, or what is on; shown under the title. */
  subtext: string;
  genreId?: number | undefined;
}

export function showOutline(show: ShowFacts): Outline {
  const id = guideId('p', show.id);
  return {
    type: 'link',
    text: show.title,
    target: {
      path: '/Tune.ashx',
      params: [
        ['c', 'pbrowse'],
        ['id', id],
      ],
    },
    guideId: id,
    subtext: show.subtext,
    genreId: show.genreId === undefined ? undefined : guideId('g', show.genreId),
    item: 'show',
    image: logoOf(id),
    currentTrack: show.subtext,
    presetId: id,
  };
}

export interface TopicFacts {
  id: number;
  showId: number;
  title: string;
  /** The day in words. It must stay the same for a topic: clients tell new topics by it. */
  dateText: string;
  durationSeconds?: number | undefined;
  streamType: 'download' | 'ondemand' | 'live';
}

export function topicOutline(topic: TopicFacts): Outline {
  const id = guideId('t', topic.id);
  const showId = guideId('p', topic.showId);
  return {
    type: 'audio',
    text: topic.title,
    target: {
      path: '/Tune.ashx',
      params: [
        ['id', id],
        ['sid', showId],
      ],
    },
    guideId: id,
    streamType: topic.streamType,
    topicDuration: topic.durationSeconds,
    subtext: topic.dateText,
    item: 'topic',
    image: logoOf(showId),
    currentTrack: topic.dateText,
    nowPlayingId: id,
  };
}
