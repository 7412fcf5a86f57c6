import { setImmediate } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { ensureGenres } from '../../storage/catalog/stations/station-groups.ts';
import { bumpCatalogue } from '../../storage/catalog/stations/version.ts';
import { holdStationsStill } from '../../storage/db/advisory-lock.ts';
import type { Queryable } from '../../storage/db/pool.ts';
import { inTransaction } from '../../storage/db/transaction.ts';
import { type Clock, systemClock } from '../../lib/clock.ts';
import { saveAffiliates } from '../networks/save-affiliates.ts';
import { applyTakedowns } from './apply-takedowns.ts';
import { forgetAbsent, isSuspicious, SeenRecords, withdrawRecords } from './absent-records.ts';
import { recogniseBatch, type RecognisedBatch } from './batch.ts';
import { cleanRecord, type ResolvedRecord } from './clean-record.ts';
import { findDisagreements } from './disagreements.ts';
import { reclaimUnusedIds, withImportSession } from './import-lock.ts';
import { countRefused, emptySummary, type ImportSummary, type Notice } from './import-summary.ts';
import type { StationRecord } from './record.ts';
import { ListTrust } from './list-trust.ts';
import { loadPlaceResolution, rederiveChanged, type ResolvePlace } from './rederive.ts';
import { writeBatch } from './write-batch.ts';

/** What a source yields: a record, or the reason why an entry is not one. */
export type SourceItem = { record: StationRecord } | { refused: string; at: string };

export interface ImportOptions {
  pool: Pool;
  source: string;
  items: AsyncIterable<SourceItem>;
  absence?: Partial<AbsenceRules>;
  clock?: Clock;
  /** How long to wait for another import to end. */
  maxWaitMs?: number;
  /** Called after each batch. */
  onProgress?: (summary: Readonly<ImportSummary>) => void;
  /** Called for each record that was refused or merged into an existing station. */
  onNotice?: (notice: Notice) => void;
}

/** What becomes of records that a source no longer has. */
export interface AbsenceRules {
  withdrawAfterDays: number;
  /** When a source has lost more than that, nothing counts as gone. */
  maxDropPercent: number;
  /** Unless an operator says that it is right. */
  acceptDrop: boolean;
}

const USUAL_RULES: AbsenceRules = { withdrawAfterDays: 30, maxDropPercent: 5, acceptDrop: false };

/** With 86,888 records, 1,000 at a time takes twice as long, 16,000 no less, and 315 MB of memory instead of 247. */
const BATCH_SIZE = 4000;

/** Cleaning yields to the event loop this often, so that the batch being written never waits long. */
const RECORDS_A_TURN = 50;

/**
 * Reads a source to its end. Each batch is one transaction, so that a killed run leaves complete batches behind;
 * running it again skips known records by their digest. While PostgreSQL writes one batch, the next is read and
 * cleaned.
 */
export const importStations = (options: ImportOptions): Promise<ImportSummary> =>
  withImportSession(options.pool, (client) => importOn(client, options), options.maxWaitMs);

async function importOn(client: PoolClient, options: ImportOptions): Promise<ImportSummary> {
  const summary = emptySummary();
  await requirePlaces(client);
  await inTransaction(client, async () => {
    await ensureGenres(client);
    await reclaimUnusedIds(client);
  });
  const resolvePlaceOf = await loadPlaceResolution(client);
  const runId = await startRun(client, options.source);
  const seen = await SeenRecords.open(client, options.source);
  const trust = await ListTrust.load(client);
  await writeBatches({ client, resolvePlaceOf, summary, seen, trust }, options);
  await keepAbsent({ client, summary, seen }, options);
  // Which stations share a network is only known once all are imported.
  await saveAffiliates(client);
  for await (const fields of findDisagreements(client, options.source, resolvePlaceOf)) {
    summary.disagreeing += 1;
    for (const field of fields) options.onNotice?.(field);
  }
  await finishRun(client, runId, summary);
  return summary;
}

/** What a run works with. */
interface Run {
  client: PoolClient;
  resolvePlaceOf: ResolvePlace;
  summary: ImportSummary;
  seen: SeenRecords;
  trust: ListTrust;
}

async function writeBatches(run: Run, options: ImportOptions): Promise<void> {
  const { client, resolvePlaceOf, summary } = run;
  const tables = new GrowingTables(client);
  let writing: Promise<void> = Promise.resolve();
  try {
    for await (const batch of resolvedBatches(options.items, resolvePlaceOf, summary, options)) {
      await writing;
      writing = importBatch(run, batch, options).then(() => tables.grow());
      // The next await above or below throws the failure; this only keeps it from being reported as unhandled
      // meanwhile.
      writing.catch(() => undefined);
    }
  } finally {
    // Also when the source ends in an error: what was read before it is written.
    await writing;
  }
}

