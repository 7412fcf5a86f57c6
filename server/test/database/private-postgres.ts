import { execFileSync } from 'node:child_process';
import { chownSync, chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { unprivilegedAccount } from '../../../scripts/services/folder.ts';
import { postgresService } from '../../../scripts/services/postgres.ts';
import { waitUntil } from '../../../scripts/services/service.ts';

/** A PostgreSQL of one test's own, which may be taken away from whoever uses it. */
export interface PrivatePostgres extends AsyncDisposable {
  url: string;
  /** Of its main process, which starts all others. */
  pid(): number;
  /** At once, as when its machine loses power: connections break, and nothing listens any more. */
  crash(): Promise<void>;
  /** Every process of it at the same moment, with no time to tell anybody or to write anything down. */
  kill(): Promise<void>;
  /** On the same port, with the same data. */
  restart(): Promise<void>;
  /** It holds its connections and accepts new ones, and says nothing. */
  freeze(): void;
  thaw(): void;
  /** Sets what only its superuser may set; holds from the next start. */
  configure(settings: Readonly<Record<string, string>>): Promise<void>;
  /** What it has written to its log so far. */
  readLog(): string;
  /** Where all of it is. */
  folder: string;
}

/** On a disk of its own, which is memory, where its size is told. */
export async function startPrivatePostgres(diskMegabytes?: number): Promise<PrivatePostgres> {
  // Not in TMPDIR: the account that PostgreSQL runs as must be able to walk there.
  const folder = mkdtempSync('/var/tmp/longwave-private-');
  if (diskMegabytes !== undefined)
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskMegabytes}m`, 'tmpfs', folder]);
  chmodSync(folder, 0o755);
  const account = unprivilegedAccount();
  if (account) chownSync(folder, account.uid, account.gid);
  const service = postgresService(folder);
  const { url } = await service.up();
  let frozen: number[] = [];
  const thaw = (): void => {
    for (const pid of frozen.toReversed()) signal(pid, 'SIGCONT');
    frozen = [];
  };
  return {
    url,
    pid: () => mainProcess(folder),
    async crash() {
      const main = mainProcess(folder);
      signal(main, 'SIGQUIT');
      await waitUntil("PostgreSQL's end", () => Promise.resolve(!isRunning(main)));
    },
    async kill() {
      const main = mainProcess(folder);
      signal(main, 'SIGSTOP');
      const all = [main, ...childrenOf(main)];
      for (const pid of all) signal(pid, 'SIGKILL');
      await waitUntil("PostgreSQL's end", () => Promise.resolve(!all.some(isRunning)));
      // An ended process that nobody has waited for yet still has a number, which its successor would take for its own.
      rmSync(join(folder, 'postgres/postmaster.pid'));
    },
    async restart() {
      const again = await service.up();
      if (again.url !== url) throw new Error('PostgreSQL came back on another port');
    },
    freeze() {
      const main = mainProcess(folder);
      // The main process first, so that it starts no other meanwhile.
      frozen = [main];
      signal(main, 'SIGSTOP');
      frozen.push(...childrenOf(main));
      for (const pid of frozen.slice(1)) signal(pid, 'SIGSTOP');
    },
    thaw,
    async configure(settings) {
      const asSuperuser = new URL(url);
      asSuperuser.username = 'postgres';
      const client = new Client({ connectionString: asSuperuser.href });
      await client.connect();
      for (const [name, value] of Object.entries(settings))
        await client.query(`ALTER SYSTEM SET ${name} = ${client.escapeLiteral(value)}`);
      await client.end();
    },
    readLog: () => readFileSync(join(folder, 'postgres.log'), 'utf8'),
    folder,
    async [Symbol.asyncDispose]() {
      thaw();
      await service.down();
      if (diskMegabytes !== undefined) execFileSync('umount', ['--lazy', folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Into a database that has nothing in it yet. */
export function copyDatabase(fromUrl: string, toUrl: string): void {
  const dump = execFileSync('pg_dump', ['--no-owner', fromUrl], { maxBuffer: 1 << 30 });
  const restore = ['--quiet', '--no-psqlrc', '--set=ON_ERROR_STOP=1', toUrl];
  execFileSync('psql', restore, { input: dump, stdio: ['pipe', 'ignore', 'pipe'] });
}

const mainProcess = (folder: string): number =>
  Number(readFileSync(join(folder, 'postgres/postmaster.pid'), 'utf8').split('\n', 1)[0]);

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);

/** A process that has ended meanwhile needs no signal. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

function isRunning(pid: number): boolean {
  try {
    // An ended child that nobody has waited for yet still has a number.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
