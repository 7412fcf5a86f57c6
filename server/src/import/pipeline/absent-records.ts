import type { PoolClient } from 'pg';
import { bumpCatalogue } from '../../storage/catalog/stations/version.ts';
import { copyRows } from '../../storage/db/copy.ts';
import type { Queryable } from '../../storage/db/pool.ts';
import { statement } from '../../storage/db/statement.ts';
import { inTransaction } from '../../storage/db/transaction.ts';

/**
 * The records that a run has met, in a temporary table of the import's connection: a run that is killed leaves nothing
 * behind, and memory does not grow with the source.
 */
export class SeenRecords {
  readonly #client: PoolClient;
  #source: string;
  #isEmpty = true;

  private constructor(client: PoolClient, source: string) {
    this.#client = client;
    this.#source = source;
  }

  static async open(client: PoolClient, source: string): Promise<SeenRecords> {
    await client.query('CREATE TEMPORARY TABLE seen_records (record text NOT NULL)');
    return new SeenRecords(client, source);
  }

  /** As the records name it: a run is of one source. */
  get source(): string {
    return this.#source;
  }

  async add(records: readonly { source: string; record: string }[]): Promise<void> {
    this.#isEmpty = false;
    this.#source = records[0]?.source ?? this.#source;
    const rows = records.values().map(({ record }) => [record]);
    await copyRows(this.#client, 'pg_temp.seen_records', ['record'], rows);
  }

  /** Only after a complete run: how much smaller the source has become since the last one. */
  async countDrop(): Promise<Drop> {
    // Nobody else analyses a temporary table.
    await this.#client.query('ANALYZE pg_temp.seen_records');
    const { rows } = await this.#client.query<{ known: number; lost: number }>(
      `SELECT (SELECT count(*) ${KNOWN}) AS known, (SELECT count(*) ${LOST}) AS lost`,
      [this.#source],
    );
    const { known = 0, lost = 0 } = rows[0] ?? {};
    return { known, lost, isEmpty: this.#isEmpty };
  }

  /** Notes since when the source lacks what was not met. Returns how many are new to that. */
  async noteAbsent(now: Temporal.Instant): Promise<number> {
    const { rowCount } = await this.#client.query(
      `INSERT INTO absent_records (source, record, absent_since) SELECT r.source, r.record, $2 ${LOST}`,
      [this.#source, now.toString()],
    );
    return rowCount ?? 0;
  }
}

/** Records that were there in the last complete run, and those added since. */
const KNOWN = `FROM station_records r WHERE r.source = $1
  AND NOT EXISTS (SELECT FROM absent_records a WHERE a.source = r.source AND a.record = r.record)`;
const LOST = `${KNOWN} AND NOT EXISTS (SELECT FROM pg_temp.seen_records s WHERE s.record = r.record)`;

export interface Drop {
  /** Records that the source was known to have. */
  known: number;
  /** Those of them that it lacks now. */
  lost: number;
  /** The source had no record at all. */
  isEmpty: boolean;
}

/** Any source may lose so many at once. */
const FEW = 20;

/** Whether a source has lost so much that its file is more likely truncated than right. */
export const isSuspicious = ({ known, lost, isEmpty }: Drop, maxPercent: number): boolean =>
  lost > Math.max(FEW, (known * maxPercent) / 100) || (isEmpty && lost > 0);

const forgetAbsence = statement(
  'intake-forget-absence',
  {},
  'DELETE FROM absent_records WHERE source = $1 AND record = ANY ($2::text[])',
);

/** For records that their source has again. */
export const forgetAbsent = (db: Queryable, source: string, records: readonly string[]): Promise<unknown> =>
  forgetAbsence.run(db, [source, records]);

/** A literal in the text: with a parameter PostgreSQL plans for a tenth of the table. */
const BATCH = 1000;

const withdrawBatch = statement(
  'intake-withdraw-records',
  { record: 'text' },
  `UPDATE absent_records SET withdrawn_at = $2 WHERE source = $1 AND record = ANY (ARRAY (
     SELECT a.record FROM absent_records a
     JOIN station_records r ON r.source = a.source AND r.record = a.record
     LEFT JOIN stream_checks c ON c.stream_id = r.stream_id
     WHERE a.source = $1 AND a.withdrawn_at IS NULL AND a.absent_since <= $3
       AND (c.alive_at IS NULL OR c.alive_at <= $3)
     LIMIT ${BATCH}
   )) RETURNING record`,
);

const unlistUnnamed = statement(
  'intake-unlist-unnamed',
  { id: 'int8' },
  `UPDATE streams t SET listed = false, updated_at = now()
   WHERE t.id = ANY (ARRAY (SELECT stream_id FROM station_records WHERE source = $1 AND record = ANY ($2::text[])))
     AND t.listed AND NOT 'listed' = ANY (t.pinned) AND NOT EXISTS (
       SELECT FROM station_records r LEFT JOIN absent_records a ON a.source = r.source AND a.record = r.record
       WHERE r.stream_id = t.id AND a.withdrawn_at IS NULL
     ) RETURNING t.id`,
);

export interface Withdrawn {
  records: number;
  /** Streams that no other record names; those an operator listed by hand stay. */
  streams: number;
}

/**
 * Withdraws records that their source has lacked for so many days, unless their stream was heard in that time. Nothing
 * is deleted: a record that comes back is listed again under the same ids.
 */
export async function withdrawRecords(
  client: PoolClient,
  { source, now, afterDays }: { source: string; now: Temporal.Instant; afterDays: number },
): Promise<Withdrawn> {
  const until = now.subtract({ hours: 24 * afterDays });
  const done = { records: 0, streams: 0 };
  for (;;) {
    const batch = await inTransaction(client, async () => {
      const due = await withdrawBatch.run(client, [source, now.toString(), until.toString()]);
      const unlisted = await unlistUnnamed.run(client, [source, due.map(({ record }) => record)]);
      if (unlisted.length > 0) await bumpCatalogue(client);
      return { records: due.length, streams: unlisted.length };
    });
    done.records += batch.records;
    done.streams += batch.streams;
    if (batch.records < BATCH) return done;
  }
}
