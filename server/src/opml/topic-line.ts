import type { ListedTopicRow } from '../catalog/topics.ts';
import { dayText } from '../lib/day-text.ts';
import type { Outline } from './document.ts';
import { type TopicFacts, topicOutline } from './show-outlines.ts';

const STREAM_TYPES = ['download', 'ondemand', 'live'] as const satisfies TopicFacts['streamType'][];

type ToldTopic = Pick<
  ListedTopicRow,
  'id' | 'show_id' | 'title' | 'published_at' | 'duration_seconds' | 'stream_type'
>;

/** A topic's line, the same in every menu of a language: clients tell new topics by the day it names. */
export const topicLine = (topic: ToldTopic, language: string): Outline =>
  topicOutline({
    id: topic.id,
    showId: topic.show_id,
    title: topic.title,
    dateText: dayText(topic.published_at, language),
    durationSeconds: topic.duration_seconds ?? undefined,
    streamType: STREAM_TYPES.find((type) => type === topic.stream_type) ?? 'download',
  });

/** The line of a topic among those of other shows: under its title stands whose it is. */
export const mixedTopicLine = (topic: ToldTopic & { show_title: string }, language: string): Outline => ({
  ...topicLine(topic, language),
  subtext: topic.show_title,
});
