import { setImmediate } from 'node:timers/promises';
import type { Pool } from 'pg';
import { ensureGenres } from '../catalog/genres.ts';
import { bumpCatalogue } from '../catalog/version.ts';
import { transaction } from '../db/transaction.ts';
import { GrowingTables, analyseTables } from './analyse-tables.ts';
import { type RecognisedBatch, recogniseBatch } from './batch.ts';
import { cleanRecord } from './clean-record.ts';
import { reclaimUnusedIds, takeImportLock } from './import-lock.ts';
import { countRefused, emptySummary, type ImportSummary, type Notice } from './import-summary.ts';
import { saveAffiliates } from './networks/save-affiliates.ts';
import type { StationRecord } from './record.ts';
import { rederiveChanged, type Settle } from './rederive.ts';
import type { SettledRecord } from './settled-record.ts';
import { loadSettle } from './settle.ts';
import { writeBatch } from './write-batch.ts';

/** What a source hands over: a record, or the reason why something in it is none. */
export type SourceItem = { record: StationRecord } | { refused: string; at: string };

export interface ImportOptions {
  pool: Pool;
  source: string;
  items: AsyncIterable<SourceItem>;
  /** Told after each batch. */
  onProgress?: (summary: Readonly<ImportSummary>) => void;
  /** Told of each record that was refused or became part of a station that was there. */
  onNotice?: (notice: Notice) => void;
}

/** Of 86,888 records: 1,000 at a time takes twice as long, 16,000 no less, and 315 MB of memory instead of 247. */
const BATCH_SIZE = 4000;

/** Cleaning gives way this often, so that the batch being written never waits long for its turn. */
const RECORDS_A_TURN = 50;

/**
 * Reads a source to its end. Each batch is one transaction, so that a run that is killed leaves whole batches behind;
 * running again skips what is there by its digest. While PostgreSQL writes one batch, the next is read and cleaned.
 */
export async function importStations(options: ImportOptions): Promise<ImportSummary> {
  const { pool, source, items } = options;
  const summary = emptySummary();
  await using lock = await takeImportLock(pool);
  void lock;
  await requirePlaces(pool);
  await transaction(pool, async (client) => {
    await ensureGenres(client);
    await reclaimUnusedIds(client);
  });
  const settle = await loadSettle(pool);
  const runId = await startRun(pool, source);
  const tables = new GrowingTables(pool);
  let writing: Promise<void> = Promise.resolve();
  for await (const batch of settledBatches(items, settle, summary, options)) {
    await writing;
    writing = importBatch(options, batch, settle, summary).then(() => tables.grow());
    // The failure is thrown by the next await above or below; this only keeps it from being called unhandled meanwhile.
    writing.catch(() => undefined);
  }
  await writing;
  // Which stations share a network shows only when all are there.
  await saveAffiliates(pool);
  await finishRun(pool, runId, summary);
  return summary;
}

async function importBatch(
  options: ImportOptions,
  records: readonly SettledRecord[],
  settle: Settle,
  summary: ImportSummary,
): Promise<void> {
  const written = await transaction(options.pool, async (client) => {
    const batch = await recogniseBatch(client, records);
    if (batch.records.length === 0) return batch;
    await rederiveChanged(client, batch, settle);
    await writeBatch(client, batch);
    await bumpCatalogue(client);
    return batch;
  });
  tally(written, summary, options);
}

/** Counts what is committed, and tells of it. */
function tally(
  batch: RecognisedBatch,
  summary: ImportSummary,
  { onNotice, onProgress }: ImportOptions,
): void {
  summary.unchanged += batch.unchanged;
  for (const { record, station, outcome } of batch.records) {
    summary[outcome] += 1;
    if (outcome === 'merged') onNotice?.({ what: 'merged', record: record.record, into: `s${station.id}` });
  }
  summary.stationsAdded += batch.stations.filter(({ isNew }) => isNew).length;
  summary.streamsAdded += batch.streams.filter(({ isNew }) => isNew).length;
  onProgress?.(summary);
}

async function* settledBatches(
  items: AsyncIterable<SourceItem>,
  settle: Settle,
  summary: ImportSummary,
  { onNotice }: ImportOptions,
): AsyncGenerator<SettledRecord[]> {
  let batch = new Map<string, SettledRecord>();
  const refuse = (record: string, reason: string, at?: string): void => {
    countRefused(summary, reason, at);
    onNotice?.({ what: 'refused', record, why: reason });
  };
  for await (const item of items) {
    summary.read += 1;
    if (summary.read % RECORDS_A_TURN === 0) await setImmediate();
    if ('refused' in item) {
      refuse(item.at, item.refused, item.at);
      continue;
    }
    const { source, record } = item.record;
    const cleaned = cleanRecord(item.record);
    if ('refused' in cleaned) refuse(record, cleaned.refused);
    else if (batch.has(record)) refuse(record, 'the same record twice in a row');
    else
      batch.set(
        record,
        settle({ source, record, clean: cleaned.station, facts: JSON.stringify(cleaned.station) }),
      );
    if (batch.size < BATCH_SIZE) continue;
    yield [...batch.values()];
    batch = new Map();
  }
  if (batch.size > 0) yield [...batch.values()];
}

/** Stations imported into a world without places would stay without theirs: what a record says is settled once. */
async function requirePlaces(pool: Pool): Promise<void> {
  const { rowCount } = await pool.query('SELECT FROM countries LIMIT 1');
  if (!rowCount)
    throw new Error('there are no places to put stations in; import them first: longwave import places');
}

async function startRun(pool: Pool, source: string): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(
    'INSERT INTO import_runs (source) VALUES ($1) RETURNING id',
    [source],
  );
  return rows[0]?.id ?? 0;
}

async function finishRun(pool: Pool, id: number, summary: ImportSummary): Promise<void> {
  // For those who read it now: PostgreSQL would look by itself, later.
  if (summary.added + summary.merged + summary.changed > 0) await analyseTables(pool);
  const { refusedAt: _places, ...counts } = summary;
  const facts = { ...counts, refused: Object.fromEntries(summary.refused) };
  await pool.query('UPDATE import_runs SET finished_at = now(), summary = $2 WHERE id = $1', [id, facts]);
}
