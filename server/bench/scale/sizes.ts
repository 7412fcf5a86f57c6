import type { ScaleDatabase } from './database.ts';
import { LOADED } from './load.ts';

const TABLES = LOADED;

interface Size {
  relation: string;
  bytes: number;
}

/** Bytes on disk of each table and index, partitions together, and per row. */
export async function printSizes({ name, pool }: ScaleDatabase): Promise<void> {
  console.log(`\n${name}\n\n| table or index | MB | bytes per row |\n|---|---|---|`);
  let total = 0;
  for (const table of TABLES) {
    const { rows: counted } = await pool.query(`SELECT count(*) AS count FROM ${table}`);
    const { count } = counted[0];
    const { rows } = await pool.query<Size>(SIZES, [table]);
    const sum = rows.reduce((bytes, row) => bytes + row.bytes, 0);
    total += sum;
    console.log(line(`**${table}**, ${count} rows`, sum, count));
    for (const { relation, bytes } of rows) console.log(line(relation, bytes, count));
  }
  const { rows } = await pool.query('SELECT pg_database_size(current_database()) AS bytes');
  console.log(`\nthese ${megabytes(total)} MB, the whole database ${megabytes(rows[0].bytes)} MB\n`);
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);
const line = (what: string, bytes: number, count: number): string =>
  `| ${what} | ${megabytes(bytes)} | ${count === 0 ? '' : (bytes / count).toFixed(1)} |`;

// PostgreSQL names the indexes of partitions; they are matched to those of the table by their key.
const SIZES = `
  WITH parts AS (
    SELECT relid FROM pg_partition_tree($1::text::regclass) WHERE isleaf
    UNION SELECT oid FROM pg_class WHERE oid = $1::text::regclass AND relkind = 'r')
  SELECT 'the rows' AS relation, sum(pg_relation_size(relid) + pg_relation_size(relid, 'fsm')
    + pg_relation_size(relid, 'vm'))::bigint AS bytes FROM parts
  UNION ALL
  SELECT 'long texts, out of the rows', sum(pg_total_relation_size(c.reltoastrelid))::bigint
  FROM parts JOIN pg_class c ON c.oid = relid WHERE c.reltoastrelid <> 0
  UNION ALL
  (SELECT 'index ' || (regexp_match(pg_get_indexdef(indexrelid), 'USING (.*)$'))[1],
    sum(pg_relation_size(indexrelid))::bigint
  FROM parts JOIN pg_index i ON i.indrelid = relid GROUP BY 1 ORDER BY 2 DESC)`;
