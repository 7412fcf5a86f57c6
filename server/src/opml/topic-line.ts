import type { ListedTopicRow } from '../catalog/topics.ts';
import { dayText } from '../lib/day-text.ts';
import type { Outline } from './document.ts';
import { type TopicFacts, topicOutline } from './show-outlines.ts';

const STREAM_TYPES = ['download', 'ondemand', 'live'] as const satisfies TopicFacts['streamType'][];

/** A topic's line, the same in every menu of a language: clients tell new topics by the day it names. */
export const topicLine = (topic: ListedTopicRow, language: string): Outline =>
  topicOutline({
    id: topic.id,
    showId: topic.show_id,
    title: topic.title,
    dateText: dayText(topic.published_at, language),
    durationSeconds: topic.duration_seconds ?? undefined,
    streamType: STREAM_TYPES.find((type) => type === topic.stream_type) ?? 'download',
  });
