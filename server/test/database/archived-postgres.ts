import { execFileSync } from 'node:child_process';
import { appendFileSync, chownSync, chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { unprivilegedAccount } from '../../../scripts/services/folder.ts';
import { waitUntil } from '../../../scripts/services/service.ts';
import { closedPort } from '../servers/port-of.ts';

const PROGRAMS = '/usr/lib/postgresql/15/bin';

/** A PostgreSQL of one drill's own, whose every change Debian's pgBackRest keeps. */
export interface ArchivedPostgres extends AsyncDisposable {
  url: string;
  query(text: string): Promise<Record<string, string>[]>;
  /** A full backup. */
  backUp(): void;
  /** Until the archive has all that was written so far. */
  archived(): Promise<void>;
  /** Stops it, restores it to a moment, and starts it again. */
  restoreTo(time: string): Promise<void>;
}

export async function startArchivedPostgres(): Promise<ArchivedPostgres> {
  const folder = mkdtempSync('/var/tmp/longwave-archived-');
  chmodSync(folder, 0o755);
  const account = unprivilegedAccount();
  const port = await closedPort();
  const [data, config] = [join(folder, 'data'), join(folder, 'pgbackrest.conf')];
  for (const path of ['repo', 'log', 'spool', 'lock', 'data'].map((name) => join(folder, name))) {
    mkdirSync(path, { mode: 0o700 });
    if (account) chownSync(path, account.uid, account.gid);
  }
  writeFileSync(
    config,
    `[global]\nrepo1-path=${folder}/repo\nlog-path=${folder}/log\nspool-path=${folder}/spool\nlock-path=${folder}/lock
start-fast=y\ndelta=y\nlog-level-file=off\n[longwave]\npg1-path=${data}\npg1-port=${port}\npg1-socket-path=${folder}/lock\n`,
  );
  const run = (program: string, args: readonly string[]): void => {
    execFileSync(program, args, {
      ...account,
      cwd: '/',
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { PATH: process.env['PATH'] },
    });
  };
  const backRest = (...args: string[]): void =>
    run('pgbackrest', [`--config=${config}`, '--stanza=longwave', ...args]);
  const control = (...args: string[]): void =>
    run(join(PROGRAMS, 'pg_ctl'), ['-D', data, '-w', '-t', '300', ...args]);
  const start = (): void => control('-l', join(folder, 'log/postgres.log'), 'start');
  run(join(PROGRAMS, 'initdb'), [
    '-D',
    data,
    '--auth=trust',
    '--username=postgres',
    '--encoding=UTF8',
    '--locale=C.UTF-8',
  ]);
  appendFileSync(
    join(data, 'postgresql.conf'),
    `port = ${port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = '${folder}/lock'\narchive_mode = on\nwal_level = replica
archive_command = 'pgbackrest --config=${config} --stanza=longwave archive-push %p'\narchive_timeout = 60\n`,
  );
  start();
  const query = async (text: string, database = 'longwave'): Promise<Record<string, string>[]> => {
    const client = new Client({ host: '127.0.0.1', port, user: 'postgres', database });
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  };
  await query('CREATE ROLE longwave LOGIN CREATEDB', 'postgres');
  await query('CREATE DATABASE longwave OWNER longwave', 'postgres');
  backRest('stanza-create');
  backRest('check');
  return {
    url: `postgres://longwave@127.0.0.1:${port}/longwave`,
    query,
    backUp: () => backRest('--type=full', 'backup'),
    async archived() {
      const [written] = await query('SELECT pg_walfile_name(pg_switch_wal()) AS file');
      await waitUntil(
        'the archive',
        async () => {
          const [last] = await query('SELECT last_archived_wal AS file FROM pg_stat_archiver');
          return (last?.['file'] ?? '') >= (written?.['file'] ?? '');
        },
        120_000,
      );
    },
    async restoreTo(time) {
      control('-m', 'fast', 'stop');
      backRest('--type=time', `--target=${time}`, '--target-action=promote', 'restore');
      start();
      await waitUntil(
        'the end of the restore',
        async () => {
          const [state] = await query('SELECT pg_is_in_recovery()::text AS recovering');
          return state?.['recovering'] === 'false';
        },
        300_000,
      );
    },
    async [Symbol.asyncDispose]() {
      control('-m', 'immediate', 'stop');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
