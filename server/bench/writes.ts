import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { deviceKey } from '../src/core/accounts/devices/devices.ts';
import { memberKeys } from '../src/core/accounts/keys.ts';
import { Passwords } from '../src/core/accounts/login/passwords.ts';
import { MAX_PRESETS } from '../src/core/accounts/presets/preset-rules.ts';
import { presetAdd } from '../src/core/accounts/presets/save-preset.ts';
import { testDatabase } from '../test/database/database.ts';
import { startChild } from './load/children.ts';
import { pgbench } from './load/pgbench.ts';
import { type Contender, measure } from './load/wrk.ts';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const SECONDS = 4;
const MAIN = join(import.meta.dirname, '../src/main.ts');
const MEMBER_KEY = 'bench'.repeat(10);
const PASSWORD = 'bench1!';
/** wrk's connections, pgbench's clients and the service's own to the database. */
const CONNECTIONS = 32;
const DEVICES = 2000;
/** Fewer, because the first call of each checks its password, which is slow on purpose. */
const NAMED = 100;

/**
 * `npm run bench -- writes`: saving a preset through the service, compared with pgbench running the same statements.
 */
export async function run(): Promise<void> {
  await using opened = new AsyncDisposableStack();
  const database = opened.use(await testDatabase());
  const folder = opened.adopt(mkdtempSync(join(tmpdir(), 'longwave-bench-')), (path) =>
    rmSync(path, { recursive: true }),
  );
  await fill(database.pool);
  const settings = {
    DATABASE_URL: database.url,
    DATABASE_POOL_SIZE: String(CONNECTIONS),
    MEMBER_KEY,
    LEGACY_CREDENTIALS: 'allow',
    TRUSTED_PROXIES: '127.0.0.1',
    HTTP_HOST: '127.0.0.1',
    HTTP_PORT: '0',
    PRIVATE_PORT: '0',
    CALLS_PER_ADDRESS: '0',
    SERVE_PROCESSES: '1',
  };
  const { port, pid } = opened.use(await startChild(MAIN, ['serve'], settings));
  const url = `http://127.0.0.1:${port}/`;
  const saved = (name: string, who: string, owners: number): Contender => ({
    name,
    url,
    pids: [pid],
    script: wrkScript(folder, name, who, owners),
  });
  const byDevice = saved('devices', 'serial=device', DEVICES);
  const byName = saved('names', `password=${PASSWORD}&username=name`, NAMED);
  const script = join(folder, 'pgbench.sql');
  writeFileSync(script, pgbenchScript());
  const load = { databaseUrl: database.url, script, clients: CONNECTIONS };
  const rates = {
    pgbench: [] as number[],
    devices: [] as number[],
    names: [] as number[],
    cpu: [] as number[],
  };
  await signInOnce(url);
  for (let round = 0; round <= ROUNDS; round += 1) {
    process.stderr.write(`round ${round} of ${ROUNDS}\r`);
    const seconds = round === 0 ? 3 : SECONDS;
    const bare = await anew(database.pool, () => pgbench({ ...load, seconds }));
    const devices = await anew(database.pool, () => measure(byDevice, seconds));
    const names = await anew(database.pool, () => measure(byName, seconds));
    if (round === 0) continue;
    rates.pgbench.push(bare);
    rates.devices.push(devices.requestsPerSecond);
    rates.names.push(names.requestsPerSecond);
    rates.cpu.push(devices.cpuMicros);
  }
  print(rates);
}

/** Each round begins without presets, and fails if nothing was saved. */
async function anew<T>(pool: Pool, round: () => Promise<T>): Promise<T> {
  await pool.query('TRUNCATE presets');
  await pool.query('UPDATE accounts SET preset_count = 0');
  await pool.query('UPDATE folders SET last_position = 0');
  await pool.query('VACUUM accounts, folders');
  await pool.query('CHECKPOINT').catch(() => undefined);
  const result = await round();
  const { rows } = await pool.query<{ saved: number; owners: number }>(
    'SELECT count(*) AS saved, count(DISTINCT account_id) AS owners FROM presets',
  );
  if (!rows[0]?.saved) throw new Error('nothing was saved');
  return result;
}

