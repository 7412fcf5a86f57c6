import { parseArgs } from 'node:util';
import type { Config } from '../../app/config.ts';
import { describeContents, makeBackup, megabytes } from '../../storage/backup/make-backup.ts';
import type { Backup, BackupKind } from '../../storage/backup/manifest.ts';
import { VERSION } from '../../lib/version.ts';
import { type Command, UsageError } from '../command.ts';

export const backupCommand: Command = {
  usage: ['backup [FOLDER] [--keep N]'],
  summary: 'write a backup of the database to FOLDER or BACKUP_FOLDER, while everything runs',
  async run(args, config) {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: { keep: { type: 'string' } },
    });
    const [folder = config.backupFolder, ...more] = positionals;
    if (folder === undefined || more.length > 0)
      throw new UsageError('say where to: longwave backup FOLDER, or set BACKUP_FOLDER');
    const keep = values.keep === undefined ? config.backupKeep : Number(values.keep);
    if (!Number.isInteger(keep) || keep < 1 || keep > MAX_KEPT)
      throw new UsageError(`--keep: '${values.keep}' is not a number from 1 to ${MAX_KEPT}`);
    const backup = await backUp({ ...config, backupKeep: keep }, folder, 'daily');
    const { bytes, keys, tables } = backup.manifest;
    console.log(`${backup.dumpFile}: ${describeContents(tables)}; ${megabytes(bytes)} MB`);
    if (keys.length > 0)
      console.log(
        'MEMBER_KEY is not in it: keep that apart, for without it no password and no radio is recognised',
      );
  },
};

const MAX_KEPT = 365;

/** Also used before an upgrade and before a restore. */
export const backUp = (
  { databaseUrl, backupKeep: keep }: Pick<Config, 'databaseUrl' | 'backupKeep'>,
  folder: string,
  kind: BackupKind,
  spare?: string,
): Promise<Backup> => makeBackup({ databaseUrl, folder, kind, keep, spare, version: VERSION });
