import type { Pool } from 'pg';
import type { Metrics } from '../net/http/metrics.ts';
import { type BackupAges, findBackupAges } from '../storage/backup/backup-ages.ts';
import { describeContents, makeBackup } from '../storage/backup/make-backup.ts';
import { listBackups } from '../storage/backup/manifest.ts';
import { verifyBackup } from '../storage/backup/restore-backup.ts';
import type { JobMetrics, JobSurroundings } from '../workers/runner/due-job.ts';
import type { TimedJob } from '../workers/runner/timed.ts';

export interface BackupJobs {
  folder: string;
  keep: number;
  /** Of Longwave. */
  version: string;
}

/** At night in Europe, and apart from the other jobs of the night; in UTC. */
const DAILY = '23 2 * * *';
const WEEKLY = '41 4 * * 0';

/** A backup every day, and every week a proof that the newest restores; by one worker of those that have the folder. */
export function backupJobs(
  { folder, keep, version }: BackupJobs,
  { databaseUrl, log, metrics }: JobSurroundings & { databaseUrl: string },
): TimedJob[] {
  const daily: TimedJob = {
    name: 'backup',
    at: DAILY,
    async work(signal) {
      const made = await makeBackup({ databaseUrl, folder, kind: 'daily', keep, version, signal });
      const { bytes, tables } = made.manifest;
      log.info({ file: made.dumpFile, bytes, holds: describeContents(tables) }, 'backup made');
      return 'done';
    },
  };
  const weekly: TimedJob = {
    name: 'verify-backup',
    at: WEEKLY,
    async work(signal) {
      const [backup] = listBackups(folder);
      if (!backup) {
        log.warn({ folder }, 'there is no backup to verify here');
        return 'none';
      }
      const { rows } = await verifyBackup(databaseUrl, backup, signal);
      log.info({ file: backup.dumpFile, rows }, 'backup restored into a scratch database and found equal');
      return 'done';
    },
  };
  return [watched(daily, metrics), watched(weekly, metrics)];
}

/**
 * Shown from the start, unlike counts of what has ended: by that the alerts know that there should be backups, for how long
 * already, and so tell of a worker that has never made one.
 */
function watched({ work, ...job }: TimedJob, metrics: JobMetrics): TimedJob {
  let underWay = 0;
  metrics.watch(job.name, () => underWay);
  return {
    ...job,
    async work(signal) {
      underWay += 1;
      try {
        return await work(signal);
      } finally {
        underWay -= 1;
      }
    },
  };
}

const LOOK_MS = 60_000;

const age = (since: Temporal.Instant | null): number =>
  since === null ? Number.NaN : (Date.now() - since.epochMilliseconds) / 1000;

/** How old the newest backup and the newest proof of one are, as metrics; NaN where there was none. */
export function watchBackupAges(pool: Pool, metrics: Metrics): Disposable {
  let ages: BackupAges = { made_at: null, verified_at: null };
  const look = async (): Promise<void> => {
    ages = await findBackupAges(pool).catch(() => ages);
  };
  metrics.gauge('backup_age_seconds', 'Since the newest backup was made', () => age(ages.made_at));
  metrics.gauge('restore_verified_age_seconds', 'Since a backup was last restored and found equal', () =>
    age(ages.verified_at),
  );
  void look();
  return setInterval(() => void look(), LOOK_MS).unref();
}
