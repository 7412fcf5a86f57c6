import type { PoolClient } from 'pg';
import { copyRows, type CopyValue } from '../db/copy.ts';
import type { RecognisedBatch, RecordDraft } from './batch.ts';
import { popularityOf, type StationDraft } from './station-draft.ts';
import type { StreamDraft } from './stream-draft.ts';
import { updateStations, updateStreams } from './update-rows.ts';

const STATION_COLUMNS =
  'id name name_key call_sign frequency band homepage homepage_host country_id region_id latitude longitude zone votes clicks popularity';
const STREAM_COLUMNS =
  'id station_id address address_key resolved_address resolved_key format playlist bitrate reliability last_seen';

/** Writes a recognised batch: what is new by COPY, what moved by UPDATE, each kind of row in one statement. */
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

async function writeRecords(client: PoolClient, records: readonly RecordDraft[]): Promise<void> {
  const changed = records.filter(({ outcome }) => outcome === 'changed');
  if (changed.length > 0) {
    const keys = [changed[0]?.record.source, changed.map(({ record }) => record.record)];
    const columns = 'source text, record text, station_id bigint, stream_id bigint, digest uuid, facts jsonb';
    await client.query(
      `UPDATE station_records r SET stream_id = u.stream_id, digest = u.digest, facts = u.facts
       FROM jsonb_to_recordset($3) AS u (${columns})
       WHERE r.source = $1 AND r.record = ANY ($2::text[]) AND r.source = u.source AND r.record = u.record`,
      [...keys, JSON.stringify(changed.map(recordRow))],
    );
  }
  const added = records.filter(({ outcome }) => outcome !== 'changed');
  const columns = 'source record station_id stream_id digest facts';
  await copy(client, 'station_records', columns, added, ({ record, station, stream }) => [
    record.source,
    record.record,
    station.id,
    stream.id,
    record.digest,
    record.facts,
  ]);
  await writeAliases(client, added);
}

const recordRow = ({ record, station, stream }: RecordDraft) => ({
  source: record.source,
  record: record.record,
  station_id: station.id,
  stream_id: stream.id,
  digest: record.digest,
  facts: record.clean,
});

/** Radios and apps hold radio-browser's ids; they lead to our stations. */
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
