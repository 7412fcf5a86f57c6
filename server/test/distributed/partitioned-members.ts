import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from 'pg';
import { MEMBER_TABLES } from '../../src/storage/db/member-tables.ts';
import { explain, walkPlan } from '../database/statements/explain-plan.ts';

const PARTITIONS = 4;
const ROWS = readFileSync(join(import.meta.dirname, '../database/statements/explain-rows.sql'), 'utf8');
/** The rows around the account that the samples name. */
const SOME_ROWS = 'generate_series(4990, 5010)';

/**
 * Lays the members' tables out as PostgreSQL's own hash partitions, each by its distribution key, with a few rows in them: what its
 * planner makes of a statement then is what that statement would be to several servers.
 */
export async function partitionMembers(client: Client): Promise<void> {
  await client.query('CREATE SEQUENCE made_ids');
  for (const [table, key] of Object.entries(MEMBER_TABLES)) await partition(client, table, key);
  for (const insert of ROWS.split(/;\n/)) {
    const table = /^INSERT INTO (\w+)/m.exec(insert)?.[1] ?? '';
    if (table in MEMBER_TABLES)
      await client.query(insert.replaceAll(/generate_series\(1, 10{4,5}\)/g, SOME_ROWS));
  }
}

async function partition(client: Client, table: string, key: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT quote_ident(attname) AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attidentity <> ''`,
    [table],
  );
  await client.query(`
    ALTER TABLE ${table} RENAME TO whole_${table};
    CREATE TABLE ${table} (LIKE whole_${table} INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING INDEXES) PARTITION BY HASH (${key});`);
  for (const { name } of rows)
    await client.query(`ALTER TABLE ${table} ALTER COLUMN ${name} SET DEFAULT nextval('made_ids')`);
  // PostgreSQL would move the row to another partition; other engines refuse to.
  await client.query(`
    CREATE FUNCTION refuse_${table}() RETURNS trigger LANGUAGE plpgsql AS
      $$BEGIN RAISE '${table} is updated in ${key}, which decides on its server'; END$$;
    CREATE TRIGGER refuse BEFORE UPDATE OF ${key} ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION refuse_${table}();`);
  for (let part = 0; part < PARTITIONS; part += 1)
    await client.query(
      `CREATE TABLE ${table}_${part} PARTITION OF ${table} FOR VALUES WITH (MODULUS ${PARTITIONS}, REMAINDER ${part})`,
    );
}

const PARTS = `SELECT inhrelid::regclass::text AS part, parent.relname AS table,
    pg_stat_get_xact_tuples_inserted(inhrelid)::int AS added
  FROM pg_inherits JOIN pg_class AS parent ON parent.oid = inhparent WHERE parent.relname = ANY ($1)`;

interface Part {
  part: string;
  table: string;
  /** Rows, by this connection. */
  added: number;
}

/**
 * Of each members' table, how many partitions a prepared statement touches: those in its plan, from which the planner leaves out what
 * cannot have a row of the key, and those that it puts rows into. What it did is taken back.
 */
export async function countTouched(
  client: Client,
  name: string,
  params: string,
): Promise<Map<string, number>> {
  const plan = await explain(client, name, params, 'force_custom_plan');
  const planned = new Set(Array.from(walkPlan(plan), ({ node }) => node['Relation Name']));
  const values = [Object.keys(MEMBER_TABLES)];
  await client.query('BEGIN');
  try {
    const { rows: before } = await client.query<Part>(PARTS, values);
    await client.query(`EXECUTE ${client.escapeIdentifier(name)}${params === '' ? '' : ` (${params})`}`);
    const { rows: after } = await client.query<Part>(PARTS, values);
    const added = new Map(before.map((part) => [part.part, part.added]));
    const touched = after.filter(({ part, added: now }) => planned.has(part) || now !== added.get(part));
    return new Map(
      Array.from(
        Map.groupBy(touched, ({ table }) => table),
        ([table, parts]) => [table, parts.length],
      ),
    );
  } finally {
    await client.query('ROLLBACK');
  }
}
