import { guideId } from '../../../lib/guide-id.ts';
import type { Outline } from '../../../formats/opml/document.ts';
import type { TopicRow } from '../../../storage/catalog/shows/topics.ts';
import type { DescribedShowRow } from '../describe/queries.ts';
import { logoOf, objectOutline } from '../../../formats/opml/outlines.ts';
import { reportTarget } from './report-outlines.ts';

/** What a show's description says beside its row, in the caller's words. */
export interface ShowDetails {
  placeName: string | undefined;
  /** Whether the caller has saved it. */
  isPreset: boolean;
  languageName: string | undefined;
  genreName: string | undefined;
  /** Its current or next broadcast. */
  next: { start: string; startUtc: string; durationSeconds: number } | undefined;
}

/** As with a station: every field in the order clients know, empty when unknown. */
export function showObject(show: DescribedShowRow, details: ShowDetails): Outline {
  const id = guideId('p', show.id);
  return objectOutline(show.title, 'show', [
    ['title', show.title],
    ['hosts', show.hosts ?? ''],
    ['guideId', id],
    ['presetId', id],
    ['description', show.description ?? ''],
    ['isPreset', details.isPreset],
    ['isEvent', false],
    ['url', show.homepage ?? ''],
    ['reportUrl', reportTarget(id)],
    ['detailUrl', ''],
    ['twitterId', ''],
    ['logo', logoOf(id)],
    ['location', details.placeName ?? ''],
    ['hasTopics', show.has_topics],
    ['email', ''],
    ['phone', ''],
    ['language', details.languageName ?? ''],
    ['start', details.next?.start ?? ''],
    ['startUtc', details.next?.startUtc ?? ''],
    ['duration', details.next?.durationSeconds ?? null],
    ['genreId', show.genre_id === null ? '' : guideId('g', show.genre_id)],
    ['genreName', details.genreName ?? ''],
    ['secondaryGenreId', ''],
    ['secondaryGenreName', ''],
    ['fbShare', false],
    ['twitterShare', false],
    ['adEligible', false],
    ['tuneinUrl', ''],
    ['isFamilyContent', false],
    ['isMatureContent', false],
    ['contentClassification', ''],
    ['hasProfile', 'false'],
  ]);
}

export function topicObject(topic: TopicRow, show: DescribedShowRow): Outline {
  const showId = guideId('p', show.id);
  return objectOutline(topic.title, 'topic', [
    ['guideId', guideId('t', topic.id)],
    ['title', topic.title],
    ['description', topic.description ?? ''],
    ['hosts', show.hosts ?? ''],
    ['url', topic.address],
    ['logo', logoOf(showId)],
    ['isAvailable', true],
    ['streamType', topic.stream_type],
    ['mediaType', topic.format ?? ''],
    ['showId', showId],
    ['showTitle', show.title],
    // Clients read an integer here and fail on an empty value.
    ['duration', topic.duration_seconds ?? 0],
  ]);
}
