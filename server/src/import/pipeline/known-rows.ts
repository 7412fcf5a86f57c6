import { statement } from '../../storage/db/statement.ts';

/** Which of a batch's records are already known, and their contents. */
export const findRecords = statement(
  'intake-find-records',
  {
    record: 'text',
    station_id: 'int8',
    stream_id: 'int8',
    digest: 'uuid',
    is_absent: 'bool',
    is_withdrawn: 'bool',
  },
  `SELECT r.record, r.station_id, r.stream_id, r.digest, a.record IS NOT NULL AS is_absent,
     a.withdrawn_at IS NOT NULL AS is_withdrawn
   FROM station_records r LEFT JOIN absent_records a ON a.source = r.source AND a.record = r.record
   WHERE r.source = $1 AND r.record = ANY ($2::text[])`,
);

const STREAM_COLUMNS = {
  id: 'int8',
  station_id: 'int8',
  address: 'text',
  address_key: 'uuid',
  resolved_address: 'text?',
  resolved_key: 'uuid?',
  format: 'text?',
  playlist: 'text?',
  bitrate: 'int4',
  reliability: 'int2',
  last_seen: 'date?',
  listed: 'bool',
} as const;
const STREAM_LIST = Object.keys(STREAM_COLUMNS).join(', ');

/** Streams with the same address as one of the batch's records. */
export const findStreamsByKey = statement(
  'intake-find-streams-by-key',
  STREAM_COLUMNS,
  `SELECT ${STREAM_LIST} FROM streams
   WHERE address_key = ANY ($1::uuid[]) OR resolved_key = ANY ($1::uuid[]) ORDER BY id`,
);

export const findStreamsOfStations = statement(
  'intake-find-streams-of-stations',
  STREAM_COLUMNS,
  `SELECT ${STREAM_LIST} FROM streams WHERE station_id = ANY ($1::bigint[]) ORDER BY id`,
);

/** Stations with a matching name, and those already known by id, with all fields that a record could add to. */
export const findStations = statement(
  'intake-find-stations',
  {
    id: 'int8',
    name: 'text',
    name_key: 'text',
    call_sign: 'text?',
    frequency: 'text?',
    band: 'text?',
    homepage: 'text?',
    homepage_host: 'text?',
    country_id: 'int8?',
    region_id: 'int8?',
    latitude: 'float8?',
    longitude: 'float8?',
    point_source: 'text?',
    zone: 'text?',
    votes: 'int4',
    clicks: 'int4',
    genre_ids: 'int8[]?',
    language_ids: 'int8[]?',
    logo: 'text?',
    merged_into: 'int8?',
  },
  `SELECT s.id, name, name_key, call_sign, frequency, band, homepage, homepage_host, country_id, region_id,
     latitude, longitude, point_source, zone, votes, clicks, merged_into,
     ARRAY (SELECT genre_id FROM station_genres g WHERE g.station_id = s.id ORDER BY position) AS genre_ids,
     ARRAY (SELECT language_id FROM station_languages l WHERE l.station_id = s.id ORDER BY position) AS language_ids,
     (SELECT address FROM images i WHERE i.kind = 's' AND i.item_id = s.id) AS logo
   FROM stations s WHERE s.id = ANY ($1::bigint[]) OR s.name_key = ANY ($2::text[]) ORDER BY s.id`,
);

/** What each list calls the station at these streams, in order of arrival. */
export const findNamesAt = statement(
  'intake-find-names-at',
  { stream_id: 'int8', list: 'text?', name: 'text?', address: 'text?', homepage_host: 'text?' },
  `SELECT stream_id, list, name, address, homepage_host FROM (
     SELECT DISTINCT ON (stream_id, list) stream_id, ordinal, coalesce(facts ->> 'list', source) AS list,
       facts ->> 'name' AS name, facts #>> '{stream,address}' AS address, facts ->> 'homepageHost' AS homepage_host
     FROM station_records WHERE stream_id = ANY ($1::bigint[])
     ORDER BY stream_id, list, ordinal) AS first
   ORDER BY ordinal`,
);

/** The contents of all records of these stations, in order of arrival. */
export const findFacts = statement(
  'intake-find-facts',
  {
    source: 'text',
    record: 'text',
    station_id: 'int8',
    stream_id: 'int8',
    digest: 'uuid',
    facts: 'text?',
    witness: 'text?',
    doubtful: 'bool',
    is_withdrawn: 'bool',
  },
  `SELECT r.source, r.record, r.station_id, r.stream_id, r.digest, r.facts::text, r.witness, r.doubtful,
     a.withdrawn_at IS NOT NULL AS is_withdrawn
   FROM station_records r LEFT JOIN absent_records a ON a.source = r.source AND a.record = r.record
   WHERE r.station_id = ANY ($1::bigint[]) ORDER BY r.ordinal`,
);
