import type { Queryable } from './pool.ts';
import { statement } from './statement.ts';

const name = statement('database-name', { name: 'text' }, 'SELECT current_database()::text AS name');

/** What PostgreSQL itself calls it, whatever a pooler in between does. */
export async function databaseName(db: Queryable): Promise<string> {
  const [row] = await name.run(db, []);
  return row?.name ?? '';
}
