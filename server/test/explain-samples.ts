// In proportion to the tables here: a batch of thousands is a good part of them, and read whole with good reason.
const BATCH = 200;
const batchOf = (element: (n: number) => string): string =>
  `'{${Array.from({ length: BATCH }, (_, n) => element(n * 499 + 1)).join(',')}}'`;
const ids = batchOf(String);

/**
 * Parameters with which the plan of each statement is looked at, as SQL literals in their order. They name rows of
 * explain-rows.sql. A statement without parameters needs no line here.
 */
export const SAMPLES: Readonly<Record<string, string>> = {
  'account-by-id': '5000',
  'affiliate-by-id': '5',
  'affiliate-station-ids': '5',
  'affiliates-of-station': '5000',
  'alias-find': "'elsewhere', 'foreign 5000'",
  'alias-find-anywhere': "'foreign 5000'",
  'broadcasts-of-show': "500, '2026-01-02T00:00:00Z', 20",
  'broadcasts-of-station': "50, '2026-01-02T00:00:00Z', '2026-01-03T00:00:00Z'",
  'cities-after': `5000, ${ids}, 200`,
  'describe-show': '500, 500',
  'device-find': String.raw`'scope', '\x${'0'.repeat(60)}1388'`,
  'directory-affiliate-ids-between': '5000, 5200',
  'directory-genre-ids-between': '5000, 5200',
  'directory-language-ids-between': '5000, 5200',
  'directory-logos-between': '5000, 5200',
  'directory-regions-of-ids': ids,
  'directory-stations-after': '5000, 200',
  'directory-streams-between': '5000, 5200',
  'folders-of-account': '5000',
  'genres-ensure': `'[{"id": 1000, "parent_id": null, "slug": "music", "name": "Music", "position": 0}]'`,
  'image-address': "'s', 5000",
  'intake-find-facts': ids,
  'intake-find-records': `'source', ${batchOf((n) => `record ${n}`)}`,
  'intake-find-stations': `${ids}, ${batchOf((n) => `station ${n}`)}`,
  'intake-find-streams-by-key': batchOf((n) => String(n).padStart(32, '0')),
  'intake-find-streams-of-stations': ids,
  'partner-add': "'new', 'New', 'new', NULL",
  'partner-by-id': "'partner-5'",
  'place-by-city': "5, 'place 5004'",
  'place-by-postal-code': "1, '05000'",
  'preset-saved-address': `5000, ${(5000 * 30 + 7) * 1024 + (5000 % 1024)}`,
  'presets-of-account': '5000, 500',
  'presets-of-folder': `5000, ${5000 * 1024 + (5000 % 1024)}, 0, 100`,
  'search-add-words': batchOf((n) => `word${n}`),
  'search-both': `'station500', $$'word500':*$$, 100, $$'genre=g5'$$, $$'word500':AB$$`,
  'search-both-alike': `'station500', $$'word500'$$, 100, $$'genre=g5'$$`,
  'search-findable-shows': ids,
  'search-findable-stations': ids,
  'search-lock-stations': ids,
  'search-measure-tiers': "'s', '{600,4000,25000}'",
  'search-move-tiers': "'s'",
  'search-other-meanings': "'{word500,other}'",
  'search-remove-documents': `'s', ${ids}`,
  'search-shows': `'title500', $$'word500':*$$, 100, $$'genre=g5'$$, $$'word500':AB$$`,
  'search-shows-alike': `'title500', $$'word500'$$, 100, $$'genre=g5'$$`,
  'search-stations': `'station500', $$'word500':*$$, 100, $$'genre=g5'$$, $$'word500':AB$$`,
  'search-stations-alike': `'station500', $$'word500'$$, 100, $$'genre=g5'$$`,
  'search-stations-of-address': `'${'0'.repeat(28)}5000'`,
  'search-take-stale': '50000',
  'search-tiers': "'s'",
  'search-write-documents': `'s', '[{"item_id": 5, "name_key": "x", "words": "x:1A", "popularity": 5, "tier": 1}]'`,
  'show-add': "'Title', NULL, NULL, NULL, 'http://feed.example/', gen_random_uuid(), 5, 5, 5, 0",
  'show-by-id': '5000',
  'shows-by-ids': "'{1,5000,99999}'",
  'shows-of-genres': "'{5,6,7,50,51,52,53}', 20, 11, NULL",
  'shows-of-language': '5, 20, 11',
  'station-by-id': '5000',
  'station-edit': `5000, '{"name": "New"}', '{name}'`,
  'stations-by-ids': "'{1,5000,99999}'",
  'stream-set-listed': '5000, false',
  'streams-of-station': '5000',
  'topic-add':
    "500, 500, gen_random_uuid(), 'Title', 'http://topic.example/', now(), NULL, NULL, 'download', 60",
  'topic-by-id': `500, ${(500 * 100 + 7) * 1024 + 500}`,
  'topics-of-show': `500, 500, '2026-03-01T00:00:00Z', ${(500 * 100 + 59) * 1024 + 500}, 50`,
  'username-account-id': "'user5000'",
};

/** Statements whose purpose is to read a big table whole, each with the reason. */
export const READS_WHOLE: Readonly<Record<string, string>> = {
  'all-states': 'an import looks places up in memory',
};
