import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A fresh Debian 12 with PostgreSQL and Redis, booted with systemd, with no way out; gone when disposed of. */
export interface DebianMachine extends AsyncDisposable {
  /** Runs a shell command as root inside, to its end. */
  execute(command: string): Promise<Ended>;
}

export interface Ended {
  status: number;
  /** Output and errors, as they came. */
  output: string;
}

const PACKAGES = [
  'ca-certificates',
  'curl',
  'adduser',
  'libatomic1',
  'postgresql',
  'redis-server',
  'systemd-sysv',
  'dbus',
];
const ENVIRONMENT =
  'env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive'.split(' ');
const BOOT_MS = 180_000;

/** What it changes stays in memory; `shared` is a folder of this machine that is `/mnt` inside. */
export async function bootDebian(shared: string): Promise<DebianMachine> {
  const own = [
    '--volatile=overlay',
    '--private-network',
    '--register=no',
    '--keep-unit',
    `--bind-ro=${shared}:/mnt`,
  ];
  const name = `longwave-${process.pid}`;
  const boot = [
    '--quiet',
    `--machine=${name}`,
    `--directory=${ensureBase()}`,
    ...own,
    '--console=pipe',
    '--boot',
  ];
  const holder = spawn('systemd-nspawn', boot, {
    // Nobody writes to the base, so that several may stand on it at once.
    env: { ...process.env, SYSTEMD_NSPAWN_LOCK: '0' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(holder, 'exit');
  const leader = (): string => readFileSync(`/proc/${holder.pid}/task/${holder.pid}/children`, 'utf8').trim();
  const enter = (command: string): string[] => {
    return ['--target', leader(), '--all', ...ENVIRONMENT, 'sh', '-c', `exec 2>&1\n${command}`];
  };
  const execute = (command: string): Promise<Ended> =>
    new Promise((resolve) => {
      const limits = { timeout: 300_000, maxBuffer: 2 ** 26 };
      execFile('nsenter', enter(command), limits, (error, output) => {
        resolve({ status: error ? Number(error.code ?? -1) : 0, output });
      });
    });
  for (const deadline = Date.now() + BOOT_MS; ; await sleep(500)) {
    if (holder.exitCode !== null || Date.now() > deadline)
      throw new Error('Debian did not boot; this needs root and systemd-nspawn');
    if ((await execute('systemctl is-active multi-user.target')).output.trim() === 'active') break;
  }
  return {
    execute,
    async [Symbol.asyncDispose]() {
      // Its first process, with which all others end; without it systemd-nspawn ends too, but not the other way round.
      process.kill(Number(leader()), 'SIGKILL');
      await ended;
    },
  };
}

/** Made once on each machine, since it is some 200 packages. */
function ensureBase(): string {
  const base = join(homedir(), '.cache/longwave/base/debian-12-systemd');
  if (existsSync(join(base, 'usr/lib/postgresql'))) return base;
  mkdirSync(dirname(base), { recursive: true });
  const fresh = mkdtempSync(`${base}.new-`);
  const wanted = ['--variant=minbase', `--include=${PACKAGES.join(',')}`, 'bookworm', fresh];
  const { status, stderr } = spawnSync('mmdebstrap', wanted, { encoding: 'utf8', timeout: 900_000 });
  if (status !== 0) throw new Error(`mmdebstrap failed:\n${stderr}`);
  rmSync(base, { recursive: true, force: true });
  renameSync(fresh, base);
  return base;
}
