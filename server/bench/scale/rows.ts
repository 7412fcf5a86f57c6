import type { CopyValue } from '../../src/storage/db/copy.ts';
import { randomOf } from './random.ts';
import type { MadeShow } from './world.ts';

/** Ids of the genres and languages, the commonest first. */
export interface Ranks {
  genres: readonly number[];
  languages: readonly number[];
}

export const SHOW_COLUMNS = [
  'id',
  'title',
  'hosts',
  'description',
  'homepage',
  'feed_address',
  'feed_key',
  'language_id',
  'genre_id',
  'popularity',
];

export const showRow = (show: MadeShow, { genres, languages }: Ranks): CopyValue[] => [
  show.id,
  show.title,
  show.hosts,
  show.description,
  show.homepage,
  show.feedAddress,
  show.feedKey,
  languages[show.languageRank] ?? null,
  genres[show.genreRank] ?? null,
  show.popularity,
];

export const FEED_COLUMNS = ['show_id', 'host', 'next_due_at', 'interval_seconds', 'etag', 'digest'];
const DAY_MS = 86_400_000;

/** Due within a day before or after the load: half the feeds are late. */
export const feedRow = ({ id, feedAddress, feedKey, topicEveryMs }: MadeShow): CopyValue[] => [
  id,
  new URL(feedAddress).hostname,
  new Date(Date.now() + (2 * randomOf(id + 2e9)() - 1) * DAY_MS).toISOString(),
  Math.min(30 * 86_400, Math.max(3600, Math.round(topicEveryMs / 10_000))),
  `"${feedKey}"`,
  feedKey,
];
