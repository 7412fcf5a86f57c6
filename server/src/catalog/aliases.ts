import type { Queryable } from '../db/pool.ts';
import { type RowOf, statement } from '../db/statement.ts';

const COLUMNS = { kind: 'text', item_id: 'int8' } as const;

export type AliasRow = RowOf<typeof COLUMNS>;

const find = statement(
  'alias-find',
  COLUMNS,
  'SELECT kind, item_id FROM aliases WHERE scheme = $1 AND foreign_id = $2',
);

/** The item of ours that an id from elsewhere leads to. */
export async function findAlias(
  db: Queryable,
  scheme: string,
  foreignId: string,
): Promise<AliasRow | undefined> {
  const [alias] = await find.run(db, [scheme, foreignId]);
  return alias;
}

const findAnywhere = statement(
  'alias-find-anywhere',
  COLUMNS,
  'SELECT kind, item_id FROM aliases WHERE foreign_id = $1 ORDER BY scheme LIMIT 1',
);

/** The same for an id that does not say whose it is, as a radio's button holds it. */
export async function findAliasAnywhere(db: Queryable, foreignId: string): Promise<AliasRow | undefined> {
  const [alias] = await findAnywhere.run(db, [foreignId]);
  return alias;
}
