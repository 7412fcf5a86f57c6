import type { Queryable } from '../db/pool.ts';
import { statement } from '../db/statement.ts';

/**
 * How many items the first tiers hold, those above counted in. The first is so small that reading all of it is nothing;
 * a word that fits too few there fits some hundreds in the next, and so on down.
 */
const SIZES = [600, 4000, 25_000] as const;

const tiers = statement(
  'search-tiers',
  { first: 'int4', second: 'int4', third: 'int4' },
  'SELECT least[1] AS first, least[2] AS second, least[3] AS third FROM search_tiers WHERE kind = $1',
);

/** The tier of a popularity, as things are. */
export async function tierOf(db: Queryable, kind: string): Promise<(popularity: number) => number> {
  const [row] = await tiers.run(db, [kind]);
  const least = row ? [row.first, row.second, row.third] : [0];
  return (popularity) => {
    const tier = least.findIndex((popularityOfTier) => popularity >= popularityOfTier);
    return tier === -1 ? least.length + 1 : tier + 1;
  };
}

// The tiers are in order of popularity, so the index of the tiers gives the n-th most popular item without a sort. Of
// many equally popular ones none gets in, or a tier would have no size.
const measure = statement(
  'search-measure-tiers',
  {},
  `UPDATE search_tiers SET least = ARRAY (
     SELECT coalesce((SELECT popularity + 1 FROM search_documents WHERE kind = $1
       ORDER BY tier, popularity DESC OFFSET size LIMIT 1), 0)
     FROM unnest($2::integer[]) AS size)
   WHERE kind = $1`,
);

// A hundred at a time at each end of each tier: so few are looked up one by one, whatever the table's size.
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

/** Gives the tiers their sizes again after many items came, went or changed. */
export async function settleTiers(client: Queryable, kind: string): Promise<void> {
  await measure.run(client, [kind, SIZES]);
  for (;;) {
    const [row] = await move.run(client, [kind]);
    if (!row || row.moved === 0) return;
  }
}
