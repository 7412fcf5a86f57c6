import { setImmediate } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { ensureGenres } from '../catalog/genres.ts';
import { bumpCatalogue } from '../catalog/version.ts';
import { inTransaction } from '../db/transaction.ts';
import { GrowingTables, analyseTables } from './analyse-tables.ts';
import { type RecognisedBatch, recogniseBatch } from './batch.ts';
import { cleanRecord } from './clean-record.ts';
import { reclaimUnusedIds, withImportSession } from './import-lock.ts';
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
  /** How long another import that is running is waited for. */
  patienceMs?: number;
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
export const importStations = (options: ImportOptions): Promise<ImportSummary> =>
  withImportSession(options.pool, (client) => importOn(client, options), options.patienceMs);

async function importOn(client: PoolClient, options: ImportOptions): Promise<ImportSummary> {
  const summary = emptySummary();
  await requirePlaces(client);
  await inTransaction(client, async () => {
    await ensureGenres(client);
    await reclaimUnusedIds(client);
  });
  const settle = await loadSettle(client);
  const runId = await startRun(client, options.source);
  await writeBatches(client, settle, summary, options);
  // Which stations share a network shows only when all are there.
  await saveAffiliates(client);
  await finishRun(client, runId, summary);
  return summary;
}

async function writeBatches(
  client: PoolClient,
  settle: Settle,
  summary: ImportSummary,
  options: ImportOptions,
): Promise<void> {
  const tables = new GrowingTables(client);
  let writing: Promise<void> = Promise.resolve();
  try {
    for await (const batch of settledBatches(options.items, settle, summary, options)) {
      await writing;
      writing = importBatch(client, batch, settle, summary, options).then(() => tables.grow());
      // The failure is thrown by the next await above or below; this only keeps it from being called unhandled meanwhile.
      writing.catch(() => undefined);
    }
  } finally {
    // Also when the source ends in an error: what was read before it is written.
    await writing;
  }
}

async function importBatch(
  client: PoolClient,
  records: readonly SettledRecord[],
  settle: Settle,
  summary: ImportSummary,
  options: ImportOptions,
): Promise<void> {
  const written = await inTransaction(client, async () => {
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
async function requirePlaces(client: PoolClient): Promise<void> {
  const { rowCount } = await client.query('SELECT FROM countries LIMIT 1');
  if (!rowCount)
    throw new Error('there are no places to put stations in; import them first: longwave import places');
}

async function startRun(client: PoolClient, source: string): Promise<number> {
  const { rows } = await client.query<{ id: number }>(
    'INSERT INTO import_runs (source) VALUES ($1) RETURNING id',
    [source],
  );
  return rows[0]?.id ?? 0;
}

async function finishRun(client: PoolClient, id: number, summary: ImportSummary): Promise<void> {
  // For those who read it now: PostgreSQL would look by itself, later.
  if (summary.added + summary.merged + summary.changed > 0) await analyseTables(client);
  const { refusedAt: _places, ...counts } = summary;
  const facts = { ...counts, refused: Object.fromEntries(summary.refused) };
  await client.query('UPDATE import_runs SET finished_at = now(), summary = $2 WHERE id = $1', [id, facts]);
}
