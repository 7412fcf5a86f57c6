import type { Queryable } from '../db/pool.ts';
import { statement } from '../db/statement.ts';
import { type FindableItem, listFindableShows, listFindableStations, loadGenreLines } from './findable.ts';
import { searchDocument } from './search-document.ts';
import { settleTiers, tierOf } from './search-tiers.ts';

/** Marks taken at a time: their numbers are all that is held of them. */
const MOST_MARKS = 50_000;
/** Documents written at a time. */
const CHUNK = 1000;
/** Fewer changes than this leave the tiers' sizes as good as they were. */
const MANY = 500;

// Rows that another transaction is taking are its own affair; ours are seen by no one else.
const takeStale = statement(
  'search-take-stale',
  { kind: 'text', ids: 'int8[]' },
  `WITH taken AS (
     DELETE FROM search_stale WHERE ctid = ANY (ARRAY (SELECT ctid FROM search_stale LIMIT $1 FOR UPDATE SKIP LOCKED))
     RETURNING kind, item_id)
   SELECT kind, array_agg(DISTINCT item_id) AS ids FROM taken GROUP BY kind`,
);

const writeDocuments = statement(
  'search-write-documents',
  {},
  `INSERT INTO search_documents AS d (kind, item_id, name_key, words, popularity, tier)
   SELECT $1, u.item_id, u.name_key, u.words::tsvector, u.popularity, u.tier FROM jsonb_to_recordset($2::jsonb)
     AS u (item_id bigint, name_key text, words text, popularity integer, tier smallint)
   ON CONFLICT (kind, item_id) DO UPDATE SET name_key = excluded.name_key, words = excluded.words,
     popularity = excluded.popularity, tier = excluded.tier
   WHERE (d.name_key, d.words, d.popularity, d.tier)
     IS DISTINCT FROM (excluded.name_key, excluded.words, excluded.popularity, excluded.tier)`,
);

const removeDocuments = statement(
  'search-remove-documents',
  {},
  'DELETE FROM search_documents WHERE kind = $1 AND item_id = ANY ($2::bigint[])',
);

// In order, so that two transactions with words in common wait for each other and never both.
const addWords = statement(
  'search-add-words',
  {},
  `INSERT INTO search_words (word) SELECT u.word FROM unnest($1::text[]) AS u (word)
   WHERE NOT EXISTS (SELECT FROM search_words w WHERE w.word = u.word) ORDER BY u.word ON CONFLICT DO NOTHING`,
);

const KINDS = [
  { kind: 's', list: listFindableStations },
  { kind: 'p', list: listFindableShows },
] as const;

/**
 * Brings the documents in line with the items that this transaction has changed; the schema's triggers have marked
 * them. Comes last in whatever writes stations or shows; `bumpCatalogue` does it for those who move the version.
 */
export async function refreshSearch(client: Queryable): Promise<void> {
  for (;;) {
    const stale = await takeStale.run(client, [MOST_MARKS]);
    if (stale.length === 0) return;
    const genreLine = await loadGenreLines(client);
    for (const { kind, list } of KINDS) {
      const ids = stale.find((row) => row.kind === kind)?.ids ?? [];
      for (let start = 0; start < ids.length; start += CHUNK) {
        const chunk = ids.slice(start, start + CHUNK);
        await rewrite(client, kind, chunk, await list(client, chunk, genreLine));
      }
      if (ids.length >= MANY) await settleTiers(client, kind);
    }
  }
}

async function rewrite(
  client: Queryable,
  kind: 's' | 'p',
  ids: readonly number[],
  items: readonly FindableItem[],
): Promise<void> {
  const tier = await tierOf(client, kind);
  const vocabulary = new Set<string>();
  const rows = items.map((item) => {
    const { nameKey, words, vocabulary: spelled } = searchDocument(item);
    for (const word of spelled) vocabulary.add(word);
    const { id, popularity } = item;
    return { item_id: id, name_key: nameKey, words, popularity, tier: tier(popularity) };
  });
  const found = new Set(items.map(({ id }) => id));
  const gone = ids.filter((id) => !found.has(id));
  if (gone.length > 0) await removeDocuments.run(client, [kind, gone]);
  if (rows.length > 0) await writeDocuments.run(client, [kind, JSON.stringify(rows)]);
  if (vocabulary.size > 0) await addWords.run(client, [[...vocabulary]]);
}
