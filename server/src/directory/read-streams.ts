import type { Queryable } from '../db/pool.ts';
import { STREAM_FORMATS } from '../lib/stream-format.ts';
import { type StreamRow, streamsBetween } from './queries.ts';
import type { SharedTexts } from './shared-values.ts';
import type { DirectoryStream } from './snapshot.ts';

/** The listed streams of the stations with an id in (afterId, lastId], best first. */
export async function readStreams(
  db: Queryable,
  afterId: number,
  lastId: number,
  texts: SharedTexts,
): Promise<Map<number, DirectoryStream[]>> {
  const byStation = new Map<number, DirectoryStream[]>();
  for (const row of await streamsBetween.run(db, [afterId, lastId])) {
    const stream = streamOf(row, texts);
    const streams = byStation.get(row.station_id);
    if (streams) streams.push(stream);
    else byStation.set(row.station_id, [stream]);
  }
  for (const streams of byStation.values()) streams.sort(bestFirst);
  return byStation;
}

function streamOf(row: StreamRow, texts: SharedTexts): DirectoryStream {
  const { resolved_address: resolved } = row;
  return {
    id: row.id,
    address: row.address,
    resolvedAddress: resolved === null || resolved === row.address ? undefined : resolved,
    format: STREAM_FORMATS.find((format) => format === row.format),
    playlist: texts.of(row.playlist),
    bitrate: row.bitrate,
    reliability: row.reliability,
  };
}

const bestFirst = (a: DirectoryStream, b: DirectoryStream): number =>
  b.reliability - a.reliability || b.bitrate - a.bitrate || a.id - b.id;
