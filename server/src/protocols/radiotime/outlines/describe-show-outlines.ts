import { guideId } from '../../../lib/guide-id.ts';
import type { Outline } from '../../../formats/opml/document.ts';
import { logoOf, objectOutline } from '../../../formats/opml/outlines.ts';
import { reportTarget } from './report-outlines.ts';

/** The data of one show's description. */
export interface ShowDetails {
  id: number;
  title: string;
  hosts?: string | undefined;
  description?: string | undefined;
  homepage?: string | undefined;
  placeName?: string | undefined;
  /** Whether the caller has saved it. */
  isPreset?: boolean | undefined;
  hasTopics: boolean;
  languageName?: string | undefined;
  genreId?: number | undefined;
  genreName?: string | undefined;
  /** Its current or next broadcast. */
  next?: { start: string; startUtc: string; durationSeconds: number } | undefined;
}

/** As with a station: every field in the order clients know, empty when unknown. */
export function showObject(show: ShowDetails): Outline {
  const id = guideId('p', show.id);
  return objectOutline(show.title, 'show', [
    ['title', show.title],
    ['hosts', show.hosts ?? ''],
    ['guideId', id],
    ['presetId', id],
    ['description', show.description ?? ''],
    ['isPreset', show.isPreset ?? false],
    ['isEvent', false],
    ['url', show.homepage ?? ''],
    ['reportUrl', reportTarget(id)],
    ['detailUrl', ''],
    ['twitterId', ''],
    ['logo', logoOf(id)],
    ['location', show.placeName ?? ''],
    ['hasTopics', show.hasTopics],
    ['email', ''],
    ['phone', ''],
    ['language', show.languageName ?? ''],
    ['start', show.next?.start ?? ''],
    ['startUtc', show.next?.startUtc ?? ''],
    ['duration', show.next?.durationSeconds ?? null],
    ['genreId', show.genreId === undefined ? '' : guideId('g', show.genreId)],
    ['genreName', show.genreName ?? ''],
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

/** The data of one topic's description. */
export interface TopicDetails {
  id: number;
  title: string;
  description?: string | undefined;
  /** The address of its audio file. */
  address: string;
  streamType: string;
  format?: string | undefined;
  durationSeconds?: number | undefined;
  show: { id: number; title: string; hosts?: string | undefined };
}

export function topicObject({ show, ...topic }: TopicDetails): Outline {
  const showId = guideId('p', show.id);
  return objectOutline(topic.title, 'topic', [
    ['guideId', guideId('t', topic.id)],
    ['title', topic.title],
    ['description', topic.description ?? ''],
    ['hosts', show.hosts ?? ''],
    ['url', topic.address],
    ['logo', logoOf(showId)],
    ['isAvailable', true],
    ['streamType', topic.streamType],
    ['mediaType', topic.format ?? ''],
    ['showId', showId],
    ['showTitle', show.title],
    // Clients read an integer here and fail on an empty value.
    ['duration', topic.durationSeconds ?? 0],
  ]);
}