async function fill(pool: Pool): Promise<void> {
  const keys = memberKeys(MEMBER_KEY);
  await using passwords = new Passwords({ keys });
  const hash = await passwords.hash(PASSWORD);
  const serials = Array.from({ length: DEVICES }, (_, n) => deviceKey(keys, 'maker', `device${n}`).hash);
  await pool.query(`
    INSERT INTO partners (id, name, serial_scope) VALUES ('maker', 'A maker', 'maker');
    INSERT INTO stations (id, name, name_key)
      SELECT n, 'Station ' || n, 'station ' || n FROM generate_series(1, ${MAX_PRESETS}) n;
    INSERT INTO streams (station_id, address, address_key, format, bitrate)
      SELECT n, 'http://stream.example.net/' || n, lpad(n::text, 32, '0')::uuid, 'mp3', 128
      FROM generate_series(1, ${MAX_PRESETS}) n;
    INSERT INTO accounts (id, folder_count) SELECT n + 1, 1 FROM generate_series(0, ${DEVICES - 1}) n`);
  await pool.query(
    `INSERT INTO accounts (id, username, password_hash, folder_count)
     SELECT 100000 + n, 'name' || n, $1, 1 FROM generate_series(0, ${NAMED - 1}) n`,
    [hash],
  );
  await pool.query(`
    INSERT INTO usernames SELECT username, id FROM accounts WHERE username IS NOT NULL;
    INSERT INTO folders (account_id, id, name, is_default, position)
      SELECT id, nextval('folder_serials') * 1024 + id % 1024, 'Favorites', true, 1 FROM accounts;
    INSERT INTO devices (scope, serial_hash, account_id)
      SELECT 'pgbench', decode(lpad(to_hex(n), 64, '0'), 'hex'), n + 1 FROM generate_series(0, ${DEVICES - 1}) n`);
  await pool.query(
    `INSERT INTO devices (scope, serial_hash, account_id)
     SELECT 'maker', hash, n FROM unnest($1::bytea[]) WITH ORDINALITY AS serial (hash, n)`,
    [serials],
  );
  await pool.query('ANALYZE');
}

/**
 * Each owner in turn from an address of their own, each time with the next station, so that every call saves
 * something.
 */
function wrkScript(folder: string, name: string, who: string, owners: number): string {
  const file = join(folder, `${name}.lua`);
  const path = `/Preset.ashx?c=add&partnerId=maker&${who}`;
  writeFileSync(
    file,
    `local k = -1
request = function()
  k = k + 1
  local owner = k % ${owners}
  wrk.headers["X-Forwarded-For"] = "198.18." .. math.floor(owner / 250) .. "." .. (owner % 250 + 1)
  return wrk.format("GET", "${path}" .. owner .. "&id=s" .. (math.floor(k / ${owners}) % ${MAX_PRESETS} + 1))
end
`,
  );
  return file;
}

/** The service's statements for one save: find the device's owner, and save. */
function pgbenchScript(): string {
  const values: Record<string, string> = {
    $1: ':account_id',
    $2: 'NULL',
    $3: `'s'`,
    $4: ':station',
    $5: 'NULL',
    $6: `'Station'`,
  };
  return `\\set n :k * ${CONNECTIONS} + :client_id
\\set k :k + 1
\\set device mod(:n, ${DEVICES})
\\set station mod(:n / ${DEVICES}, ${MAX_PRESETS}) + 1
SELECT account_id, earlier_account_id FROM devices
WHERE scope = 'pgbench' AND serial_hash = decode(lpad(to_hex(:device::bigint), 64, '0'), 'hex') \\gset
${presetAdd.text.replace(/\$\d/g, (parameter) => values[parameter] ?? parameter)};
`;
}

/** One after the other, so that no round waits for passwords. */
async function signInOnce(url: string): Promise<void> {
  for (let n = 0; n < NAMED; n += 1) {
    const response = await fetch(
      `${url}Preset.ashx?c=listFolders&partnerId=maker&password=${encodeURIComponent(PASSWORD)}&username=name${n}`,
      { headers: { 'X-Forwarded-For': `198.18.0.${n + 1}` } },
    );
    const body = await response.text();
    if (!body.includes('<status>200<')) throw new Error(body);
  }
}

function print(rates: { pgbench: number[]; devices: number[]; names: number[]; cpu: number[] }): void {
  const bare = median(rates.pgbench);
  console.log(
    `Saving a preset, ${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS} s, one after the other; medians\n`,
  );
  console.log('| | saves/s | of pgbench | CPU µs of the service per save |\n|---|---|---|---|');
  console.log(`| pgbench, the same statements | ${bare.toFixed(0)} | 1.00 | |`);
  const devices = median(rates.devices);
  const cpu = median(rates.cpu).toFixed(0);
  console.log(`| HTTP, by serial | ${devices.toFixed(0)} | ${(devices / bare).toFixed(2)} | ${cpu} |`);
  const names = median(rates.names);
  console.log(`| HTTP, by name and password | ${names.toFixed(0)} | ${(names / bare).toFixed(2)} | |`);
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
