import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { waitUntil } from '../../../scripts/services/service.ts';
import { testDatabase } from '../../test/database/database.ts';
import { createLog } from '../lib/log.ts';
import { Metrics } from '../net/http/metrics.ts';
import { listBackups } from '../storage/backup/manifest.ts';
import { JobMetrics } from '../workers/runner/due-job.ts';
import { backupJobs, watchBackupAges } from './backup-jobs.ts';

const readSeries = async (metrics: Metrics, series: string): Promise<string | undefined> =>
  (await metrics.text())
    .split('\n')
    .find((line) => line.startsWith(`${series} `))
    ?.slice(series.length + 1);

test('a worker backs up, proves it, and tells how long ago both were', async () => {
  await using database = await testDatabase();
  const { pool, url: databaseUrl } = database;
  const folder = mkdtempSync(join(tmpdir(), 'longwave-backups-'));
  const log = createLog({ level: 'silent' });
  const metrics = new Metrics();
  const around = { databaseUrl, log, metrics: new JobMetrics(metrics.registry) };
  const [backup, verify] = backupJobs({ folder, keep: 7, version: 'test' }, around);
  const { signal } = new AbortController();
  // What the alerts know by that there should be backups, before anything has ended.
  for (const job of ['backup', 'verify-backup'])
    assert.equal(await readSeries(metrics, `longwave_jobs_under_way{job="${job}"}`), '0');
  const failing = backupJobs({ folder: '/dev/null/below', keep: 7, version: 'test' }, around)[0]?.work(
    signal,
  );
  assert.equal(await readSeries(metrics, 'longwave_jobs_under_way{job="backup"}'), '1');
  await assert.rejects(async () => failing, /backups cannot be written to/);
  assert.equal(await readSeries(metrics, 'longwave_jobs_under_way{job="backup"}'), '0');
  assert.equal(await verify?.work(signal), 'none', 'there is nothing to verify yet');
  assert.equal(await backup?.work(signal), 'done');
  assert.equal(listBackups(folder).length, 1);
  assert.equal(await verify?.work(signal), 'done');

  using opened = new DisposableStack();
  opened.use(watchBackupAges(pool, metrics));
  const ages = async (): Promise<string[]> =>
    [...(await metrics.text()).matchAll(/^longwave_(?:backup|restore_verified)_age_seconds (\S+)$/gm)].map(
      ([, age = '']) => age,
    );
  await waitUntil('the ages', async () => !(await ages()).includes('Nan'), 30_000);
  const [made, verified] = (await ages()).map(Number);
  assert.ok(
    made !== undefined && verified !== undefined && made >= verified && made < 600,
    `${made}, ${verified}`,
  );
  rmSync(folder, { recursive: true });
});
