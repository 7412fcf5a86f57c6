import type { Queryable } from '../../db/pool.ts';
import { statement } from '../../db/statement.ts';
import { keepNewestTopics, NEWEST_COLUMNS } from '../shows/newest-topics.ts';

/**
 * How texts are folded into search words (lib/search-words.ts); the comment of the table says which one its rows have.
 * Change it whenever folding changes, and let REFOLDED match what the change affects.
 */
const FOLDING = 'folding 2: marks are kept in scripts where they are letters';

/** Scripts whose words folding 2 changed: Cyrillic, those of South and South-East Asia, and kana. */
const REFOLDED = String.raw`[\u0400-\u052f\u0780-\u07bf\u0900-\u109f\u1700-\u1aff\u3040-\u30ff\ua800-\uabff\uff66-\uff9f]`;

const findFolding = statement(
  'search-folding',
  { folding: 'text?' },
  "SELECT obj_description('search_documents'::regclass, 'pg_class') AS folding",
);

const isFolded = async (client: Queryable): Promise<boolean> =>
  (await findFolding.run(client, []))[0]?.folding === FOLDING;

// Of a station the places and genres have English names.
const markItems = statement(
  'search-mark-refolded',
  {},
  `INSERT INTO search_stale
   SELECT 's', id FROM stations WHERE listed AND concat_ws(' ', name, slogan, call_sign) ~ $1
   UNION ALL SELECT 'p', id FROM shows WHERE listed AND concat_ws(' ', title, hosts, description) ~ $1`,
);

const topicsAfter = statement(
  'search-refolded-topics',
  NEWEST_COLUMNS,
  `SELECT n.topic_id AS id, n.show_id, n.title, n.stream_type, n.published_at, n.duration_seconds
   FROM newest_topics n JOIN shows s ON s.id = n.show_id
   WHERE n.show_id > $2 AND (n.title ~ $1 OR s.title ~ $1) ORDER BY n.show_id LIMIT 1000`,
);

/**
 * Marks what an earlier version indexed with another folding, for `refreshSearch` to index again, and does so for the
 * newest topics. Reads every text once after an upgrade that changed the folding, and nothing from then on.
 */
export async function markRefolded(client: Queryable): Promise<void> {
  if (await isFolded(client)) return;
  // Of several processes that start at once, one does it; readers and writers go on.
  await client.query({ text: 'LOCK TABLE search_documents IN SHARE UPDATE EXCLUSIVE MODE' });
  if (await isFolded(client)) return;
  await markItems.run(client, [REFOLDED]);
  for (let afterId = 0; ;) {
    const topics = await topicsAfter.run(client, [REFOLDED, afterId]);
    await keepNewestTopics(client, topics);
    const last = topics.at(-1);
    if (!last) break;
    afterId = last.show_id;
  }
  await client.query({ text: `COMMENT ON TABLE search_documents IS '${FOLDING}'` });
}
