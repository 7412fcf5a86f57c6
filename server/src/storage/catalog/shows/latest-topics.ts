import { shardOf } from '../../../lib/ids.ts';
import { statement } from '../../db/statement.ts';
import { NEWEST_COLUMNS } from './newest-topics.ts';

// The bound is greater than every topic; it makes PostgreSQL use the index with this order, in one partition a show.
const LATEST = `SELECT t.id, t.show_id, s.title AS show_title, t.title, t.stream_type, t.duration_seconds, t.published_at
   FROM unnest($1::bigint[], $2::smallint[]) AS wanted (show_id, shard)
   JOIN shows AS s ON s.id = wanted.show_id
   CROSS JOIN LATERAL (
     SELECT id, show_id, title, stream_type, duration_seconds, published_at FROM topics
     WHERE shard = wanted.shard AND show_id = wanted.show_id
       AND (published_at, id) < ('infinity', 9223372036854775807)
     ORDER BY published_at DESC, id DESC LIMIT $3) AS t
   ORDER BY t.published_at DESC, t.id DESC`;

/** The few latest topics of each of these shows, all in one list, the latest first. */
export const listLatestTopics = statement(
  'latest-topics-of-shows',
  { ...NEWEST_COLUMNS, show_title: 'text' },
  LATEST,
).all((showIds: readonly number[], each: number) => [showIds, showIds.map(shardOf), each]);
