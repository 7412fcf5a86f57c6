import type { Queryable } from '../../db/pool.ts';
import { type RowOf, statement } from '../../db/statement.ts';

/** Our item for an id of unknown origin, as stored on a radio's button. */
export const findAliasAnywhere = statement(
  'alias-find-anywhere',
  { kind: 'text', item_id: 'int8' },
  'SELECT kind, item_id FROM aliases WHERE foreign_id = $1 ORDER BY scheme LIMIT 1',
).first((foreignId: string) => [foreignId]);

/** Our item for an id of one directory. */
export const findAliasOf = statement(
  'alias-find',
  { kind: 'text', item_id: 'int8' },
  'SELECT kind, item_id FROM aliases WHERE scheme = $1 AND foreign_id = $2',
).first((scheme: string, foreignId: string) => [scheme, foreignId]);

const KNOWN = { scheme: 'text', foreign_id: 'text', kind: 'text', item_id: 'int8' } as const;

export type KnownAlias = RowOf<typeof KNOWN>;

/** What these ids mean already, in whatever directory. */
export const listAliases = statement(
  'aliases-known',
  KNOWN,
  `SELECT scheme, foreign_id, kind, item_id FROM aliases WHERE foreign_id = ANY ($1::text[])
   ORDER BY foreign_id, scheme`,
).all((foreignIds: readonly string[]) => [foreignIds]);

/** An id of another directory that is to lead to a station of ours. */
export interface NewAlias {
  scheme: string;
  id: string;
  stationId: number;
}

const NEW = `INSERT INTO aliases (scheme, foreign_id, kind, item_id)
   SELECT new.scheme, new.foreign_id, 's', new.item_id
   FROM unnest($1::text[], $2::text[], $3::bigint[]) AS new (scheme, foreign_id, item_id)`;
const save = statement(
  'aliases-save',
  { foreign_id: 'text' },
  `${NEW} ON CONFLICT (scheme, foreign_id) DO NOTHING RETURNING foreign_id`,
);
const replace = statement(
  'aliases-replace',
  { foreign_id: 'text' },
  `${NEW} ON CONFLICT (scheme, foreign_id) DO UPDATE SET kind = excluded.kind, item_id = excluded.item_id
   RETURNING foreign_id`,
);

/** Saves ids; those that lead somewhere already keep their meaning unless it is to be replaced. Returns how many it wrote. */
export async function saveAliases(
  db: Queryable,
  aliases: readonly NewAlias[],
  { isReplacing = false } = {},
): Promise<number> {
  if (aliases.length === 0) return 0;
  const columns = [
    aliases.map(({ scheme }) => scheme),
    aliases.map(({ id }) => id),
    aliases.map(({ stationId }) => stationId),
  ];
  return (await (isReplacing ? replace : save).run(db, columns)).length;
}
