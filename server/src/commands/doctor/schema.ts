import { listMigrations } from '../../db/migrate.ts';
import type { Queryable } from '../../db/pool.ts';
import { type Finding, broken, well } from './finding.ts';
import { appliedMigrations } from './postgres-queries.ts';

const NAME = 'schema';
const MOST_NAMED = 3;
const NO_SUCH_TABLE = '42P01';

/** Whether the database is at the schema of this version, neither before nor behind it. */
export async function schemaLine(db: Queryable): Promise<Finding> {
  const known = listMigrations();
  const applied = await appliedOrNone(db);
  const missing = known.filter(({ name }) => !applied.has(name)).map(({ name }) => name);
  if (applied.size === 0) return broken(NAME, 'there are no tables', 'longwave migrate');
  if (missing.length > 0)
    return broken(NAME, `${some(missing)} missing: no server starts with it`, 'longwave migrate');
  const changed = known.filter(({ name, checksum }) => applied.get(name) !== checksum);
  if (changed.length > 0)
    return broken(
      NAME,
      `${some(changed.map(({ name }) => name))} is not as it was applied`,
      'restore the file of this version: git checkout server/src/db/migrations',
    );
  const names = new Set(known.map(({ name }) => name));
  const unknown = [...applied.keys()].filter((name) => !names.has(name));
  if (unknown.length > 0)
    return broken(NAME, `${some(unknown)} is of a newer Longwave than this`, 'update this checkout');
  return well(NAME, `all ${known.length} migrations`);
}

const some = (names: readonly string[]): string =>
  names.length <= MOST_NAMED
    ? names.join(', ')
    : `${names.slice(0, MOST_NAMED).join(', ')} and ${names.length - MOST_NAMED} more`;

async function appliedOrNone(db: Queryable): Promise<ReadonlyMap<string, string>> {
  try {
    return await appliedMigrations(db);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === NO_SUCH_TABLE) return new Map();
    throw error;
  }
}
