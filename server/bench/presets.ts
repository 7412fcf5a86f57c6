import type { Pool, PoolClient } from 'pg';
import { findAccount } from '../src/core/accounts/accounts.ts';
import { findDevice } from '../src/core/accounts/devices/devices.ts';
import { listFolders } from '../src/core/accounts/presets/folders.ts';
import { listPresets } from '../src/core/accounts/presets/presets.ts';
import { SHARDS } from '../src/lib/ids.ts';
import { testDatabase } from '../test/database/database.ts';
import { cpuSecondsOf } from './load/wrk.ts';

const [ACCOUNTS, PRESETS, ASKED, ROUNDS, WARM_UP] = [100_000, 6, 500, 60, 5];
const SCOPE = 'bench';

/** Each account has a device, its folder and the usual six buttons. */
const ROWS = [
  `INSERT INTO accounts (id, folder_count, preset_count) SELECT n, 1, ${PRESETS} FROM generate_series(1, ${ACCOUNTS}) AS n`,
  `INSERT INTO folders (account_id, id, name, is_default, position, last_position)
   SELECT n, n * ${SHARDS} + n % ${SHARDS}, 'Favorites', true, 1, ${PRESETS} FROM generate_series(1, ${ACCOUNTS}) AS n`,
  `INSERT INTO presets (account_id, id, folder_id, position, kind, item_id, label)
   SELECT n, (n * ${PRESETS} + p) * ${SHARDS} + n % ${SHARDS}, n * ${SHARDS} + n % ${SHARDS}, p, 's', (n * 7 + p) % 60000, 'Radio ' || p
   FROM generate_series(1, ${ACCOUNTS}) AS n, generate_series(1, ${PRESETS}) AS p`,
  `INSERT INTO devices (scope, serial_hash, account_id) SELECT '${SCOPE}', sha256(n::text::bytea), n FROM generate_series(1, ${ACCOUNTS}) AS n`,
];

/** What is asked of one account, with its number. */
const QUESTIONS: Readonly<Record<string, (db: PoolClient, account: number) => Promise<unknown>>> = {
  'an account by its key': findAccount,
  'a device by its key': (db, account) =>
    findDevice(db, { scope: SCOPE, hash: hashes[account - 1]!, other: undefined }),
  'the folders of an account': listFolders,
  'the presets of an account': (db, account) =>
    listPresets(db, { accountId: account, folderIds: [account * SHARDS + (account % SHARDS)] }, 500),
};

let hashes: readonly Buffer[] = [];

/** What PostgreSQL takes for the presets of an account beside a look-up by key: `npm run bench -- presets`, CPU of the backend. */
export async function run(): Promise<void> {
  await using database = await testDatabase();
  const { pool } = database;
  for (const rows of ROWS) await pool.query({ text: rows, query_timeout: 300_000 } as { text: string });
  for (const table of ['accounts', 'folders', 'presets', 'devices'])
    await pool.query(`VACUUM ANALYZE ${table}`);
  const { rows } = await pool.query<{ hash: Buffer }>(
    `SELECT sha256(n::text::bytea) AS hash FROM generate_series(1, ${ACCOUNTS}) AS n ORDER BY n`,
  );
  hashes = rows.map(({ hash }) => hash);
  print(await measure(pool));
}

async function measure(pool: Pool): Promise<Map<string, number[]>> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const pids = rows.map(({ pid }) => pid);
    const took = new Map(Object.keys(QUESTIONS).map((name): [string, number[]] => [name, []]));
    for (let round = 0; round < WARM_UP + ROUNDS; round += 1)
      for (const [name, ask] of Object.entries(QUESTIONS)) {
        const before = cpuSecondsOf(pids);
        for (let asked = 0; asked < ASKED; asked += 1)
          await ask(client, 1 + (((round * ASKED + asked) * 7919) % ACCOUNTS));
        if (round >= WARM_UP) took.get(name)?.push(((cpuSecondsOf(pids) - before) / ASKED) * 1e6);
      }
    return took;
  } finally {
    client.release();
  }
}

function print(took: ReadonlyMap<string, readonly number[]>): void {
  console.log(`${ACCOUNTS} accounts with ${PRESETS} presets each, ${ROUNDS} rounds of ${ASKED} by turns\n`);
  console.log('| | µs of CPU, least | median | times an account by its key |\n| --- | --- | --- | --- |');
  let key = Number.NaN;
  for (const [name, rounds] of took) {
    const sorted = rounds.toSorted((a, b) => a - b);
    const [least = Number.NaN, median = Number.NaN] = [sorted[0], sorted[sorted.length >> 1]];
    if (Number.isNaN(key)) key = least;
    console.log(`| ${name} | ${least.toFixed(1)} | ${median.toFixed(1)} | ${(least / key).toFixed(2)} |`);
  }
}
