import { type RowOf, statement } from '../db/statement.ts';

const STATION = {
  id: 'int8',
  name: 'text',
  frequency: 'text?',
  band: 'text?',
  slogan: 'text?',
  call_sign: 'text?',
  description: 'text?',
  homepage: 'text?',
  zone: 'text?',
  country_code: 'text?',
  region_id: 'int8?',
  latitude: 'float8?',
  longitude: 'float8?',
  popularity: 'int4',
  votes: 'int4',
  clicks: 'int4',
} as const;

export type StationRow = RowOf<typeof STATION>;

/** The next stations after an id. */
export const stationsAfter = statement(
  'directory-stations-after',
  STATION,
  `SELECT s.id, s.name, s.frequency, s.band, s.slogan, s.call_sign, s.description, s.homepage, s.zone,
     c.code AS country_code, coalesce(s.region_id, c.region_id) AS region_id, s.latitude, s.longitude, s.popularity,
     s.votes, s.clicks
   FROM stations s LEFT JOIN countries c ON c.id = s.country_id
   WHERE s.id > $1 AND s.listed
   ORDER BY s.id LIMIT $2`,
);

// What stations have is read by their range of ids, not joined: that is half the time of a subselect for each station.

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

/** What was measured holds before what a source says. */
const MEASURED = `s.id, s.station_id, s.address, coalesce(c.resolved_address, s.resolved_address) AS resolved_address,
     coalesce(c.format, s.format) AS format, coalesce(c.playlist, s.playlist) AS playlist,
     coalesce(c.bitrate, s.bitrate) AS bitrate, s.reliability, c.standing, c.standing_at, c.verdict, c.codec, c.redirects`;

// By the key of each stream: a plain join would read all checks for every range. OFFSET keeps it from becoming one.
export const streamsBetween = statement(
  'directory-streams-between',
  STREAM,
  `SELECT ${MEASURED} FROM streams s
   LEFT JOIN LATERAL (SELECT * FROM stream_checks WHERE stream_id = s.id OFFSET 0) c ON true
   WHERE s.station_id > $1 AND s.station_id <= $2 AND s.listed`,
);

/** In one question about what has changed. */
export const CHANGED_BATCH = 1000;

/** The next streams of which something else was found out since, in no order. */
export const streamsChanged = statement(
  'directory-streams-changed',
  { ...STREAM, changed_at: 'timestamptz?' },
  `SELECT ${MEASURED}, c.changed_at
   FROM (SELECT * FROM stream_checks
     WHERE changed_at >= $1 AND (changed_at, stream_id) > ($1, $2::bigint)
     ORDER BY changed_at, stream_id LIMIT ${CHANGED_BATCH}) c
   JOIN LATERAL (SELECT * FROM streams WHERE id = c.stream_id OFFSET 0) s ON true`,
);

// Genres and languages come as one text a station, which is fewer rows, and needs no parsing when it was seen before.
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

export type RegionRow = RowOf<typeof REGION>;

/** Of a hundred and forty thousand regions few have stations, so they are asked for by id, level by level. */
export const regionsOfIds = statement(
  'directory-regions-of-ids',
  REGION,
  'SELECT id, parent_id, kind, code, name, latitude, longitude FROM regions WHERE id = ANY ($1::bigint[])',
);
