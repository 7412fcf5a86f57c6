import type { PoolClient } from 'pg';
import { type CopyValue, copyRows } from '../../db/copy.ts';
import { inTransaction } from '../../db/transaction.ts';

/** The SQL type of a column of the temporary table, and its value in a row. */
export type Column<Row> = readonly [type: string, value: (row: Row) => CopyValue];

/** How rows come into the database: copied into a temporary table, then carried over by inserts. */
export interface Intake<Row> {
  table: string;
  columns: Readonly<Record<string, Column<Row>>>;
  /** Each returns the `key` of every row that it wrote, and whether it was `added` or only changed. */
  inserts: readonly string[];
}

export interface Tally {
  read: number;
  added: number;
  changed: number;
}

const BATCH_ROWS = 10_000;

export function createIncoming({ table, columns }: Intake<never>): string {
  const list = Object.entries(columns).map(([name, [type]]) => `${name} ${type}`);
  return `CREATE TEMPORARY TABLE ${table} (${list.join(', ')})`;
}

/**
 * Writes the next rows, adds them to the tally, and tells whether there were any. A batch is a transaction, so an import
 * that is killed leaves whole batches behind and may simply be run again.
 */
export async function writeBatch<Row>(
  client: PoolClient,
  { table, columns, inserts }: Intake<Row>,
  left: Iterator<Row>,
  tally: Tally,
): Promise<boolean> {
  const batch = new Batch(left, Object.values(columns));
  const written = await inTransaction(client, async () => {
    await client.query(`TRUNCATE ${table}`);
    await copyRows(client, table, Object.keys(columns), batch);
    // Without it the planner takes the temporary table for smaller than it is, at three times the cost.
    await client.query(`ANALYZE ${table} (code)`);
    return await runInserts(client, inserts);
  });
  tally.read += batch.count;
  tally.added += written.added;
  tally.changed += written.changed;
  return batch.count > 0;
}

/** The next rows as COPY takes them, made one by one as it asks for them. */
class Batch<Row> implements Iterable<CopyValue[]> {
  count = 0;
  readonly #left: Iterator<Row>;
  readonly #columns: readonly Column<Row>[];

  constructor(left: Iterator<Row>, columns: readonly Column<Row>[]) {
    this.#left = left;
    this.#columns = columns;
  }

  *[Symbol.iterator](): Generator<CopyValue[]> {
    while (this.count < BATCH_ROWS) {
      const next = this.#left.next();
      if (next.done) return;
      this.count += 1;
      yield this.#columns.map(([, value]) => value(next.value));
    }
  }
}

/** A place that two tables hold is one place, however many of its rows are written. */
async function runInserts(
  client: PoolClient,
  inserts: readonly string[],
): Promise<{ added: number; changed: number }> {
  let added = 0;
  const changed = new Set<string>();
  for (const insert of inserts) {
    const { rows } = await client.query<{ added: number; changed: string[] }>(`
      WITH written AS (${insert})
      SELECT count(*) FILTER (WHERE added)::integer AS added,
        coalesce(array_agg(key) FILTER (WHERE NOT added), '{}') AS changed
      FROM written`);
    added = Math.max(added, rows[0]?.added ?? 0);
    for (const key of rows[0]?.changed ?? []) changed.add(key);
  }
  return { added, changed: changed.size };
}
