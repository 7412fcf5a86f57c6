import { doubtfulKey } from '../../core/cleaning/clean-name.ts';
import { coordinate } from '../../lib/geo.ts';
import type { Queryable } from '../../storage/db/pool.ts';
import type { RowOf } from '../../storage/db/statement.ts';
import type { ResolvedRecord } from './clean-record.ts';
import {
  foldRecord,
  foldStream,
  foundStation,
  foundStream,
  type StationDraft,
  type StreamDraft,
} from './drafts.ts';
import {
  findNamesAt,
  findRecords,
  findStations,
  findStreamsByKey,
  findStreamsOfStations,
} from './known-rows.ts';
import { type ListTrust, type NameAt, nameAt } from './list-trust.ts';
import { Known, type Witness } from './recognise.ts';
import { ANNOUNCED_SOURCE, POINT_SOURCES } from './record.ts';

type StationRow = RowOf<typeof findStations.columns>;
type StreamRow = RowOf<typeof findStreamsByKey.columns>;

/** The outcome of one record. */
type Outcome = 'added' | 'merged' | 'changed' | 'unchanged';

export interface RecordDraft {
  record: ResolvedRecord;
  station: StationDraft;
  stream: StreamDraft;
  outcome: Exclude<Outcome, 'unchanged'>;
  /** What joined it to its station; a record that was there before keeps what is stored. */
  witness?: Witness;
}

/** A batch after recognition: every record has its station and its stream, and nothing is written yet. */
export interface RecognisedBatch {
  records: RecordDraft[];
  unchanged: number;
  /** Records that their source lacked for a while. */
  returned: string[];
  stations: StationDraft[];
  streams: StreamDraft[];
}

/**
 * Recognises records one after the other, each against all that came before it, so that the result does not depend on
 * where a batch ends. A record seen before keeps its station, whatever it says now.
 */
export async function recogniseBatch(
  db: Queryable,
  batch: readonly ResolvedRecord[],
  trust: ListTrust,
): Promise<RecognisedBatch> {
  const earlier = await loadEarlier(db, batch);
  const fresh = batch.filter(({ record, digest }) => isNews(digest, earlier.get(record)));
  const result: RecognisedBatch = {
    records: [],
    unchanged: batch.length - fresh.length,
    returned: [...earlier.values()].filter((row) => row.is_absent).map(({ record }) => record),
    stations: [],
    streams: [],
  };
  if (fresh.length === 0) return result;
  const { known, stations, streams } = await loadKnown(db, fresh, [...earlier.values()]);
  await compareLists(db, fresh, known, trust);
  for (const record of fresh) record.isDoubtful = trust.isDoubtful(record);
  streams.push(...(await loadMirrors(db, fresh, known)));
  for (const record of fresh) {
    const stationId = earlier.get(record.record)?.station_id;
    const before = stationId === undefined ? undefined : stations.get(stationId);
    result.records.push(before ? matchAgain(known, before, record) : matchRecord(known, record));
  }
  result.stations = unique([...stations.values(), ...result.records.map(({ station }) => station)]);
  result.streams = unique([...streams, ...result.records.map(({ stream }) => stream)]);
  return result;
}

/** A withdrawn record that comes back is treated as a changed one, which lists its stream again. */
const isNews = (digest: string, earlier: RowOf<typeof findRecords.columns> | undefined): boolean =>
  earlier?.digest !== digest || earlier.is_withdrawn;

const unique = <T>(items: T[]): T[] => [...new Set(items)];

function matchRecord(known: Known, record: ResolvedRecord): RecordDraft {
  const found = known.findStation(record);
  const station = found?.station ?? foundStation(record);
  const key = station.nameKey;
  if (found) foldRecord(station, record);
  if (!found || station.nameKey !== key) known.addStation(station);
  return {
    record,
    station,
    stream: resolveStream(known, station, record),
    outcome: found ? 'merged' : 'added',
    witness: found?.witness ?? 'first',
  };
}

/** The row is rewritten from all its records later (rederive.ts); only the stream is decided here. */
const matchAgain = (known: Known, station: StationDraft, record: ResolvedRecord): RecordDraft => ({
  record,
  station,
  stream: resolveStream(known, station, record),
  outcome: 'changed',
});

