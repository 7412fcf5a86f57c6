import { statement } from '../../storage/db/statement.ts';

/** Items and their scores, the best first; lists in one row, because one row each would cost more than finding them. */
const STATIONS = { station_ids: 'int8[]', station_scores: 'int8[]' } as const;
const SHOWS = { show_ids: 'int8[]', show_scores: 'int8[]' } as const;

/** Enough to fill a response when the caller plays most of it. */
export const ENOUGH = 100;
/** For a caller that plays few of the popular stations. */
export const PLENTY = 1000;
/** Limit of candidates per tier: a word that matches this many says little, and any of them will do. */
const MAX_SCANNED = 1000;
/** A response has ten shows, or as many as a partner arranged; this many are enough to choose from. */
const ENOUGH_SHOWS = 50;
/** A full title of several words is enough; its words in a million shows would cost one index scan each. */
const UNLESS_NAMED = 'AND NOT (numnode($2::tsquery) > 1 AND EXISTS (SELECT FROM named))';

/** Ten times the listeners are worth as much to a station with ten as to one with a thousand. */
const POPULARITY = '15 * ln(1 + popularity)';

/** The score for all words in the name: more than all lower terms together. */
export const IN_NAME = 550;

/** And for a name typed in full, of which all was typed. */
const IN_FULL = 400;
const ALL_TYPED = 200;
/** What a station has at least that is called as was typed. */
export const NAMED_IN_FULL = IN_NAME + IN_FULL + ALL_TYPED;

/**
 * The words in the name count most; then a name typed in full, whether it begins as typed or was typed with more after
 * it ("Town FM Bristol"), how much of it was typed, popularity. What the listener's country adds (rank.ts) outweighs a
 * name typed in full, but not the words.
 */
const EXACT = `CASE WHEN name_key = $1 THEN ${IN_FULL}
    WHEN starts_with(name_key, $1) OR starts_with($1, name_key) THEN 150 ELSE 0 END
  + CASE WHEN words @@ $5::tsquery THEN ${IN_NAME} ELSE 0 END
  + ${ALL_TYPED} * least(length($1), length(name_key)) / greatest(length(name_key), 1) + ${POPULARITY}`;

/** For queries with typing errors: how similar the names are. */
const ALIKE = `600 * similarity(name_key, $1) + ${POPULARITY}`;

/**
 * Parameters: the name as one word, what must match, how many are enough, what must be in fields (or nothing), what
 * matches within a name. Items with exactly that name are found by it and the fields. The tsquery is in a subquery,
 * hidden from the planner: it would plan again for every word, which takes longer than finding it. A tier is read only
 * when those above gave too few: PostgreSQL counts them before it starts.
 *
 * `below` is what must match below the first tier, if different.
 */
function findText(kind: 's' | 'p', score: string, below = '$2::tsquery'): string {
  const noun = kind === 's' ? 'station' : 'show';
  const select = `SELECT item_id, (${score})::bigint AS score FROM search_documents WHERE kind = '${kind}'`;
  const enough = kind === 's' ? '$3::bigint' : `least($3::bigint, ${ENOUGH_SHOWS})`;
  const tier = (number: number, above: readonly string[]): string => {
    const query = number === 1 ? '$2::tsquery' : 'query FROM below';
    const count = above.map((name) => `(SELECT count(*) FROM ${name})`).join(' + ');
    const [unless, most] = kind === 'p' && number === 4 ? [UNLESS_NAMED, ENOUGH_SHOWS] : ['', MAX_SCANNED];
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
 * Parameters six and seven: the query with every word complete, and the last word. The lower tiers hold a million
 * shows, and a common prefix matches a good part of them. So if some show of tier 1 has the last word, the lower tiers
 * take it as complete; a rarer or unfinished word matches few.
 */
const WHOLE_WHEN_COMMON = `CASE WHEN EXISTS (
    SELECT FROM search_documents WHERE kind = 'p' AND tier = 1 AND words @@ (SELECT $7::tsquery)
  ) THEN $6::tsquery ELSE $2::tsquery END`;

/** Stations and shows in one statement: the round trip costs more than most of the queries. */
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
 * Alternatives for each word: words one typing error away and some more, which the caller filters, the largest
 * cities with that name in some language, and in which country the largest is that is called so in the directory. `spellings` are the word's variants with one letter removed. Candidates are
 * collected before the limit: the planner estimates that one word in a hundred is near and would scan all words for the
 * first 300, which takes a second at 180,000 words where the index takes milliseconds.
 */
export const otherMeanings = statement(
  'search-other-meanings',
  { typed: 'text', word: 'text?', city_id: 'int8?', country_id: 'int8?', population: 'int4?' },
  `SELECT t.typed, o.word, o.city_id, o.country_id, o.population FROM unnest($1::text[], $2::text[]) AS t (typed, place_key) CROSS JOIN LATERAL (
     (WITH near_words AS MATERIALIZED (SELECT word FROM search_words WHERE near && (SELECT spellings(t.typed)))
      SELECT word, NULL::bigint AS city_id, NULL::bigint AS country_id, NULL::integer AS population FROM near_words LIMIT 300)
     UNION ALL
     (SELECT NULL, id, country_id, population FROM cities WHERE other_name_keys @> ARRAY [t.place_key]
      ORDER BY population DESC LIMIT 3)
     UNION ALL
     (SELECT NULL, NULL, country_id, population FROM cities WHERE name_key COLLATE "C" = t.place_key
      ORDER BY population DESC LIMIT 1)) AS o`,
);

/** Stations by their whole names, each as one word. */
export const stationsNamed = statement(
  'search-stations-named',
  { item_id: 'int8', score: 'int8', name_key: 'text' },
  `SELECT item_id, (${NAMED_IN_FULL} + ${POPULARITY})::bigint AS score, name_key FROM search_documents
   WHERE kind = 's' AND name_key = ANY ($1::text[]) LIMIT 20`,
);

export const idsOfAddress = statement(
  'search-stations-of-address',
  { station_id: 'int8' },
  `SELECT station_id FROM streams WHERE address_key = $1
   UNION SELECT station_id FROM streams WHERE resolved_key = $1 LIMIT 20`,
).values((key: string) => [key]);

/** A host with a dot or a port, and a path after it or a scheme before it: nobody types that as a name. */
const LOOKS_LIKE_ONE =
  /^(?:[a-z]{3,6}:\/\/\S+|[\w-]+(?:\.[\w-]+)+(?::\d{1,5})?\/\S*|[\w-]+(?:\.[\w-]+)+:\d{1,5})$/i;

export const looksLikeAddress = (text: string): boolean => LOOKS_LIKE_ONE.test(text);
