import { execFileSync, type ExecFileSyncOptions } from 'node:child_process';
import { chownSync, existsSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { unprivilegedAccount } from './folder.ts';
import { readSettings, resolveSettings, type Service, type Settings } from './service.ts';

const MISSING = 'PostgreSQL 15 or newer is not installed; on Debian: apt-get install postgresql-15';
/** Durable, as in production, unless it is told that nobody needs its data; the rest saves memory on a small machine. */
const SERVER_SETTINGS = ['shared_buffers=128MB', 'max_connections=100', 'max_wal_size=1GB', 'jit=off'];

interface PostgresOptions {
  /** It does not wait for the disk, and loses all when the machine loses power: for tests alone. */
  isThrowaway?: boolean;
}

export function postgresService(folder: string, { isThrowaway = false }: PostgresOptions = {}): Service {
  const data = join(folder, 'postgres');
  return {
    name: 'PostgreSQL',
    variable: 'DATABASE_URL',
    running: async () => runningUrl(folder, data),
    async up() {
      const running = runningUrl(folder, data);
      if (running) return { url: running, started: false };
      const settings = await resolveSettings(folder, 'postgres');
      if (!existsSync(join(data, 'PG_VERSION'))) initialise(folder, data, settings);
      start(folder, data, settings, isThrowaway);
      await ensureDatabase(settings);
      return { url: ownerUrl(settings), started: true };
    },
    async down() {
      if (!runningUrl(folder, data)) return false;
      run('pg_ctl', ['-D', data, '-m', 'fast', '-w', 'stop']);
      return true;
    },
  };
}

const ownerUrl = ({ port, password }: Settings): string =>
  `postgres://longwave:${password}@127.0.0.1:${port}/longwave`;

function runningUrl(folder: string, data: string): string | undefined {
  const settings = readSettings(folder, 'postgres');
  if (!settings || !existsSync(join(data, 'postmaster.pid'))) return undefined;
  try {
    run('pg_ctl', ['-D', data, 'status']);
    return ownerUrl(settings);
  } catch {
    return undefined;
  }
}

function initialise(folder: string, data: string, { password }: Settings): void {
  const passwordFile = join(folder, 'initdb-password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const account = unprivilegedAccount();
  if (account) for (const path of [passwordFile, data]) chownSync(path, account.uid, account.gid);
  const auth = ['--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--username=postgres'];
  run('initdb', ['-D', data, '--encoding=UTF8', '--locale=C.UTF-8', '--data-checksums', ...auth]);
  rmSync(passwordFile);
}

function start(folder: string, data: string, { port }: Settings, isThrowaway: boolean): void {
  const settings = [...SERVER_SETTINGS, ...(isThrowaway ? ['fsync=off'] : [])]
    .map((setting) => `-c ${setting}`)
    .join(' ');
  const options = `-p ${port} -h 127.0.0.1 -c unix_socket_directories='' ${settings}`;
  run('pg_ctl', ['-D', data, '-l', join(folder, 'postgres.log'), '-w', '-t', '60', '-o', options, 'start']);
}

/** The service's own role owns its database and may clone it for tests, but is not a superuser. */
async function ensureDatabase({ port, password }: Settings): Promise<void> {
  const client = new Client({ host: '127.0.0.1', port, user: 'postgres', password, database: 'postgres' });
  await client.connect();
  const { rowCount } = await client.query("SELECT FROM pg_roles WHERE rolname = 'longwave'");
  if (!rowCount) {
    await client.query(`CREATE ROLE longwave LOGIN CREATEDB PASSWORD ${client.escapeLiteral(password)}`);
    await client.query('CREATE DATABASE longwave OWNER longwave');
  }
  await client.end();
}

function run(program: string, args: string[]): void {
  const account = unprivilegedAccount();
  const options: ExecFileSyncOptions = { stdio: ['ignore', 'ignore', 'pipe'], cwd: '/', ...account };
  execFileSync(binary(program), args, options);
}

function binary(program: string): string {
  const found = globSync(`/usr/lib/postgresql/*/bin/${program}`)
    .map((path) => ({ path, version: Number(path.split('/')[4]) }))
    .filter(({ version }) => version >= 15)
    .toSorted((a, b) => a.version - b.version)[0];
  if (!found) throw new Error(MISSING);
  return found.path;
}
