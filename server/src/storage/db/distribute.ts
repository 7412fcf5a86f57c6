import type { Client } from 'pg';
import { LOCKS } from './advisory-lock.ts';
import { MEMBER_TABLES } from './member-tables.ts';
import { openClient } from './open-client.ts';

/*
 * Spreads the members' tables over the workers of a Citus cluster (docs/adr/0028). The catalogue stays on the coordinator: it is
 * small, every server process holds it in memory, and no statement joins it with a members' table.
 */

const SETUP = 'docs/scale.md, "Members", shows how to set it up';

/** Returns the tables it spread; those that were spread before stay as they are. */
export const distributeMembers = (databaseUrl: string): Promise<string[]> =>
  connected(databaseUrl, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [LOCKS.migrate]);
    await checkPrepared(client);
    const missing = await listLocal(client);
    if (missing.length > 0) await inOneTransaction(client, () => distribute(client, missing));
    // What is left here of them: rows that the workers have by now, and that were counted there.
    for (const table of Object.keys(MEMBER_TABLES))
      await client.query('SELECT truncate_local_data_after_distributing_table($1::regclass)', [table]);
    return missing;
  });

/** Whether a database has members' tables that are spread over workers. */
export const isDistributed = (databaseUrl: string): Promise<boolean> =>
  connected(
    databaseUrl,
    async (client) => (await hasExtension(client)) && (await spreadTables(client)).size > 0,
  );

/** Says what an operator has to do first, before anything is changed. */
export const refuseUnprepared = (databaseUrl: string): Promise<void> => connected(databaseUrl, checkPrepared);

async function connected<T>(databaseUrl: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await openClient(databaseUrl, 'longwave migrate');
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function hasExtension(client: Client): Promise<boolean> {
  const { rowCount } = await client.query("SELECT FROM pg_extension WHERE extname = 'citus'");
  return rowCount === 1;
}

async function checkPrepared(client: Client): Promise<void> {
  if (!(await hasExtension(client))) {
    const { rowCount } = await client.query("SELECT FROM pg_available_extensions WHERE name = 'citus'");
    throw new Error(
      rowCount === 0
        ? `this PostgreSQL has no Citus, so nothing was changed: install it on the coordinator and on every worker; ${SETUP}`
        : `the extension citus is not created in this database, so nothing was changed: CREATE EXTENSION citus, as superuser, here and in the database of the same name on every worker; ${SETUP}`,
    );
  }
  const { rows } = await client.query<{ coordinates: boolean; workers: number }>(
    `SELECT (SELECT groupid FROM pg_dist_local_group) = 0 AS coordinates, (SELECT count(*)::int FROM pg_dist_node
       WHERE noderole = 'primary' AND isactive AND shouldhaveshards AND groupid <> 0) AS workers`,
  );
  if (!rows[0]?.coordinates)
    throw new Error('this is a worker, so nothing was changed: point DATABASE_URL to the coordinator');
  if (rows[0].workers === 0)
    throw new Error(
      `the coordinator knows no worker, so nothing was changed: SELECT citus_add_node('host', 5432), as superuser, for each of them; ${SETUP}`,
    );
}

/** By table, the column. */
async function spreadTables(client: Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ table: string; column: string }>(
    `SELECT table_name::text AS table, distribution_column AS column FROM citus_tables`,
  );
  return new Map(rows.map(({ table, column }) => [table, column]));
}

async function listLocal(client: Client): Promise<string[]> {
  const spread = await spreadTables(client);
  for (const [table, column] of Object.entries(MEMBER_TABLES)) {
    const found = spread.get(table);
    if (found !== undefined && found !== column)
      throw new Error(
        `${table} is distributed by ${found} and has to be by ${column}, so nothing was changed: SELECT undistribute_table('${table}') first`,
      );
  }
  return Object.keys(MEMBER_TABLES).filter((table) => !spread.has(table));
}

async function inOneTransaction(client: Client, work: () => Promise<void>): Promise<void> {
  try {
    await client.query('BEGIN');
    await work();
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** All or none: whoever writes meanwhile waits, and no row is anywhere else when this ends in an error. */
async function distribute(client: Client, tables: readonly string[]): Promise<void> {
  // Foreign keys are changed in the same transaction, for which Citus has to take one connection a worker.
  await client.query("SET LOCAL citus.multi_shard_modify_mode = 'sequential'");
  await client.query(`LOCK TABLE ${tables.join(', ')} IN ACCESS EXCLUSIVE MODE`);
  const before = await countRows(client, tables);
  const links = await takeLinks(client, tables);
  for (const table of tables)
    await client.query('SELECT create_distributed_table($1, $2, colocate_with => $3)', [
      table,
      MEMBER_TABLES[table],
      table === 'accounts' || !isOfAccount(table) ? 'default' : 'accounts',
    ]);
  for (const { table, name, definition } of links)
    await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
  const after = await countRows(client, tables);
  for (const [table, rows] of before)
    if (after.get(table) !== rows)
      throw new Error(
        `${table} had ${rows} rows and has ${after.get(table)} on the workers; nothing was changed`,
      );
}

const isOfAccount = (table: string): boolean => MEMBER_TABLES[table] === 'account_id';

async function countRows(client: Client, tables: readonly string[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const table of tables) {
    const { rows } = await client.query<{ count: string }>(`SELECT count(*) FROM ${table}`);
    counts.set(table, Number(rows[0]?.count));
  }
  return counts;
}

interface Link {
  table: string;
  name: string;
  definition: string;
}

/** Foreign keys among these tables, which cannot be there while one of two is spread and the other is not. */
async function takeLinks(client: Client, tables: readonly string[]): Promise<Link[]> {
  const { rows } = await client.query<Link & Record<string, string>>(
    `SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition
     FROM pg_constraint WHERE contype = 'f' AND (conrelid = ANY ($1::regclass[]) OR confrelid = ANY ($1::regclass[]))
     ORDER BY conrelid, conname`,
    [tables],
  );
  for (const { table, name } of rows) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  return rows;
}
