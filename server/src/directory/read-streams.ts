import type { Queryable } from '../db/pool.ts';
import { streamsBetween } from './queries.ts';
import type { SharedTexts } from './shared-values.ts';
import type { DirectoryStream } from './snapshot.ts';
import { streamOf } from './stream-of.ts';

/** The listed streams of the stations with an id in (afterId, lastId], best first. */
export async function readStreams(
  db: Queryable,
  afterId: number,
  lastId: number,
  texts: SharedTexts,
): Promise<Map<number, DirectoryStream[]>> {
  const byStation = new Map<number, DirectoryStream[]>();
  const nowMs = Date.now();
  for (const row of await streamsBetween.run(db, [afterId, lastId])) {
    const stream = streamOf(row, texts, nowMs);
    const streams = byStation.get(row.station_id);
    if (streams) streams.push(stream);
    else byStation.set(row.station_id, [stream]);
  }
  for (const streams of byStation.values()) streams.sort(bestFirst);
  return byStation;
}

const bestFirst = (a: DirectoryStream, b: DirectoryStream): number =>
  b.reliability - a.reliability || b.bitrate - a.bitrate || a.id - b.id;
