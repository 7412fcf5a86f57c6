import type { Queryable } from '../db/pool.ts';
import type { RowOf } from '../db/statement.ts';
import { coordinate } from '../lib/geo.ts';
import { findRecords, findStations, findStreamsByKey, findStreamsOfStations } from './known-rows.ts';
import { Known } from './recognise.ts';
import type { SettledRecord } from './settled-record.ts';
import { foldRecord, foundStation, type StationDraft } from './station-draft.ts';
import { foldStream, foundStream, type StreamDraft } from './stream-draft.ts';

type StationRow = RowOf<typeof findStations.columns>;
type StreamRow = RowOf<typeof findStreamsByKey.columns>;

/** What became of one record. */
export type Outcome = 'added' | 'merged' | 'changed' | 'unchanged';

export interface RecordDraft {
  record: SettledRecord;
  station: StationDraft;
  stream: StreamDraft;
  outcome: Exclude<Outcome, 'unchanged'>;
}

/** A batch after recognition: every record has its station and its stream, and nothing is written yet. */
export interface RecognisedBatch {
  records: RecordDraft[];
  unchanged: number;
  stations: StationDraft[];
  streams: StreamDraft[];
}

/**
 * Recognises records one after the other, each against all that came before it, so that the result does not depend on
 * where a batch ends. A record seen before keeps its station, whatever it says now.
 */
export async function recogniseBatch(
  db: Queryable,
  batch: readonly SettledRecord[],
): Promise<RecognisedBatch> {
  const earlier = await loadEarlier(db, batch);
  const fresh = batch.filter(({ record, digest }) => earlier.get(record)?.digest !== digest);
  const result: RecognisedBatch = {
    records: [],
    unchanged: batch.length - fresh.length,
    stations: [],
    streams: [],
  };
  if (fresh.length === 0) return result;
  const { known, stations, streams } = await loadKnown(db, fresh, [...earlier.values()]);
  for (const record of fresh) {
    const stationId = earlier.get(record.record)?.station_id;
    const before = stationId === undefined ? undefined : stations.get(stationId);
    result.records.push(before ? meetAgain(known, before, record) : meet(known, record));
  }
  result.stations = unique([...stations.values(), ...result.records.map(({ station }) => station)]);
  result.streams = unique([...streams, ...result.records.map(({ stream }) => stream)]);
  return result;
}

const unique = <T>(items: T[]): T[] => [...new Set(items)];

function meet(known: Known, record: SettledRecord): RecordDraft {
  const found = known.findStation(record);
  const station = found ?? foundStation(record);
  if (found) foldRecord(station, record);
  else known.addStation(station);
  return {
    record,
    station,
    stream: settleStream(known, station, record),
    outcome: found ? 'merged' : 'added',
  };
}

/** The row is written anew from all its records later (rederive.ts); here only the stream is settled. */
const meetAgain = (known: Known, station: StationDraft, record: SettledRecord): RecordDraft => ({
  record,
  station,
  stream: settleStream(known, station, record),
  outcome: 'changed',
});

function settleStream(known: Known, station: StationDraft, record: SettledRecord): StreamDraft {
  const existing = known.findStream(record.clean.stream.addressKey);
  if (existing) {
    foldStream(existing, record);
    return existing;
  }
  const stream = foundStream(station, record);
  known.addStream(stream);
  return stream;
}

async function loadEarlier(
  db: Queryable,
  batch: readonly SettledRecord[],
): Promise<Map<string, RowOf<typeof findRecords.columns>>> {
  const source = batch[0]?.source ?? '';
  const rows = await findRecords.run(db, [source, batch.map(({ record }) => record)]);
  return new Map(rows.map((row) => [row.record, row]));
}

interface Loaded {
  known: Known;
  stations: Map<number, StationDraft>;
  streams: StreamDraft[];
}

async function loadKnown(
  db: Queryable,
  fresh: readonly SettledRecord[],
  earlier: readonly { station_id: number }[],
): Promise<Loaded> {
  const keys = fresh.flatMap(({ clean: { stream } }) => [
    stream.addressKey,
    stream.resolvedKey ?? stream.addressKey,
  ]);
  const earlierIds = earlier.map((row) => row.station_id);
  const byKey = await findStreamsByKey.run(db, [unique(keys)]);
  const ofEarlier = await findStreamsOfStations.run(db, [earlierIds]);
  const streamRows = [...new Map([...byKey, ...ofEarlier].map((row) => [row.id, row])).values()];
  const ids = unique([...streamRows.map((row) => row.station_id), ...earlierIds]);
  const stationRows = await findStations.run(db, [ids, unique(fresh.map(({ clean }) => clean.nameKey))]);

  const known = new Known();
  const stations = new Map(stationRows.map((row) => [row.id, stationDraft(row)]));
  for (const station of stations.values()) known.addStation(station);
  const streams: StreamDraft[] = [];
  for (const row of streamRows.toSorted((a, b) => a.id - b.id)) {
    const station = stations.get(row.station_id);
    if (station) streams.push(streamDraft(row, station));
  }
  for (const stream of streams) known.addStream(stream);
  return { known, stations, streams };
}

const stationDraft = (row: StationRow): StationDraft => ({
  id: row.id,
  isNew: false,
  changed: false,
  name: row.name,
  nameKey: row.name_key,
  callSign: row.call_sign,
  frequency: row.frequency,
  band: row.band,
  homepage: row.homepage,
  homepageHost: row.homepage_host,
  countryId: row.country_id,
  regionId: row.region_id,
  coordinate: coordinate(row.latitude ?? Number.NaN, row.longitude ?? Number.NaN) ?? null,
  zone: row.zone,
  votes: row.votes,
  clicks: row.clicks,
  genreIds: row.genre_ids ?? [],
  languageIds: row.language_ids ?? [],
  logo: row.logo,
});

const streamDraft = (row: StreamRow, station: StationDraft): StreamDraft => ({
  id: row.id,
  isNew: false,
  changed: false,
  station,
  address: row.address,
  addressKey: row.address_key,
  resolvedAddress: row.resolved_address,
  resolvedKey: row.resolved_key,
  format: row.format,
  playlist: row.playlist,
  bitrate: row.bitrate,
  reliability: row.reliability,
  lastSeen: row.last_seen,
  listed: row.listed,
});
