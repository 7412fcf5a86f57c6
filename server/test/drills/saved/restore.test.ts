import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { DatabaseError, type Pool } from 'pg';
import { memberKeys } from '../../../src/core/accounts/keys.ts';
import { addPartner } from '../../../src/core/accounts/partners/partners.ts';
import { makeBackup } from '../../../src/storage/backup/make-backup.ts';
import { restoreInto } from '../../../src/storage/backup/restore-backup.ts';
import { seededDatabase } from '../../database/database.ts';
import { onServer } from '../../database/database-server.ts';
import { madeMembers } from '../../distributed/made-members.ts';
import { startService } from '../../processes/service-process.ts';
import { readLedger } from './preset-ledger.ts';
import { PARTNER, type Told, Writers } from './preset-writers.ts';

const MEMBER_KEY = 'a key for drills, which protects nobody';
const WRITERS = 4;
/** The long form: RESTORED_ACCOUNTS=450000 is a gigabyte. */
const ACCOUNTS = Number(process.env['RESTORED_ACCOUNTS'] ?? 0);
const PRESETS_EACH = 8;

/** Whoever types it beside radios that save may be told of a deadlock, and types it again. */
async function dropPresets(pool: Pool): Promise<void> {
  for (;;) {
    try {
      await pool.query('DROP TABLE presets');
      return;
    } catch (error) {
      if (!(error instanceof DatabaseError && error.code === '40P01')) throw error;
    }
  }
}

test('a table is dropped under load; what was acknowledged before the last backup began comes back, and all of it is sound', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'longwave-backups-'));
  await using database = await seededDatabase();
  const { pool, url: databaseUrl } = database;
  await addPartner(pool, { id: PARTNER, name: 'A drill' });
  if (ACCOUNTS > 0)
    await onServer(async (client) => {
      for (const statement of madeMembers(ACCOUNTS, PRESETS_EACH)) await client.query(statement);
    }, databaseUrl);
  const { rows } = await pool.query<{ id: number }>('SELECT id FROM stations ORDER BY id LIMIT 40');
  let before: Told[] = [];
  let backup;
  {
    await using service = await startService(databaseUrl, { MEMBER_KEY });
    const writers = new Writers(
      () => service.origin,
      rows.map(({ id }) => `s${id}`),
      { count: WRITERS },
    );
    await writers.beside(async () => {
      await writers.healed(60_000, 60);
      // What is told by now is in the backup; what is saved while it is made may be or not.
      before = [...writers.told.values()].map((told) => ({ ...told }));
      backup = await makeBackup({ databaseUrl, folder, kind: 'daily', keep: 7, version: 'drill' });
      await writers.healed(60_000, 40);
      await dropPresets(pool);
    });
    before = writers.untouched(before);
  }
  assert.ok(backup);
  const started = performance.now();
  await restoreInto(databaseUrl, backup, { isReplaced: true });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const { rows: sizes } = await pool.query<{ size: string; untouched: number }>(
    `SELECT pg_size_pretty(pg_database_size(current_database())) AS size,
       (SELECT count(*)::int FROM presets WHERE account_id <= $1) AS untouched`,
    [ACCOUNTS],
  );
  assert.equal(sizes[0]?.untouched, ACCOUNTS * PRESETS_EACH);

  await using service = await startService(databaseUrl, { MEMBER_KEY });
  const ledger = await readLedger(pool, memberKeys(MEMBER_KEY), before);
  assert.deepEqual({ ...ledger, saved: 0 }, { saved: 0, lost: [], done: [], twice: [], unsound: [] });
  assert.ok(ledger.saved >= before.filter(({ isThere }) => isThere).length);
  const answer = await fetch(
    `${service.origin}/Preset.ashx?c=add&id=s${rows[0]?.id}&serial=after&partnerId=${PARTNER}`,
  );
  assert.match(await answer.text(), /<status>200</, 'and radios save again');
  console.log(
    `${before.length} acknowledged before the backup, all back after ${seconds} s, ${sizes[0]?.size} of database`,
  );
  rmSync(folder, { recursive: true });
});