async function importBatch(
  { client, resolvePlaceOf, summary, seen, trust }: Run,
  records: readonly ResolvedRecord[],
  options: ImportOptions,
): Promise<void> {
  let takenDown = 0;
  const written = await inTransaction(client, async () => {
    await holdStationsStill(client);
    const batch = await recogniseBatch(client, records, trust);
    await trust.save(client);
    await seen.add(records);
    if (batch.returned.length > 0) await forgetAbsent(client, records[0]?.source ?? '', batch.returned);
    if (batch.records.length === 0) return batch;
    await rederiveChanged(client, batch, resolvePlaceOf);
    await writeBatch(client, batch);
    takenDown = await applyTakedowns(client, batch);
    await bumpCatalogue(client);
    return batch;
  });
  summary.takenDown += takenDown;
  tally(written, summary, options);
}

/** The source was read to its end, so what it lacks is known now. */
async function keepAbsent(
  { client, summary, seen }: Omit<Run, 'resolvePlaceOf' | 'trust'>,
  { clock = systemClock, absence }: ImportOptions,
): Promise<void> {
  const { source } = seen;
  const { withdrawAfterDays: afterDays, maxDropPercent, acceptDrop } = { ...USUAL_RULES, ...absence };
  const drop = await seen.countDrop();
  if (!acceptDrop && isSuspicious(drop, maxDropPercent)) {
    summary.held = drop;
    return;
  }
  const now = clock.now();
  summary.absent = await seen.noteAbsent(now);
  const { records, streams } = await withdrawRecords(client, { source, now, afterDays });
  summary.withdrawn = records;
  summary.streamsUnlisted = streams;
}

/** Counts what is committed, and reports it. */
function tally(
  batch: RecognisedBatch,
  summary: ImportSummary,
  { onNotice, onProgress }: ImportOptions,
): void {
  summary.unchanged += batch.unchanged;
  summary.returned += batch.returned.length;
  for (const { record, station, outcome } of batch.records) {
    summary[outcome] += 1;
    if (outcome === 'merged') onNotice?.({ what: 'merged', record: record.record, into: `s${station.id}` });
  }
  summary.stationsAdded += batch.stations.filter(({ isNew }) => isNew).length;
  summary.streamsAdded += batch.streams.filter(({ isNew }) => isNew).length;
  onProgress?.(summary);
}

async function* resolvedBatches(
  items: AsyncIterable<SourceItem>,
  resolvePlaceOf: ResolvePlace,
  summary: ImportSummary,
  { onNotice }: ImportOptions,
): AsyncGenerator<ResolvedRecord[]> {
  let batch = new Map<string, ResolvedRecord>();
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
        await resolvePlaceOf({
          source,
          record,
          clean: cleaned.station,
          facts: JSON.stringify(cleaned.station),
        }),
      );
    if (batch.size < BATCH_SIZE) continue;
    yield [...batch.values()];
    batch = new Map();
  }
  if (batch.size > 0) yield [...batch.values()];
}

/** Stations imported without places would never get theirs: a record's words are resolved once. */
async function requirePlaces(client: PoolClient): Promise<void> {
  const { rowCount } = await client.query('SELECT FROM countries LIMIT 1');
  if (!rowCount)
    throw new Error('there are no places in the database; import them first: longwave import places');
}

async function startRun(client: PoolClient, source: string): Promise<number> {
  const { rows } = await client.query<{ id: number }>(
    'INSERT INTO import_runs (source) VALUES ($1) RETURNING id',
    [source],
  );
  return rows[0]?.id ?? 0;
}

async function finishRun(client: PoolClient, id: number, summary: ImportSummary): Promise<void> {
  // For queries from now on: autovacuum would analyse the tables too, but later.
  if (summary.added + summary.merged + summary.changed > 0) await analyseTables(client);
  const { refusedAt: _places, ...counts } = summary;
  const facts = { ...counts, refused: Object.fromEntries(summary.refused) };
  await client.query('UPDATE import_runs SET finished_at = now(), summary = $2 WHERE id = $1', [id, facts]);
}

const WRITTEN_TABLES =
  'stations, streams, station_genres, station_languages, station_records, absent_records, aliases, images';
/** Analyse again when this many times as much has been written. */
const GROWTH = 4;

/** Plans are cached: made for empty tables, they would scan all of them in each batch. */
const analyseTables = async (db: Queryable): Promise<void> => {
  await db.query({ text: `ANALYZE ${WRITTEN_TABLES}` });
};

/** Analyses the tables after the first batch, the fourth, the sixteenth and so on. */
export class GrowingTables {
  readonly #db: Queryable;
  #batches = 0;
  #next = 1;

  constructor(db: Queryable) {
    this.#db = db;
  }

  async grow(): Promise<void> {
    this.#batches += 1;
    if (this.#batches < this.#next) return;
    this.#next *= GROWTH;
    await analyseTables(this.#db);
  }
}
