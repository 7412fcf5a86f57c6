import { integerSetting, textSetting } from './setting.ts';

/** The settings of backups: docs/backup.md. */
export const BACKUP_SETTINGS = {
  backupFolder: textSetting({
    name: 'BACKUP_FOLDER',
    expects: 'the path of a folder',
    unset: undefined,
    description:
      'Where `longwave backup` writes, `longwave work` every day, and `longwave migrate` before it changes anything. On another disk than the database. Unset, none is made by itself.',
  }),
  backupKeep: integerSetting({
    name: 'BACKUP_KEEP',
    min: 1,
    max: 365,
    unset: 7,
    description: 'How many backups stay in the folder, and how many of those from before an upgrade.',
  }),
} as const;
