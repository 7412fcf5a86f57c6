import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import type { Config } from '../../app/config.ts';
import { memberKeys } from '../../core/accounts/keys.ts';
import { describeContents } from '../../storage/backup/make-backup.ts';
import { type Backup, type Manifest, readBackup } from '../../storage/backup/manifest.ts';
import {
  noteRestored,
  requireUsable,
  restoreInto,
  verifyBackup,
} from '../../storage/backup/restore-backup.ts';
import { openClient } from '../../storage/db/open-client.ts';
import { migrateTimedJobs } from '../../workers/runner/timed.ts';
import { backUp } from './backup.ts';
import { type Command, UsageError } from '../command.ts';

export const restoreCommand: Command = {
  usage: ['restore FILE [--replace] [--without-key]'],
  summary: 'put a backup into an empty database; or, after a backup of that, in place of all that is there',
  async run(args, config) {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: { replace: { type: 'boolean' }, 'without-key': { type: 'boolean' } },
    });
    const backup = readBackup(oneFile(positionals));
    await requireUsable(backup);
    const misfit = misfitOf(backup.manifest, config);
    if (misfit !== undefined && values['without-key'] !== true)
      throw new Error(
        `${misfit}. With --without-key all is restored, and nobody can sign in until the key is set`,
      );
    const isReplaced = values.replace === true;
    if (isReplaced) await keepWhatIsThere(config, backup);
    const { rows, applied } = await restoreInto(config.databaseUrl, backup, { isReplaced });
    await migrateTimedJobs(config.databaseUrl);
    await noteRestored(config.databaseUrl, backup);
    for (const name of applied) console.log(`applied ${name}`);
    const { madeAt, tables } = backup.manifest;
    console.log(
      `restored as of ${madeAt}: ${describeContents(tables)}; ${rows.toLocaleString('en')} rows, equal to the backup`,
    );
    if (misfit !== undefined) console.error(`longwave: ${misfit}`);
  },
};

export const verifyCommand: Command = {
  usage: ['verify FILE'],
  summary: 'prove that a backup can be restored: into a scratch database, which is compared and dropped',
  async run(args, config) {
    const backup = readBackup(oneFile(parseArgs({ args, allowPositionals: true }).positionals));
    const { rows, applied } = await verifyBackup(config.databaseUrl, backup);
    const brought = applied.length > 0 ? `; ${applied.length} migrations bring it to this version` : '';
    console.log(
      `${backup.dumpFile} restores: ${rows.toLocaleString('en')} rows, equal to the backup${brought}`,
    );
    const misfit = misfitOf(backup.manifest, config);
    if (misfit !== undefined) console.error(`longwave: ${misfit}`);
  },
};

function oneFile([file, ...more]: readonly string[]): string {
  if (file === undefined || more.length > 0)
    throw new UsageError('give one backup: the .dump file that longwave backup wrote');
  return file;
}

/** Whether the keys that are set open the accounts of a backup; undefined if they do, or it has none. */
function misfitOf({ keys }: Manifest, { memberKey, memberKeyOld }: Config): string | undefined {
  if (keys.length === 0) return undefined;
  if (memberKey === undefined)
    return 'MEMBER_KEY is not set, and the accounts of this backup need the key they were made with';
  const known = memberKeys(memberKey, memberKeyOld).all.map(({ fingerprint }) => fingerprint.toString('hex'));
  return keys.every((key) => known.includes(key))
    ? undefined
    : 'MEMBER_KEY is not the key that this backup was made with: no password and no radio would be recognised. ' +
        'Set the key of that time (and MEMBER_KEY_OLD, if it was being replaced)';
}

const CONNECTED = `SELECT count(*) AS count FROM pg_stat_activity
  WHERE datname = current_database() AND (application_name LIKE 'longwave serve%' OR application_name LIKE 'longwave work%')`;

/** Makes a backup beside the one that is restored, once no server uses the database any more. */
async function keepWhatIsThere(config: Config, backup: Backup): Promise<void> {
  const client = await openClient(config.databaseUrl, 'longwave restore');
  const { rows } = await client.query<{ count: number }>(CONNECTED);
  await client.end();
  if (Number(rows[0]?.count) > 0)
    throw new Error('longwave serve or longwave work is connected to this database; stop them first');
  const point = await backUp(config, dirname(backup.dumpFile), 'restore-point', backup.dumpFile);
  console.log(`what was there is in ${point.dumpFile}`);
}
