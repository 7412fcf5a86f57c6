import { parseVerdict } from '../../../lib/failure-code.ts';
import { STREAM_FORMATS } from '../../../lib/stream-format.ts';
import { reliabilityAt } from '../../../storage/catalog/streams/reliability.ts';
import type { Queryable } from '../../../storage/db/pool.ts';
import {
  affiliateIdsBetween,
  endOfBatch,
  genreIdsBetween,
  type IdsRow,
  languageIdsBetween,
  logosBetween,
  type SnapshotRegionRow,
  regionsOfIds,
  stationsBetween,
  type StreamRow,
  streamsBetween,
} from './queries.ts';
import type { DirectoryStream } from './snapshot.ts';
import {
  type StationRelations,
  draftStation,
  MAX_STATIONS,
  type SharedStore,
  type SharedTexts,
  type SnapshotStationDraft,
} from './station-draft.ts';

/**
 * Every listed station with a stream, in order of id. Read in batches, so that only one batch of rows is in memory
 * besides the result, and requests are answered between batches.
 */
export async function readStations(
  db: Queryable,
  shared: SharedStore,
  batchSize: number,
): Promise<SnapshotStationDraft[]> {
  const drafts: SnapshotStationDraft[] = [];
  let afterId = 0;
  for (;;) {
    const lastId = (await endOfBatch.run(db, [afterId, batchSize]))[0]?.last_id ?? undefined;
    if (lastId === undefined) return drafts;
    const relationsOf = await readRelations(db, afterId, lastId, shared);
    // The widest rows come last and are used at once, so that the garbage collector never has to keep them.
    for (const row of await stationsBetween.run(db, [afterId, lastId])) {
      const relations = relationsOf(row.id);
      // A station without a stream is on no menu.
      if (relations) drafts.push(draftStation(row, relations, shared));
    }
    if (drafts.length > MAX_STATIONS) throw new Error(TOO_MANY);
    afterId = lastId;
  }
}

const TOO_MANY = `the catalogue has more than ${MAX_STATIONS} stations, the most a directory can hold; unlist some`;

/** Reads the related rows of each station with an id in (afterId, lastId]; undefined for one without streams. */
async function readRelations(
  db: Queryable,
  afterId: number,
  lastId: number,
  { texts, idLists }: SharedStore,
): Promise<(stationId: number) => StationRelations | undefined> {
  const streamsOf = await readStreams(db, afterId, lastId, texts);
  const genres = idsByStation(await genreIdsBetween.run(db, [afterId, lastId]));
  const languages = idsByStation(await languageIdsBetween.run(db, [afterId, lastId]));
  const affiliates = idsByStation(await affiliateIdsBetween.run(db, [afterId, lastId]));
  const logos = new Set((await logosBetween.run(db, [afterId, lastId])).map((row) => row.item_id));
  return (id) => {
    const streams = streamsOf.get(id);
    if (!streams) return undefined;
    return {
      streams,
      genreIds: idLists.of(genres.get(id)),
      languageIds: idLists.of(languages.get(id)),
      affiliateIds: idLists.of(affiliates.get(id)),
      hasLogo: logos.has(id),
    };
  };
}

const idsByStation = (rows: readonly IdsRow[]): Map<number, string | null> =>
  new Map(rows.map((row) => [row.station_id, row.ids]));

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

export function streamOf(row: StreamRow, texts: SharedTexts, nowMs: number): DirectoryStream {
  return {
    id: row.id,
    address: row.address,
    resolvedAddress: row.resolved_address ?? undefined,
    format: STREAM_FORMATS.find((format) => format === row.format),
    playlist: texts.of(row.playlist),
    bitrate: row.bitrate,
    reliability: reliabilityOf(row, nowMs),
    verdict: parseVerdict(row.verdict),
    codec: texts.of(row.codec),
    redirects: row.redirects ?? 0,
  };
}

/** A source's value counts until we have probed the stream ourselves. */
function reliabilityOf(row: StreamRow, nowMs: number): number {
  const { standing: value, standing_at: at, reliability } = row;
  if (value === null || at === null) return reliability;
  return Math.round(reliabilityAt({ value, atMs: at.epochMilliseconds }, nowMs));
}

const ROOT_ID = 0;

/** The regions with these ids and all their ancestors, always including the root. One query per level of the tree. */
export async function readRegions(db: Queryable, ids: Iterable<number>): Promise<SnapshotRegionRow[]> {
  const asked = new Set<number>();
  let found: SnapshotRegionRow[] = [];
  let level = new Set([ROOT_ID, ...ids]);
  while (level.size > 0) {
    for (const id of level) asked.add(id);
    const rows = await regionsOfIds.run(db, [[...level]]);
    found = found.concat(rows);
    level = new Set(rows.map((row) => row.parent_id).filter((id) => id !== null)).difference(asked);
  }
  return found;
}
