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
  /** The statement as a function that resolves to all rows. */
  all: AsFunction<RowOf<C>[]>;
  /** To the first row, or undefined. */
  first: AsFunction<RowOf<C> | undefined>;
  /** To the row of a statement that always gives one, as a count does. */
  one: AsFunction<RowOf<C>>;
  /** To the only column of each row. */
  values: AsFunction<RowOf<C>[keyof C][]>;
  /** To the only column of the first row, or undefined. */
  value: AsFunction<RowOf<C>[keyof C] | undefined>;
  /** To the only column of the one row. */
  oneValue: AsFunction<RowOf<C>[keyof C]>;
  /** To whether there is a row: found, or changed and returned. */
  exists: AsFunction<boolean>;
  /** To nothing, for a statement that returns no rows. */
  command: AsFunction<void>;
}

/** `params` names the arguments of the function, and gives them in the order of `$1`, `$2` and so on. */
type AsFunction<Result> = <Args extends unknown[] = []>(
  params?: (...args: Args) => readonly unknown[],
) => (db: Queryable, ...args: Args) => Promise<Result>;

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

export type RowOf<C extends Columns> = { readonly [Name in keyof C]: ValueOf<C[Name]> };

type ValueOf<Type extends ColumnType> = Type extends `${infer Nullable extends keyof ColumnValues}?`
  ? ColumnValues[Nullable] | null
  : Type extends keyof ColumnValues
    ? ColumnValues[Type]
    : never;

const CHANGES = /\b(?:INSERT INTO|UPDATE|DELETE FROM)\b/;

const known = new Map<string, Statement>();

/** Every statement defined so far; the tests that check types and plans walk this list. */
export const listStatements = (): Statement[] => [...known.values()];

export function statement<const C extends Columns>(name: string, columns: C, text: string): Statement<C> {
  if (known.has(name)) throw new Error(`two statements are named ${name}`);
  const changes = CHANGES.test(text);
  const run = async (db: Queryable, params: readonly unknown[]): Promise<RowOf<C>[]> => {
    const ask = () => db.query<RowOf<C>>({ name, text, values: [...params] });
    // On the pool it is a transaction by itself.
    const { rows } = await (changes && db instanceof Pool ? SaveAttempt.commit(ask) : ask());
    return rows;
  };
  const resolvingTo =
    <Result>(read: (rows: RowOf<C>[]) => Result): AsFunction<Result> =>
    (params = () => []) =>
    async (db, ...args) =>
      read(await run(db, params(...args)));
  const expected = ([row]: RowOf<C>[]): RowOf<C> => {
    if (row) return row;
    throw new Error(`${name} gave no row`);
  };
  const [only = ''] = Object.keys(columns);
  const defined: Statement<C> = {
    name,
    text,
    columns,
    run,
    all: resolvingTo((rows) => rows),
    first: resolvingTo(([row]) => row),
    one: resolvingTo(expected),
    values: resolvingTo((rows) => rows.map((row) => row[only]!)),
    value: resolvingTo(([row]) => row?.[only]),
    oneValue: resolvingTo((rows) => expected(rows)[only]!),
    exists: resolvingTo((rows) => rows.length > 0),
    command: resolvingTo(() => undefined),
  };
  known.set(name, defined);
  return defined;
}
