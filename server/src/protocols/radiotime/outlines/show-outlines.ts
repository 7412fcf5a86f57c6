import type { ShowFacts } from '../../../core/search/show-facts.ts';
import { linkTo, type Outline } from '../../../formats/opml/document.ts';
import { logoOf } from '../../../formats/opml/outlines.ts';
import { guideId } from '../../../lib/guide-id.ts';
import { dayText } from '../../../lib/zone.ts';
import type { ListedTopicRow } from '../../../storage/catalog/shows/topics.ts';

export function showOutline(show: ShowFacts): Outline {
  const id = guideId('p', show.id);
  return {
    type: 'link',
    text: show.title,
    target: linkTo('/Tune.ashx', ['c', 'pbrowse'], ['id', id]),
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
  /** The date in words. Must stay the same for a topic: clients detect new topics by it. */
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
    target: linkTo('/Tune.ashx', ['id', id], ['sid', showId]),
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

const STREAM_TYPES = ['download', 'ondemand', 'live'] as const satisfies TopicFacts['streamType'][];

type TopicUpdate = Pick<
  ListedTopicRow,
  'id' | 'show_id' | 'title' | 'published_at' | 'duration_seconds' | 'stream_type'
>;

/** A topic's line, the same in every menu of a language: clients detect new topics by its date. */
export const topicLine = (topic: TopicUpdate, language: string): Outline =>
  topicOutline({
    id: topic.id,
    showId: topic.show_id,
    title: topic.title,
    dateText: dayText(topic.published_at, language),
    durationSeconds: topic.duration_seconds ?? undefined,
    streamType: STREAM_TYPES.find((type) => type === topic.stream_type) ?? 'download',
  });

/** A topic among those of other shows, with its show's title below. */
export const mixedTopicLine = (topic: TopicUpdate & { show_title: string }, language: string): Outline => ({
  ...topicLine(topic, language),
  subtext: topic.show_title,
});
