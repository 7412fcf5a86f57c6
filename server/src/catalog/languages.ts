import type { Queryable } from '../db/pool.ts';
import { type RowOf, statement } from '../db/statement.ts';

const COLUMNS = { id: 'int8', code: 'text', name: 'text' } as const;

export type LanguageRow = RowOf<typeof COLUMNS>;

const all = statement('languages', COLUMNS, 'SELECT id, code, name FROM languages ORDER BY name, id');

/** Every language, by name; there are some hundreds. */
export const listLanguages = (db: Queryable): Promise<LanguageRow[]> => all.run(db, []);
