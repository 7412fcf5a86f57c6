import { statement } from '../db/statement.ts';

/** Which of a batch's records are known already, and what they said. */
export const findRecords = statement(
  'intake-find-records',
  { record: 'text', station_id: 'int8', stream_id: 'int8', digest: 'uuid' },
  `SELECT record, station_id, stream_id, digest
   FROM station_records WHERE source = $1 AND record = ANY ($2::text[])`,
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

/** Streams that play where one of the batch's records plays. */
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

/** Stations named alike, and those already known by id, with all that a further record could add to. */
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
    zone: 'text?',
    votes: 'int4',
    clicks: 'int4',
    genre_ids: 'int8[]?',
    language_ids: 'int8[]?',
    logo: 'text?',
  },
  `SELECT s.id, name, name_key, call_sign, frequency, band, homepage, homepage_host, country_id, region_id,
     latitude, longitude, zone, votes, clicks,
     ARRAY (SELECT genre_id FROM station_genres g WHERE g.station_id = s.id ORDER BY position) AS genre_ids,
     ARRAY (SELECT language_id FROM station_languages l WHERE l.station_id = s.id ORDER BY position) AS language_ids,
     (SELECT address FROM images i WHERE i.kind = 's' AND i.item_id = s.id) AS logo
   FROM stations s WHERE s.id = ANY ($1::bigint[]) OR s.name_key = ANY ($2::text[]) ORDER BY s.id`,
);

/** All that was ever said of some stations, in order of arrival. */
export const findFacts = statement(
  'intake-find-facts',
  { source: 'text', record: 'text', station_id: 'int8', stream_id: 'int8', digest: 'uuid', facts: 'text?' },
  `SELECT source, record, station_id, stream_id, digest, facts::text
   FROM station_records WHERE station_id = ANY ($1::bigint[]) ORDER BY ordinal`,
);
