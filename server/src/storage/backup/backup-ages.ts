import { type RowOf, statement } from '../db/statement.ts';

const AGES = { made_at: 'timestamptz?', verified_at: 'timestamptz?' } as const;
/** When the newest backup was made, and when one was last proved to restore. */
export type BackupAges = RowOf<typeof AGES>;

export const findBackupAges = statement(
  'backups-newest',
  AGES,
  'SELECT (SELECT max(made_at) FROM backups) AS made_at, (SELECT max(verified_at) FROM backups) AS verified_at',
).one();