function resolveStream(known: Known, station: StationDraft, record: ResolvedRecord): StreamDraft {
  const existing = known.findStream(record.clean.stream.addressKey);
  if (existing) {
    foldStream(existing, record);
    return existing;
  }
  const stream = foundStream(station, record);
  known.addStream(stream);
  return stream;
}

/** The streams of stations that only those can prove to be the ones of a record. */
async function loadMirrors(
  db: Queryable,
  fresh: readonly ResolvedRecord[],
  known: Known,
): Promise<StreamDraft[]> {
  const unlike = fresh.flatMap((record) => known.unlikeNamesakes(record)).filter(({ isNew }) => !isNew);
  if (unlike.length === 0) return [];
  const stations = new Map(unlike.map((station) => [station.id, station]));
  const rows = await findStreamsOfStations.run(db, [[...stations.keys()]]);
  const mirrors = draftStreams(
    rows.filter((row) => !known.findStream(row.address_key)),
    stations,
  );
  for (const stream of mirrors) known.addStream(stream);
  return mirrors;
}

/** Before any record is matched, so that the first ones of a list are judged by all of a batch. */
async function compareLists(
  db: Queryable,
  fresh: readonly ResolvedRecord[],
  known: Known,
  trust: ListTrust,
): Promise<void> {
  const streams = new Map(
    fresh.flatMap(({ clean: { stream } }) => {
      const there = known.findStream(stream.addressKey);
      return there ? [[there.id, stream.addressKey] as const] : [];
    }),
  );
  const named = new Map<string, NameAt[]>();
  for (const row of streams.size === 0 ? [] : await findNamesAt.run(db, [[...streams.keys()]]))
    named
      .getOrInsertComputed(streams.get(row.stream_id) ?? '', () => [])
      .push({
        list: row.list ?? '',
        name: row.name ?? '',
        address: row.address ?? '',
        homepageHost: row.homepage_host ?? undefined,
      });
  for (const record of fresh) {
    const there = named.getOrInsertComputed(record.clean.stream.addressKey, () => []);
    const said = nameAt(record);
    trust.compare(said, there);
    there.push(said);
  }
}

async function loadEarlier(
  db: Queryable,
  batch: readonly ResolvedRecord[],
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
  fresh: readonly ResolvedRecord[],
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
  const stationRows = await findStations.run(db, [ids, unique(fresh.flatMap(namesOf))]);

  const known = new Known();
  const stations = await draftStations(db, stationRows);
  for (const station of stations.values()) known.addStation(station);
  const streams = draftStreams(streamRows, stations);
  for (const stream of streams) known.addStream(stream);
  return { known, stations, streams };
}

/** The keys of the stations whose name may be a record's. */
const namesOf = ({ source, clean: { nameKey } }: ResolvedRecord): string[] =>
  source === ANNOUNCED_SOURCE ? [nameKey, doubtfulKey(nameKey)] : [nameKey];

/** Stations and all their streams, as a batch that brings no record. */
export async function loadStations(db: Queryable, ids: readonly number[]): Promise<RecognisedBatch> {
  const stations = await draftStations(db, await findStations.run(db, [ids, []]));
  const streams = draftStreams(await findStreamsOfStations.run(db, [ids]), stations);
  return { records: [], unchanged: 0, returned: [], stations: [...stations.values()], streams };
}

/** One that an operator merged into another leads there. */
async function draftStations(db: Queryable, rows: readonly StationRow[]): Promise<Map<number, StationDraft>> {
  const stations = new Map(rows.map((row) => [row.id, stationDraft(row)]));
  const targets = rows.flatMap(({ merged_into: id }) => (id === null || stations.has(id) ? [] : id));
  const more = targets.length === 0 ? [] : await findStations.run(db, [unique(targets), []]);
  for (const row of more) stations.set(row.id, stationDraft(row));
  for (const { id, merged_into: target } of rows) {
    const [station, into] = [stations.get(id), stations.get(target ?? Number.NaN)];
    if (station && into) station.mergedInto = into;
  }
  return stations;
}

function draftStreams(
  rows: readonly StreamRow[],
  stations: ReadonlyMap<number, StationDraft>,
): StreamDraft[] {
  return rows
    .toSorted((a, b) => a.id - b.id)
    .flatMap((row) => {
      const station = stations.get(row.station_id);
      return station ? [streamDraft(row, station)] : [];
    });
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
  pointSource: POINT_SOURCES.find((source) => source === row.point_source) ?? null,
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
