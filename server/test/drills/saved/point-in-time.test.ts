import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { memberKeys } from '../../../src/core/accounts/keys.ts';
import { createPool } from '../../../src/storage/db/pool.ts';
import { startArchivedPostgres } from '../../database/archived-postgres.ts';
import { fillPrivate } from '../../database/fill-private.ts';
import { startService } from '../../processes/service-process.ts';
import { readLedger } from './preset-ledger.ts';
import { PARTNER, type Told, Writers } from './preset-writers.ts';

const MEMBER_KEY = 'a key for drills, which protects nobody';
const WRITERS = 4;

// With PGBACKREST=on, where Debian's pgbackrest is installed: docs/backup.md. The gate has the form for a house, restore.test.ts.
if (process.env['PGBACKREST'] === 'on')
  test('a table is dropped under load, and the database is as it was the moment before', async () => {
    await using postgres = await startArchivedPostgres();
    const stations = (await fillPrivate(postgres.url, PARTNER)).slice(0, 40);
    postgres.backUp();
    let [told, moment]: [Told[], string] = [[], ''];
    {
      await using service = await startService(postgres.url, { MEMBER_KEY });
      const writers = new Writers(() => service.origin, stations, { count: WRITERS });
      await writers.beside(async () => {
        await writers.healed(120_000, 200);
        told = [...writers.told.values()].map((one) => ({ ...one }));
        const [now] = await postgres.query('SELECT clock_timestamp()::text AS now');
        moment = now?.['now'] ?? '';
        await sleep(1000);
        await postgres.query('DROP TABLE presets');
      });
      told = writers.untouched(told);
    }
    await postgres.archived();
    const started = performance.now();
    await postgres.restoreTo(moment);
    const minutes = ((performance.now() - started) / 60_000).toFixed(1);

    const pool = createPool({
      databaseUrl: postgres.url,
      size: 1,
      applicationName: 'drill',
      statementTimeoutMs: 60_000,
    });
    const { saved, ...wrong } = await readLedger(pool, memberKeys(MEMBER_KEY), told);
    await pool.end();
    assert.deepEqual(wrong, { lost: [], done: [], twice: [], unsound: [] });
    await using service = await startService(postgres.url, { MEMBER_KEY });
    const answer = await fetch(
      `${service.origin}/Preset.ashx?c=add&id=${stations[0]}&serial=after&partnerId=${PARTNER}`,
    );
    assert.match(await answer.text(), /<status>200</, 'and radios save again');
    console.log(`${told.length} acknowledged saves are all among ${saved}; restored in ${minutes} minutes`);
  });
