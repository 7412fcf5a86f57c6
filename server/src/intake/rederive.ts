import type { Queryable } from '../db/pool.ts';
import type { RecognisedBatch } from './batch.ts';
import type { CleanRecord } from './clean-record.ts';
import { findFacts } from './known-rows.ts';
import type { SettledRecord } from './settled-record.ts';
import { foldRecord, foundStation, type StationDraft } from './station-draft.ts';
import { foldStream, foundStream, type StreamDraft } from './stream-draft.ts';

/** Resolves a record's words to our ids. */
export type Settle = (said: {
  source: string;
  record: string;
  clean: CleanRecord;
  facts: string;
}) => SettledRecord;

/** One thing said of a station, and the stream it was said of. */
interface Saying {
  record: SettledRecord;
  stream: StreamDraft | undefined;
}

/**
 * A record that says something new may have been what a station was made of, so the stations of such records are made
 * again from all that was ever said of them, as if the new words had been there from the start.
 */
export async function rederiveChanged(db: Queryable, batch: RecognisedBatch, settle: Settle): Promise<void> {
  const changed = new Set(
    batch.records.filter(({ outcome }) => outcome === 'changed').map(({ station }) => station),
  );
  if (changed.size === 0) return;
  const sayings = await loadSayings(db, batch, [...changed], settle);
  for (const station of changed) {
    const ofStation = sayings.get(station) ?? [];
    rederiveStation(station, ofStation);
    for (const stream of batch.streams) if (stream.station === station) rederiveStream(stream, ofStation);
  }
}

async function loadSayings(
  db: Queryable,
  batch: RecognisedBatch,
  stations: readonly StationDraft[],
  settle: Settle,
): Promise<Map<StationDraft, Saying[]>> {
  const byId = new Map(stations.map((station) => [station.id, station]));
  const streams = new Map(batch.streams.map((stream) => [stream.id, stream]));
  const now = new Map(batch.records.map((draft) => [keyOf(draft.record), draft]));
  const sayings = new Map<StationDraft, Saying[]>(stations.map((station) => [station, []]));
  for (const row of await findFacts.run(db, [[...byId.keys()]])) {
    const station = byId.get(row.station_id);
    const said = now.get(keyOf(row));
    now.delete(keyOf(row));
    const record = said?.record ?? settleAgain(settle, row);
    if (station) sayings.get(station)?.push({ record, stream: said?.stream ?? streams.get(row.stream_id) });
  }
  for (const { record, station, stream } of now.values()) sayings.get(station)?.push({ record, stream });
  return sayings;
}

function settleAgain(
  settle: Settle,
  row: { source: string; record: string; facts: string | null },
): SettledRecord {
  const facts = row.facts ?? '{}';
  const clean: CleanRecord = JSON.parse(facts);
  return settle({ source: row.source, record: row.record, clean, facts });
}

const keyOf = ({ source, record }: { source: string; record: string }): string => `${source}\n${record}`;

function rederiveStation(station: StationDraft, sayings: readonly Saying[]): void {
  const [first, ...rest] = sayings;
  if (!first) return;
  const derived = foundStation(first.record);
  for (const { record } of rest) foldRecord(derived, record);
  const { id, isNew } = station;
  Object.assign(station, derived, { id, isNew, changed: true });
}

/** A stream that nobody names any more is no longer listed; it is kept, for presets and reports may name it. */
function rederiveStream(stream: StreamDraft, sayings: readonly Saying[]): void {
  const [first, ...rest] = sayings.filter((saying) => saying.stream === stream);
  const { id, isNew, station } = stream;
  if (!first) {
    if (stream.listed) Object.assign(stream, { listed: false, changed: true });
    return;
  }
  const derived = foundStream(station, first.record);
  for (const { record } of rest) foldStream(derived, record);
  Object.assign(stream, derived, { id, isNew, changed: true });
}
