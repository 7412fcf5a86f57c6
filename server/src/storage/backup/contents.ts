import type { ClientBase } from 'pg';

/** Rows of a table, and a sum over all of them that does not depend on their order. */
interface TableContents {
  rows: number;
  sum: string;
}

export type Contents = Readonly<Record<string, TableContents>>;

/** Rows are compared as text, which these settings decide. */
const AS_TEXT = `SET LOCAL timezone = 'UTC'; SET LOCAL datestyle = 'ISO'; SET LOCAL intervalstyle = 'postgres';
  SET LOCAL extra_float_digits = 1; SET LOCAL bytea_output = 'hex'; SET LOCAL statement_timeout = 0`;

const TABLES = `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = 'public' AND c.relkind = 'r' ORDER BY 1`;

/** What a database holds, table by table; within a transaction. */
export async function readContents(client: ClientBase): Promise<Contents> {
  await client.query(AS_TEXT);
  const { rows: tables } = await client.query<{ name: string }>(TABLES);
  const contents: Record<string, TableContents> = {};
  for (const { name } of tables) {
    const { rows } = await client.query<{ rows: string; sum: string }>(
      `SELECT count(*)::text AS rows, coalesce(sum(hashtextextended(t::text, 0)::numeric), 0)::text AS sum
       FROM ONLY public.${client.escapeIdentifier(name)} AS t`,
    );
    contents[name] = { rows: Number(rows[0]?.rows), sum: rows[0]?.sum ?? '' };
  }
  return contents;
}

/** What differs, a line each; empty when both are equal. */
export function compareContents(expected: Contents, found: Contents): string[] {
  const names = new Set([...Object.keys(expected), ...Object.keys(found)]);
  return [...names].toSorted().flatMap((name) => {
    const [was, is] = [expected[name], found[name]];
    if (!was || !is) return [`${name} is ${was ? 'missing' : 'not of the backup'}`];
    if (was.rows !== is.rows) return [`${name} has ${is.rows} rows instead of ${was.rows}`];
    return was.sum === is.sum ? [] : [`${name} has other contents`];
  });
}

export const countRows = (contents: Contents): number =>
  Object.values(contents).reduce((sum, { rows }) => sum + rows, 0);
