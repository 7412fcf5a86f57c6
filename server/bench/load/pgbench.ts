import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Debian installs it beside the server, not in the PATH. */
const program = (): string => {
  const [newest] = globSync('/usr/lib/postgresql/*/bin/pgbench').toSorted().toReversed();
  return newest ?? 'pgbench';
};

export interface PgbenchLoad {
  databaseUrl: string;
  /** A pgbench script; its variable `k` starts at 0 for each client. */
  script: string;
  clients: number;
  seconds: number;
}

/** Transactions per second, without our service in between; rejects a round with errors in it. */
export async function pgbench({ databaseUrl, script, clients, seconds }: PgbenchLoad): Promise<number> {
  const load = ['-n', '-M', 'prepared', '-c', String(clients), '-j', '1', '-T', String(seconds), '-D', 'k=0'];
  const { stdout, stderr } = await run('taskset', ['-c', '1', program(), ...load, '-f', script, databaseUrl]);
  const rate = Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
  if (!(rate > 0) || /error|aborted/i.test(stderr)) throw new Error(`pgbench:\n${stdout}\n${stderr}`);
  return rate;
}
