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
import { backupJobs, watchBackupAges } from './backup-jobs.ts';

test('a worker backs up, proves it, and tells how long ago both were', async () => {
  await using database = await testDatabase();
  const { pool, url: databaseUrl } = database;
  const folder = mkdtempSync(join(tmpdir(), 'longwave-backups-'));
  const log = createLog({ level: 'silent' });
  const [backup, verify] = backupJobs({ folder, keep: 7, version: 'test' }, { databaseUrl, log });
  const { signal } = new AbortController();
  assert.equal(await verify?.work(signal), 'none', 'there is nothing to verify yet');
  assert.equal(await backup?.work(signal), 'done');
  assert.equal(listBackups(folder).length, 1);
  assert.equal(await verify?.work(signal), 'done');

  const metrics = new Metrics();
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
