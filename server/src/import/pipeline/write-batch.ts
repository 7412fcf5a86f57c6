import type { PoolClient } from 'pg';
import { copyRows, type CopyValue } from '../../storage/db/copy.ts';
import type { RecognisedBatch, RecordDraft } from './batch.ts';
import { popularityOf, type StationDraft, type StreamDraft } from './drafts.ts';

const STATION_COLUMNS =
  'id name name_key call_sign frequency band homepage homepage_host country_id region_id latitude longitude point_source zone votes clicks popularity';
const STREAM_COLUMNS =
  'id station_id address address_key resolved_address resolved_key format playlist bitrate reliability last_seen';

/** Writes a recognised batch: new rows by COPY, changed ones by UPDATE, each kind of row in one statement. */
export async function writeBatch(client: PoolClient, batch: RecognisedBatch): Promise<void> {
  const newStations = batch.stations.filter(({ isNew }) => isNew);
  const newStreams = batch.streams.filter(({ isNew }) => isNew);
  await drawIds(client, 'stations_id_seq', newStations);
  await drawIds(client, 'streams_id_seq', newStreams);
  await copy(client, 'stations', STATION_COLUMNS, newStations, stationValues);
  await copyLists(client, newStations);
  await copy(client, 'streams', STREAM_COLUMNS, newStreams, streamValues);
  await updateStations(client, batch.stations.filter(isMoved));
  await updateStreams(client, batch.streams.filter(isMoved));
  await writeRecords(client, batch.records);
}

const isMoved = ({ isNew, changed }: { isNew: boolean; changed: boolean }): boolean => changed && !isNew;

async function drawIds(
  client: PoolClient,
  sequence: string,
  drafts: readonly { id: number }[],
): Promise<void> {
  if (drafts.length === 0) return;
  const { rows } = await client.query<{ id: number }>(
    'SELECT nextval($1::regclass) AS id FROM generate_series(1, $2)',
    [sequence, drafts.length],
  );
  for (const [index, draft] of drafts.entries()) draft.id = rows[index]?.id ?? 0;
}

async function copy<T>(
  client: PoolClient,
  table: string,
  columns: string,
  items: readonly T[],
  values: (item: T) => CopyValue[],
): Promise<void> {
  if (items.length > 0) await copyRows(client, table, columns.split(' '), items.values().map(values));
}

const stationValues = (station: StationDraft): CopyValue[] => [
  station.id,
  station.name,
  station.nameKey,
  station.callSign,
  station.frequency,
  station.band,
  station.homepage,
  station.homepageHost,
  station.countryId,
  station.regionId,
  station.coordinate?.latitude ?? null,
  station.coordinate?.longitude ?? null,
  station.pointSource,
  station.zone,
  station.votes,
  station.clicks,
  popularityOf(station),
];

const streamValues = (stream: StreamDraft): CopyValue[] => [
  stream.id,
  stream.station.id,
  stream.address,
  stream.addressKey,
  stream.resolvedAddress,
  stream.resolvedKey,
  stream.format,
  stream.playlist,
  stream.bitrate,
  stream.reliability,
  stream.lastSeen,
];

async function copyLists(client: PoolClient, stations: readonly StationDraft[]): Promise<void> {
  const genres = stations.flatMap((station) => listRows(station.id, station.genreIds));
  await copy(client, 'station_genres', 'station_id genre_id position', genres, (row) => row);
  const languages = stations.flatMap((station) => listRows(station.id, station.languageIds));
  await copy(client, 'station_languages', 'station_id language_id position', languages, (row) => row);
  const logos = stations.filter(({ logo }) => logo !== null);
  await copy(client, 'images', 'kind item_id address', logos, ({ id, logo }) => ['s', id, logo]);
}

const listRows = (stationId: number, ids: readonly number[]): CopyValue[][] =>
  ids.map((id, index) => [stationId, id, index + 1]);

export const UPDATE_RECORDS = `UPDATE station_records r
  SET stream_id = u.stream_id, digest = u.digest, facts = u.facts, doubtful = u.doubtful
  FROM jsonb_to_recordset($2) AS u (record text, stream_id bigint, digest uuid, facts jsonb, doubtful boolean)
  WHERE r.source = $1 AND r.record = u.record`;

async function writeRecords(client: PoolClient, records: readonly RecordDraft[]): Promise<void> {
  const changed = records.filter(({ outcome }) => outcome === 'changed');
  if (changed.length > 0) {
    await client.query(UPDATE_RECORDS, [changed[0]?.record.source, JSON.stringify(changed.map(recordRow))]);
  }
  const added = records.filter(({ outcome }) => outcome !== 'changed');
  const columns = 'source record station_id stream_id digest facts witness doubtful';
  await copy(client, 'station_records', columns, added, ({ record, station, stream, witness }) => [
    record.source,
    record.record,
    station.id,
    stream.id,
    record.digest,
    record.facts,
    witness ?? null,
    record.isDoubtful === true,
  ]);
  await writeAliases(client, added);
}

const recordRow = ({ record, stream }: RecordDraft) => ({
  record: record.record,
  stream_id: stream.id,
  digest: record.digest,
  facts: record.clean,
  doubtful: record.isDoubtful === true,
});

/** Radios and apps save radio-browser's ids; these aliases lead to our stations. */
async function writeAliases(client: PoolClient, records: readonly RecordDraft[]): Promise<void> {
  const known = records.filter(({ record }) => record.clean.radioBrowserId !== undefined);
  if (known.length === 0) return;
  await client.query(
    `INSERT INTO aliases (scheme, foreign_id, kind, item_id)
     SELECT 'radio-browser', u.foreign_id, 's', u.item_id FROM unnest($1::text[], $2::bigint[]) AS u (foreign_id, item_id)
     ON CONFLICT (scheme, foreign_id) DO NOTHING`,
    [known.map(({ record }) => record.clean.radioBrowserId), known.map(({ station }) => station.id)],
  );
}

