import { shardInId, shardOf } from '../../../lib/ids.ts';
import { type FormatMask, formatNames, onlyFormats } from '../../../lib/stream-format.ts';
import type { Queryable } from '../../db/pool.ts';
import { type RowOf, statement } from '../../db/statement.ts';

// Lists omit descriptions: they are long, and mostly stored on pages of their own.
const LISTED_COLUMNS = {
  id: 'int8',
  show_id: 'int8',
  title: 'text',
  address: 'text',
  format: 'text?',
  stream_type: 'text',
  duration_seconds: 'int4?',
  published_at: 'timestamptz',
} as const;
const COLUMNS = { ...LISTED_COLUMNS, description: 'text?' } as const;

export type ListedTopicRow = RowOf<typeof LISTED_COLUMNS>;
export type TopicRow = RowOf<typeof COLUMNS>;

/** A topic by its id alone, whose low bits give its partition. */
export const findTopic = statement(
  'topic-by-id',
  COLUMNS,
  `SELECT ${Object.keys(COLUMNS).join(', ')} FROM topics WHERE shard = $1 AND id = $2`,
).first((id: number) => [shardInId(id), id]);

/** Where a page ended; the next one starts after it. */
export type TopicCursor = Pick<TopicRow, 'published_at' | 'id'>;

const ofShow = statement(
  'topics-of-show',
  LISTED_COLUMNS,
  `SELECT ${Object.keys(LISTED_COLUMNS).join(', ')} FROM topics
   WHERE shard = $1 AND show_id = $2 AND (published_at, id) < ($3, $4)
     AND ($6::text[] IS NULL OR coalesce(format, 'mp3') = ANY ($6))
   ORDER BY published_at DESC, id DESC LIMIT $5`,
);

/** The newest topics of a show in these formats, optionally only those after a cursor. */
export function listTopicsOfShow(
  db: Queryable,
  showId: number,
  { after, limit = 50, formats }: { after?: TopicCursor; limit?: number; formats?: FormatMask } = {},
): Promise<ListedTopicRow[]> {
  const only = onlyFormats(formats);
  const end = after ? [after.published_at.toString(), after.id] : ['infinity', Number.MAX_SAFE_INTEGER];
  return ofShow.run(db, [shardOf(showId), showId, ...end, limit, only && formatNames(only)]);
}
