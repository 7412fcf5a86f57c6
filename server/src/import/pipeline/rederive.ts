import { isDoubtfulKey } from '../../core/cleaning/clean-name.ts';
import { uuidOf } from '../../lib/ids.ts';
import { LazyPlaceResolver, type ResolvedPlace } from '../../storage/catalog/places/place-resolver.ts';
import { listGenres, listLanguages } from '../../storage/catalog/stations/station-groups.ts';
import type { Queryable } from '../../storage/db/pool.ts';
import type { RecognisedBatch } from './batch.ts';
import type { CleanRecord, ResolvedRecord } from './clean-record.ts';
import {
  foldRecord,
  foldStream,
  foundStation,
  foundStream,
  type StationDraft,
  type StreamDraft,
} from './drafts.ts';
import { findFacts } from './known-rows.ts';
import type { PointSource } from './record.ts';

/** Resolves a record's words to our ids. */
export type ResolvePlace = (said: {
  source: string;
  record: string;
  clean: CleanRecord;
  facts: string;
}) => Promise<ResolvedRecord>;

/** The contents of one record of a station, and the stream it names: none once it is withdrawn. */
interface KnownRecord {
  record: ResolvedRecord;
  stream: StreamDraft | undefined;
}

/**
 * A record that changed may have been what a station was made from, so the stations of such records are rebuilt from
 * all their records, as if the new contents had been there from the start.
 */
export async function rederiveChanged(
  db: Queryable,
  batch: RecognisedBatch,
  resolvePlaceOf: ResolvePlace,
): Promise<void> {
  const changed = new Set(
    batch.records.filter(({ outcome }) => outcome === 'changed').map(({ station }) => station),
  );
  if (changed.size > 0) await rederiveStations(db, batch, [...changed], resolvePlaceOf);
}

/** Rebuilds these stations and their streams from all their records; one that has no records stays as it is. */
export async function rederiveStations(
  db: Queryable,
  batch: RecognisedBatch,
  stations: readonly StationDraft[],
  resolvePlaceOf: ResolvePlace,
): Promise<void> {
  const knownRecords = await loadKnownRecords(db, batch, stations, resolvePlaceOf);
  for (const [station, ofStation] of knownRecords) {
    if (ofStation.length === 0) continue;
    rederiveStation(station, ofStation);
    for (const stream of batch.streams) if (stream.station === station) rederiveStream(stream, ofStation);
  }
}

async function loadKnownRecords(
  db: Queryable,
  batch: RecognisedBatch,
  stations: readonly StationDraft[],
  resolvePlaceOf: ResolvePlace,
): Promise<Map<StationDraft, KnownRecord[]>> {
  const byId = new Map(stations.map((station) => [station.id, station]));
  const streams = new Map(batch.streams.map((stream) => [stream.id, stream]));
  const now = new Map(batch.records.map((draft) => [keyOf(draft.record), draft]));
  const knownRecords = new Map<StationDraft, KnownRecord[]>(stations.map((station) => [station, []]));
  for (const row of await findFacts.run(db, [[...byId.keys()]])) {
    const station = byId.get(row.station_id);
    const said = now.get(keyOf(row));
    now.delete(keyOf(row));
    const record = said?.record ?? (await resolveAgain(resolvePlaceOf, row));
    const named = row.is_withdrawn ? undefined : streams.get(row.stream_id);
    if (station) knownRecords.get(station)?.push({ record, stream: said?.stream ?? named });
  }
  for (const { record, station, stream } of now.values()) knownRecords.get(station)?.push({ record, stream });
  return knownRecords;
}

/** What a record that is stored says, in ids of now. */
export async function resolveAgain(
  resolvePlaceOf: ResolvePlace,
  row: { source: string; record: string; facts: string | null; doubtful: boolean },
): Promise<ResolvedRecord> {
  const facts = row.facts ?? '{}';
  const clean: CleanRecord = JSON.parse(facts);
  const record = await resolvePlaceOf({ source: row.source, record: row.record, clean, facts });
  return row.doubtful ? { ...record, isDoubtful: true } : record;
}

const keyOf = ({ source, record }: { source: string; record: string }): string => `${source}\n${record}`;

function rederiveStation(station: StationDraft, knownRecords: readonly KnownRecord[]): void {
  const [first, ...rest] = knownRecords;
  if (!first) return;
  const derived = foundStation(first.record);
  for (const { record } of rest) foldRecord(derived, record);
  const { id, isNew, nameKey: before } = station;
  const isRenamed = isDoubtfulKey(before) && before !== derived.nameKey;
  Object.assign(station, derived, { id, isNew, changed: true, isRenamed });
}

/** A stream that no record names any more is unlisted, but not deleted: presets and reports may refer to it. */
function rederiveStream(stream: StreamDraft, knownRecords: readonly KnownRecord[]): void {
  const [first, ...rest] = knownRecords.filter((known) => known.stream === stream);
  const { id, isNew, station } = stream;
  if (!first) {
    if (stream.listed) Object.assign(stream, { listed: false, changed: true });
    return;
  }
  const derived = foundStream(station, first.record);
  for (const { record } of rest) foldStream(derived, record);
  Object.assign(stream, derived, { id, isNew, changed: true });
}

/** Loads the lookup tables for genres and languages, and for places as records name them: up to some tens of megabytes. */
export async function loadPlaceResolution(db: Queryable): Promise<ResolvePlace> {
  const places = await LazyPlaceResolver.open(db);
  const genres = new Map((await listGenres(db)).map(({ slug, id }) => [slug, id]));
  const languages = new Map((await listLanguages(db)).map(({ code, id }) => [code, id]));
  return async ({ source, record, facts, clean }): Promise<ResolvedRecord> => {
    const place = await places.resolve(clean);
    return {
      source,
      record,
      digest: uuidOf(facts),
      clean,
      facts,
      countryId: place.countryId ?? null,
      regionId: place.regionId ?? null,
      coordinate: place.coordinate ?? null,
      pointSource: pointSourceOf(place, clean),
      zone: place.zone ?? null,
      genreIds: idsOf(genres, clean.genres),
      languageIds: idsOf(languages, clean.languages),
    };
  };
}

function pointSourceOf(place: ResolvedPlace, { pointSource }: CleanRecord): PointSource | null {
  if (!place.coordinate) return null;
  return place.coordinateIsCity ? 'city' : (pointSource ?? 'claim');
}

const idsOf = (ids: ReadonlyMap<string, number>, keys: readonly string[]): number[] =>
  keys.flatMap((key) => ids.get(key) ?? []);
