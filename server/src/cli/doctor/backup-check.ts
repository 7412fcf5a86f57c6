import { findBackupAges } from '../../storage/backup/backup-ages.ts';
import { type Check, type Finding, note, warning, well } from './check.ts';
import { formatSeconds, secondsBetween } from './format.ts';

const DAY = 86_400;
/** A day and the time that a backup takes. */
const OLD_BACKUP = 1.5 * DAY;
const OLD_PROOF = 8 * DAY;

/** Whether there are backups, and whether one was restored lately. */
export const backupCheck: Check = {
  title: 'Backups',
  async look({ config, pool, clock }) {
    const { made_at: madeAt, verified_at: verifiedAt } = await findBackupAges(pool);
    const now = clock.now();
    if (madeAt === null) return [none(config.backupFolder)];
    const age = secondsBetween(madeAt, now);
    const made = `the newest is ${formatSeconds(age)} old`;
    const proved = verifiedAt === null ? undefined : secondsBetween(verifiedAt, now);
    const proof =
      proved === undefined ? 'none was ever restored' : `one was restored ${formatSeconds(proved)} ago`;
    const mend = 'longwave verify FILE; longwave work does it every week where BACKUP_FOLDER is set';
    return [
      age > OLD_BACKUP
        ? warning('newest', made, 'longwave backup; check the log of longwave work')
        : well('newest', made),
      proved === undefined || proved > OLD_PROOF ? warning('proof', proof, mend) : well('proof', proof),
    ];
  },
};

const none = (folder: string | undefined): Finding =>
  folder === undefined
    ? note(
        'newest',
        'none that longwave made',
        'set BACKUP_FOLDER for longwave work, or see docs/backup.md for a fleet',
      )
    : warning('newest', 'none yet', 'longwave backup; longwave work makes one every night');
