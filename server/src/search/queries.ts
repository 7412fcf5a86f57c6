import { statement } from '../db/statement.ts';

/** Items and how well each fits, the best first; lists in one row, because a row each would cost more than finding them. */
const STATIONS = { station_ids: 'int8[]', station_scores: 'int8[]' } as const;
const SHOWS = { show_ids: 'int8[]', show_scores: 'int8[]' } as const;

/** Enough to fill an answer when the caller plays most of it. */
export const ENOUGH = 100;
/** For a caller who plays little of what is popular. */
export const PLENTY = 1000;
/** More candidates of a tier are not looked at: a word that fits so many says little, and any of them will do. */
const MOST_LOOKED_AT = 1000;
/** Of shows an answer has ten, or as many as a partner arranged; so many are enough to choose them from. */
const ENOUGH_SHOWS = 50;
/** Who typed a title of several words in full has found it; what else has its words, in a million shows, costs a list each. */
const UNLESS_NAMED = 'AND NOT (numnode($2::tsquery) > 1 AND EXISTS (SELECT FROM named))';

/** Ten times the listeners are worth as much to a station with ten as to one with a thousand. */
const POPULARITY = '15 * ln(1 + popularity)';

/** What it is worth that all words stand in the name: more than everything below together. */
export const IN_NAME = 550;

/**
 * A name typed in full outweighs everything; then the words in the name, whether it begins as typed or was typed with
 * more behind it ("Town FM Bristol"), how much of it was typed, popularity.
 */
const EXACT = `CASE WHEN name_key = $1 THEN 1000
    WHEN starts_with(name_key, $1) OR starts_with($1, name_key) THEN 150 ELSE 0 END
  + CASE WHEN words @@ $5::tsquery THEN ${IN_NAME} ELSE 0 END
  + 200 * least(length($1), length(name_key)) / greatest(length(name_key), 1) + ${POPULARITY}`;

/** For what may be mistyped: how alike the names are. */
const ALIKE = `600 * similarity(name_key, $1) + ${POPULARITY}`;

/**
 * Parameters: the name as one word, what must match, how many are enough, what must stand in fields (or nothing), what
 * matches within a name. Items with the very name are found by it and the fields. What must match stands in a subquery, where the planner does not look: it would plan anew for
 * every word, which takes longer than finding it. A tier is read only when those above gave too few: PostgreSQL counts them before it starts.
 *
 * `below` is what must match below the first tier, when that is something else.
 */
function findText(kind: 's' | 'p', score: string, below = '$2::tsquery'): string {
  const noun = kind === 's' ? 'station' : 'show';
  const select = `SELECT item_id, (${score})::bigint AS score FROM search_documents WHERE kind = '${kind}'`;
  const enough = kind === 's' ? '$3::bigint' : `least($3::bigint, ${ENOUGH_SHOWS})`;
  const tier = (number: number, above: readonly string[]): string => {
    const query = number === 1 ? '$2::tsquery' : 'query FROM below';
    const count = above.map((name) => `(SELECT count(*) FROM ${name})`).join(' + ');
    const [unless, most] = kind === 'p' && number === 4 ? [UNLESS_NAMED, ENOUGH_SHOWS] : ['', MOST_LOOKED_AT];
    return `${select} AND tier = ${number} AND words @@ (SELECT ${query}) AND name_key <> $1
      ${count && `AND ${count} < ${enough}`} ${unless} LIMIT ${most}`;
  };
  return `WITH below AS MATERIALIZED (SELECT ${below} AS query),
    named AS MATERIALIZED (${select} AND name_key = $1 AND $1 <> ''
      AND CASE WHEN $4 = '' THEN true ELSE words @@ $4::tsquery END LIMIT 100),
    tier_1 AS MATERIALIZED (${tier(1, [])}),
    tier_2 AS MATERIALIZED (${tier(2, ['tier_1'])}),
    tier_3 AS MATERIALIZED (${tier(3, ['tier_1', 'tier_2'])}),
    tier_4 AS MATERIALIZED (${tier(4, ['tier_1', 'tier_2', 'tier_3'])}),
    found AS (TABLE named UNION ALL TABLE tier_1 UNION ALL TABLE tier_2 UNION ALL TABLE tier_3 UNION ALL TABLE tier_4),
    best AS (SELECT item_id, score FROM found ORDER BY score DESC, item_id LIMIT 2 * $3::bigint)
    SELECT coalesce(array_agg(item_id), '{}') AS ${noun}_ids, coalesce(array_agg(score), '{}') AS ${noun}_scores FROM best`;
}

/**
 * Parameters six and seven: what must match with every word typed to its end, and the last word. The lower tiers of shows
 * hold a million, and all that begins with a common word is a good part of them. So a last word that some show of tier 1
 * has is taken to be typed to its end below it; a rarer one, or half of one, begins few.
 */
const WHOLE_WHEN_COMMON = `CASE WHEN EXISTS (
    SELECT FROM search_documents WHERE kind = 'p' AND tier = 1 AND words @@ (SELECT $7::tsquery)
  ) THEN $6::tsquery ELSE $2::tsquery END`;

/** Stations and shows in one go: what a statement costs on its way is more than what most of them cost there. */
const bothText = (score: string, below?: string): string =>
  `SELECT * FROM (${findText('s', score)}) AS stations CROSS JOIN (${findText('p', score, below)}) AS shows`;

export const matching = {
  s: statement('search-stations', STATIONS, findText('s', EXACT)),
  p: statement('search-shows', SHOWS, findText('p', EXACT, WHOLE_WHEN_COMMON)),
  sp: statement('search-both', { ...STATIONS, ...SHOWS }, bothText(EXACT, WHOLE_WHEN_COMMON)),
} as const;

export const alike = {
  s: statement('search-stations-alike', STATIONS, findText('s', ALIKE)),
  p: statement('search-shows-alike', SHOWS, findText('p', ALIKE)),
  sp: statement('search-both-alike', { ...STATIONS, ...SHOWS }, bothText(ALIKE)),
} as const;

/**
 * What else each word may have been meant for: words one typing error away and some more, which the asker sorts out, and
 * the largest cities that are called so somewhere. `spellings` is what one letter less makes of a word. They are listed
 * before they are cut: the planner takes one word in a hundred to be near and would read through all words for the first
 * 300, which takes a second at 180,000 words where the index takes milliseconds.
 */
export const otherMeanings = statement(
  'search-other-meanings',
  { typed: 'text', word: 'text?', city_id: 'int8?' },
  `SELECT t.typed, o.word, o.city_id FROM unnest($1::text[]) AS t (typed) CROSS JOIN LATERAL (
     (WITH near_words AS MATERIALIZED (SELECT word FROM search_words WHERE near && (SELECT spellings(t.typed)))
      SELECT word, NULL::bigint AS city_id FROM near_words LIMIT 300)
     UNION ALL
     (SELECT NULL, id FROM cities WHERE other_name_keys @> ARRAY [t.typed] ORDER BY population DESC LIMIT 3)) AS o`,
);

export const stationsOfAddress = statement(
  'search-stations-of-address',
  { station_id: 'int8' },
  `SELECT station_id FROM streams WHERE address_key = $1
   UNION SELECT station_id FROM streams WHERE resolved_key = $1 LIMIT 20`,
);
