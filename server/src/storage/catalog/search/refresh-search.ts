import type { Queryable } from '../../db/pool.ts';
import { statement } from '../../db/statement.ts';
import { type FindableItem, listFindableShows, listFindableStations, loadGenreLineages } from './findable.ts';
import { searchDocument } from './search-document.ts';

/** Marks taken at a time: only their ids are in memory. */
const MAX_MARKS = 50_000;
/** Documents written per statement. */
const CHUNK = 1000;
/** Fewer changes than this do not affect the tiers' sizes. */
const MANY = 500;

// Skips rows that another transaction is taking; ours are invisible to others.
const takeStale = statement(
  'search-take-stale',
  { kind: 'text', ids: 'int8[]', marks: 'int8' },
  `WITH taken AS (
     DELETE FROM search_stale WHERE ctid = ANY (ARRAY (SELECT ctid FROM search_stale LIMIT $1 FOR UPDATE SKIP LOCKED))
     RETURNING kind, item_id)
   SELECT kind, array_agg(DISTINCT item_id) AS ids, count(*) AS marks FROM taken GROUP BY kind`,
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

// In order, so that transactions with words in common cannot deadlock.
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
 * Updates the search documents of the items that this transaction changed; the schema's triggers marked them. Call it
 * last when writing stations or shows; `bumpCatalogue` calls it for those who bump the version.
 */
export async function refreshSearch(client: Queryable): Promise<void> {
  for (;;) {
    const { counts, marks } = await refreshSome(client, MAX_MARKS);
    if (marks === 0) return;
    for (const [kind, count] of counts) if (count >= MANY) await assignTiers(client, kind);
  }
}

/** Marks taken at a time while others go on writing: what they write to is locked until they are indexed. */
const MARKS_A_STEP = 1000;

/** Runs the work in a transaction of its own. */
type InTransaction = <T>(work: (client: Queryable) => Promise<T>) => Promise<T>;

/** The same for whatever is marked, step by step: an import or a probe waits for the thousand stations of a step and not for all. */
export async function refreshSearchInSteps(inTransaction: InTransaction): Promise<void> {
  const sums = new Map<string, number>();
  for (let isMore = true; isMore;) {
    const { counts, marks } = await inTransaction((client) => refreshSome(client, MARKS_A_STEP));
    for (const [kind, count] of counts) sums.set(kind, count + (sums.get(kind) ?? 0));
    // What others mark meanwhile they index themselves.
    isMore = marks === MARKS_A_STEP;
  }
  for (const [kind, count] of sums)
    if (count >= MANY) await inTransaction((client) => assignTiers(client, kind));
}

interface Refreshed {
  /** How many marks there were, of which several may be of one item. */
  marks: number;
  /** Items by kind. */
  counts: [kind: string, items: number][];
}

async function refreshSome(client: Queryable, mostMarks: number): Promise<Refreshed> {
  const stale = await takeStale.run(client, [mostMarks]);
  if (stale.length > 0) {
    const lineageOfGenre = await loadGenreLineages(client);
    for (const { kind, list } of KINDS) {
      const ids = stale.find((row) => row.kind === kind)?.ids ?? [];
      for (let start = 0; start < ids.length; start += CHUNK) {
        const chunk = ids.slice(start, start + CHUNK);
        await rewrite(client, kind, chunk, await list(client, chunk, lineageOfGenre));
      }
    }
  }
  const marks = stale.reduce((sum, row) => sum + row.marks, 0);
  return { marks, counts: stale.map(({ kind, ids }) => [kind, ids.length]) };
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

/**
 * Cumulative sizes of the first tiers. The first is so small that reading all of it costs nothing; a word that matches
 * too few there matches some hundreds in the next, and so on down.
 */
const SIZES = [600, 4000, 25_000] as const;

const tiers = statement(
  'search-tiers',
  { first: 'int4', second: 'int4', third: 'int4' },
  'SELECT least[1] AS first, least[2] AS second, least[3] AS third FROM search_tiers WHERE kind = $1',
);

/** The current tier for a popularity. */
async function tierOf(db: Queryable, kind: string): Promise<(popularity: number) => number> {
  const [row] = await tiers.run(db, [kind]);
  const least = row ? [row.first, row.second, row.third] : [0];
  return (popularity) => {
    const tier = least.findIndex((popularityOfTier) => popularity >= popularityOfTier);
    return tier === -1 ? least.length + 1 : tier + 1;
  };
}

// The tiers are in order of popularity, so the tier index gives the n-th most popular item without a sort. Of many
// equally popular items at the boundary none is included, or a tier would have no size limit.
const measure = statement(
  'search-measure-tiers',
  {},
  `UPDATE search_tiers SET least = ARRAY (
     SELECT coalesce((SELECT popularity + 1 FROM search_documents WHERE kind = $1
       ORDER BY tier, popularity DESC OFFSET size LIMIT 1), 0)
     FROM unnest($2::integer[]) AS size)
   WHERE kind = $1`,
);

// A hundred at a time at each end of each tier: few enough to be looked up one by one, whatever the table's size.
const move = statement(
  'search-move-tiers',
  { moved: 'int8' },
  `WITH bounds AS MATERIALIZED (
     SELECT tier, CASE tier WHEN 4 THEN 0 ELSE least[tier] END AS low,
       CASE tier WHEN 1 THEN 2147483647 ELSE least[tier - 1] END AS high
     FROM search_tiers, generate_series(1, 4) AS tier WHERE kind = $1),
   wrong AS MATERIALIZED (
     SELECT d.item_id, d.popularity FROM bounds b CROSS JOIN LATERAL (
       SELECT item_id, popularity FROM search_documents WHERE kind = $1 AND tier = b.tier AND popularity < b.low
       ORDER BY popularity LIMIT 100) AS d
     UNION ALL
     SELECT d.item_id, d.popularity FROM bounds b CROSS JOIN LATERAL (
       SELECT item_id, popularity FROM search_documents WHERE kind = $1 AND tier = b.tier AND popularity >= b.high
       ORDER BY popularity DESC LIMIT 100) AS d),
   moved AS (
     UPDATE search_documents d SET tier = b.tier FROM wrong w JOIN bounds b
       ON w.popularity >= b.low AND w.popularity < b.high
     WHERE d.kind = $1 AND d.item_id = w.item_id RETURNING d.item_id)
   SELECT count(*) AS moved FROM moved`,
);

/** Restores the tiers' sizes after many items were added, removed or changed. */
async function assignTiers(client: Queryable, kind: string): Promise<void> {
  await measure.run(client, [kind, SIZES]);
  for (;;) {
    const [row] = await move.run(client, [kind]);
    if (!row || row.moved === 0) return;
  }
}
