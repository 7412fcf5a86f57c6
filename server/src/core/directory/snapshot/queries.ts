import { type RowOf, statement } from '../../../storage/db/statement.ts';

const STATION = {
  id: 'int8',
  name: 'text',
  name_key: 'text',
  frequency: 'text?',
  band: 'text?',
  slogan: 'text?',
  call_sign: 'text?',
  description: 'text?',
  homepage: 'text?',
  homepage_host: 'text?',
  zone: 'text?',
  relay: 'text?',
  country_code: 'text?',
  region_id: 'int8?',
  latitude: 'float8?',
  longitude: 'float8?',
  point_source: 'text?',
  popularity: 'int4',
  votes: 'int4',
  clicks: 'int4',
  added_hour: 'int4?',
} as const;

export type SnapshotStationRow = RowOf<typeof STATION>;

/** Where a batch of the next stations after an id ends; null after the last one. */
export const endOfBatch = statement(
  'directory-end-of-batch',
  { last_id: 'int8?' },
  'SELECT max(id) AS last_id FROM (SELECT id FROM stations WHERE id > $1 AND listed ORDER BY id LIMIT $2) AS batch',
);

export const stationsBetween = statement(
  'directory-stations-between',
  STATION,
  `SELECT s.id, s.name, s.name_key, s.frequency, s.band, s.slogan, s.call_sign, s.description, s.homepage, s.homepage_host,
     s.zone, s.relay,
     c.code AS country_code, coalesce(s.region_id, c.region_id) AS region_id, s.latitude, s.longitude, s.point_source, s.popularity,
     s.votes, s.clicks, floor(date_part('epoch', s.created_at) / 3600)::int4 AS added_hour
   FROM stations s LEFT JOIN countries c ON c.id = s.country_id
   WHERE s.id > $1 AND s.id <= $2 AND s.listed
   ORDER BY s.id`,
);

/** Stations that an operator merged into another one; a few among all. */
export const mergedStations = statement(
  'directory-merged-stations',
  { id: 'int8', merged_into: 'int8?' },
  'SELECT id, merged_into FROM stations WHERE merged_into IS NOT NULL',
);

// Related rows are read by range of station ids, not joined: half the time of a subselect per station.

const STREAM = {
  id: 'int8',
  station_id: 'int8',
  address: 'text',
  resolved_address: 'text?',
  format: 'text?',
  playlist: 'text?',
  bitrate: 'int4',
  reliability: 'int2',
  standing: 'float8?',
  standing_at: 'timestamptz?',
  verdict: 'text?',
  codec: 'text?',
  redirects: 'int2?',
} as const;

export type StreamRow = RowOf<typeof STREAM>;

/** Measured values take precedence over those of a source. Most addresses lead nowhere else: those are not sent twice. */
const MEASURED = `s.id, s.station_id, s.address,
     nullif(coalesce(c.resolved_address, s.resolved_address), s.address) AS resolved_address,
     coalesce(c.format, s.format) AS format, coalesce(c.playlist, s.playlist) AS playlist,
     coalesce(c.bitrate, s.bitrate) AS bitrate, s.reliability, c.standing, c.standing_at, c.verdict, c.codec, c.redirects`;

// By the key of each stream: a plain join would read all checks for every range. OFFSET prevents that plan.
export const streamsBetween = statement(
  'directory-streams-between',
  STREAM,
  `SELECT ${MEASURED} FROM streams s
   LEFT JOIN LATERAL (SELECT * FROM stream_checks WHERE stream_id = s.id OFFSET 0) c ON true
   WHERE s.station_id > $1 AND s.station_id <= $2 AND s.listed`,
);

/** Rows per query for changed streams. */
export const CHANGED_BATCH = 1000;

/** The next streams with a newer check result, unordered. */
export const streamsChanged = statement(
  'directory-streams-changed',
  { ...STREAM, changed_at: 'timestamptz?' },
  `SELECT ${MEASURED}, c.changed_at
   FROM (SELECT * FROM stream_checks
     WHERE changed_at >= $1 AND (changed_at, stream_id) > ($1, $2::bigint)
     ORDER BY changed_at, stream_id LIMIT ${CHANGED_BATCH}) c
   JOIN LATERAL (SELECT * FROM streams WHERE id = c.stream_id OFFSET 0) s ON true`,
);

// Genres and languages come as one text per station: fewer rows, and a text seen before needs no parsing.
const IDS = { station_id: 'int8', ids: 'text?' } as const;

export type IdsRow = RowOf<typeof IDS>;

export const genreIdsBetween = statement(
  'directory-genre-ids-between',
  IDS,
  `SELECT station_id, string_agg(genre_id::text, ',' ORDER BY position, genre_id) AS ids
   FROM station_genres WHERE station_id > $1 AND station_id <= $2 GROUP BY station_id`,
);

export const languageIdsBetween = statement(
  'directory-language-ids-between',
  IDS,
  `SELECT station_id, string_agg(language_id::text, ',' ORDER BY position, language_id) AS ids
   FROM station_languages WHERE station_id > $1 AND station_id <= $2 GROUP BY station_id`,
);

export const affiliateIdsBetween = statement(
  'directory-affiliate-ids-between',
  IDS,
  `SELECT station_id, string_agg(affiliate_id::text, ',' ORDER BY affiliate_id) AS ids
   FROM station_affiliates WHERE station_id > $1 AND station_id <= $2 GROUP BY station_id`,
);

export const logosBetween = statement(
  'directory-logos-between',
  { item_id: 'int8' },
  `SELECT item_id FROM images WHERE kind = 's' AND item_id > $1 AND item_id <= $2`,
);

const REGION = {
  id: 'int8',
  parent_id: 'int8?',
  kind: 'text',
  code: 'text',
  name: 'text',
  latitude: 'float8?',
  longitude: 'float8?',
} as const;

export type SnapshotRegionRow = RowOf<typeof REGION>;

/** Of 140,000 regions few have stations, so they are queried by id, level by level. */
export const regionsOfIds = statement(
  'directory-regions-of-ids',
  REGION,
  'SELECT id, parent_id, kind, code, name, latitude, longitude FROM regions WHERE id = ANY ($1::bigint[])',
);
