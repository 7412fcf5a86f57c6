import { Pool } from 'pg';
import { SaveAttempt } from '../../lib/save-attempt.ts';
import type { Queryable } from './pool.ts';

/**
 * A named statement: PostgreSQL parses it once per connection and keeps it prepared. Its row is described once, as
 * columns, from which the TypeScript type follows; a test checks each description against the live schema.
 */
export interface Statement<C extends Columns = Columns> {
  readonly name: string;
  readonly text: string;
  readonly columns: C;
  run(db: Queryable, params: readonly unknown[]): Promise<RowOf<C>[]>;
}

/** `'text'` is never null, `'text?'` may be. */
type ColumnType = `${keyof ColumnValues}${'' | '?'}`;
export type Columns = Readonly<Record<string, ColumnType>>;

interface ColumnValues {
  int2: number;
  int4: number;
  int8: number;
  float8: number;
  bool: boolean;
  text: string;
  uuid: string;
  bytea: Buffer;
  jsonb: unknown;
  date: string;
  timestamptz: Temporal.Instant;
  'int8[]': number[];
  'text[]': string[];
}

export type RowOf<C extends Columns> = {
  readonly [Name in keyof C]: C[Name] extends `${infer Type extends keyof ColumnValues}?`
    ? ColumnValues[Type] | null
    : C[Name] extends keyof ColumnValues
      ? ColumnValues[C[Name]]
      : never;
};

const CHANGES = /\b(?:INSERT INTO|UPDATE|DELETE FROM)\b/;

const known = new Map<string, Statement>();

/** Every statement defined so far; the tests that check types and plans walk this list. */
export const listStatements = (): Statement[] => [...known.values()];

export function statement<const C extends Columns>(name: string, columns: C, text: string): Statement<C> {
  if (known.has(name)) throw new Error(`two statements are named ${name}`);
  const changes = CHANGES.test(text);
  const defined: Statement<C> = {
    name,
    text,
    columns,
    async run(db, params) {
      const ask = () => db.query<RowOf<C>>({ name, text, values: [...params] });
      // On the pool it is a transaction by itself.
      const { rows } = await (changes && db instanceof Pool ? SaveAttempt.commit(ask) : ask());
      return rows;
    },
  };
  known.set(name, defined);
  return defined;
}