const STATION_TYPES = {
  name: 'text',
  name_key: 'text',
  call_sign: 'text',
  frequency: 'text',
  band: 'text',
  homepage: 'text',
  homepage_host: 'text',
  country_id: 'bigint',
  region_id: 'bigint',
  latitude: 'double precision',
  longitude: 'double precision',
  point_source: 'text',
  zone: 'text',
  votes: 'integer',
  clicks: 'integer',
  popularity: 'integer',
};

const STREAM_TYPES = {
  resolved_address: 'text',
  resolved_key: 'uuid',
  format: 'text',
  playlist: 'text',
  bitrate: 'integer',
  reliability: 'smallint',
  last_seen: 'date',
  listed: 'boolean',
};

/** Fields that an operator set are pinned; the database checks that, so that an edit made meanwhile survives too. */
function updateText(table: string, types: Record<string, string>): string {
  const sets = Object.keys(types).map(
    (column) => `${column} = CASE WHEN '${column}' = ANY (t.pinned) THEN t.${column} ELSE u.${column} END`,
  );
  const columns = Object.entries(types).map(([column, type]) => `${column} ${type}`);
  return `UPDATE ${table} t SET ${sets.join(', ')}, updated_at = now()
    FROM jsonb_to_recordset($2) AS u (id bigint, ${columns.join(', ')})
    WHERE t.id = ANY ($1::bigint[]) AND t.id = u.id`;
}

const UPDATE_STATIONS = updateText('stations', STATION_TYPES);
const UPDATE_STREAMS = updateText('streams', STREAM_TYPES);

async function updateStations(client: PoolClient, stations: readonly StationDraft[]): Promise<void> {
  if (stations.length === 0) return;
  const ids = stations.map(({ id }) => id);
  await client.query(UPDATE_STATIONS, [ids, JSON.stringify(stations.map(stationRow))]);
  await replaceList(client, 'genre', stations, ids, 'genreIds');
  await replaceList(client, 'language', stations, ids, 'languageIds');
  await client.query(
    `INSERT INTO images (kind, item_id, address)
     SELECT 's', u.id, u.logo FROM jsonb_to_recordset($1) AS u (id bigint, logo text) WHERE u.logo IS NOT NULL
     ON CONFLICT (kind, item_id) DO UPDATE SET address = excluded.address
     WHERE NOT images.pinned AND images.address <> excluded.address`,
    [JSON.stringify(stations.map(({ id, logo }) => ({ id, logo })))],
  );
}

async function updateStreams(client: PoolClient, streams: readonly StreamDraft[]): Promise<void> {
  if (streams.length === 0) return;
  await client.query(UPDATE_STREAMS, [streams.map(({ id }) => id), JSON.stringify(streams.map(streamRow))]);
}

/**
 * NOT IN is looked up in a hash. By NOT EXISTS the planner, which expects ten stations and gets 4,000, compares each row
 * that is there with each that is wanted: half the time of an import that changes every record.
 */
export function replaceText(noun: 'genre' | 'language'): string {
  const unpinned = `s.id = ANY ($1::bigint[]) AND NOT '${noun}s' = ANY (s.pinned)`;
  const wanted = `SELECT u.station_id, u.item_id, u.position
    FROM jsonb_to_recordset($2) AS u (station_id bigint, item_id bigint, position smallint)
    JOIN stations s ON s.id = u.station_id WHERE ${unpinned}`;
  return `WITH wanted AS (${wanted}),
     gone AS (DELETE FROM station_${noun}s g USING stations s
       WHERE g.station_id = s.id AND ${unpinned}
       AND (g.station_id, g.${noun}_id) NOT IN (SELECT w.station_id, w.item_id FROM wanted w))
     INSERT INTO station_${noun}s (station_id, ${noun}_id, position) SELECT * FROM wanted
     ON CONFLICT (station_id, ${noun}_id) DO UPDATE SET position = excluded.position
     WHERE station_${noun}s.position <> excluded.position`;
}

/** Writes genres and languages from the drafts; a station whose list an operator set keeps the operator's. */
async function replaceList(
  client: PoolClient,
  noun: 'genre' | 'language',
  stations: readonly StationDraft[],
  ids: readonly number[],
  field: 'genreIds' | 'languageIds',
): Promise<void> {
  const rows = stations.flatMap((station) =>
    station[field].map((item, index) => ({ station_id: station.id, item_id: item, position: index + 1 })),
  );
  await client.query(replaceText(noun), [ids, JSON.stringify(rows)]);
}

const stationRow = (station: StationDraft) => ({
  id: station.id,
  name: station.name,
  name_key: station.nameKey,
  call_sign: station.callSign,
  frequency: station.frequency,
  band: station.band,
  homepage: station.homepage,
  homepage_host: station.homepageHost,
  country_id: station.countryId,
  region_id: station.regionId,
  latitude: station.coordinate?.latitude ?? null,
  longitude: station.coordinate?.longitude ?? null,
  point_source: station.pointSource,
  zone: station.zone,
  votes: station.votes,
  clicks: station.clicks,
  popularity: popularityOf(station),
});

const streamRow = (stream: StreamDraft) => ({
  id: stream.id,
  resolved_address: stream.resolvedAddress,
  resolved_key: stream.resolvedKey,
  format: stream.format,
  playlist: stream.playlist,
  bitrate: stream.bitrate,
  reliability: stream.reliability,
  last_seen: stream.lastSeen,
  listed: stream.listed,
});
