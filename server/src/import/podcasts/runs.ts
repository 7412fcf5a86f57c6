import type { Queryable } from '../../db/pool.ts';
import { statement } from '../../db/statement.ts';
import type { ShowsSummary } from './summary.ts';

const start = statement(
  'import-run-start',
  { id: 'int8' },
  'INSERT INTO import_runs (source) VALUES ($1) RETURNING id',
);

export async function startRun(db: Queryable, source: string): Promise<number> {
  const [run] = await start.run(db, [source]);
  return run?.id ?? 0;
}

const finish = statement(
  'import-run-finish',
  {},
  'UPDATE import_runs SET finished_at = now(), summary = $2 WHERE id = $1',
);

export async function finishRun(db: Queryable, id: number, summary: ShowsSummary): Promise<void> {
  await finish.run(db, [id, { ...summary, refused: Object.fromEntries(summary.refused) }]);
}
