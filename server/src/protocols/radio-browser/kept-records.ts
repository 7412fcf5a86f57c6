import { LRUCache } from 'lru-cache';
import type { DirectoryStream } from '../../core/directory/snapshot/snapshot.ts';
import { type RecordSources, stationRecord } from './station-record.ts';
import type { View } from './view.ts';

interface KeptRecord {
  json: string;
  /** What was written with it that can change before the next view. */
  streams: readonly DirectoryStream[];
  votes: number;
  clicks: number;
  clickedMs: number | undefined;
  origin: string;
}

/** Some ten megabytes. */
const MAX_KEPT_RECORDS = 8000;
const kept = new WeakMap<View, LRUCache<number, KeptRecord>>();

/** A station's record as JSON. The same few hundred are on the first screens of every app, so they are kept as they are sent. */
export function jsonRecord(view: View, rank: number, sources: RecordSources): string {
  const records = kept.getOrInsertComputed(view, () => new LRUCache({ max: MAX_KEPT_RECORDS }));
  const known = records.get(rank);
  const station = view.snapshot.stations[rank]!;
  const { votes, clicks, clickedMs } = sources.counts.of(station);
  const isAsKnown =
    known !== undefined &&
    known.origin === sources.origin &&
    known.votes === votes &&
    known.clicks === clicks &&
    known.clickedMs === clickedMs &&
    station.streams.every((one, index) => sources.streamBoard.latest(one) === known.streams[index]);
  if (isAsKnown) return known.json;
  const streams = station.streams.map((one) => sources.streamBoard.latest(one));
  const json = JSON.stringify(stationRecord(view, rank, sources));
  records.set(rank, { json, streams, votes, clicks, clickedMs, origin: sources.origin });
  return json;
}
