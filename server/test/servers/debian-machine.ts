import { execFile, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A fresh Debian 12, booted with systemd, with no way out; gone when disposed of. What the package of this checkout depends on
 * and recommends lies where apt keeps what it has fetched, and is not installed.
 */
export interface DebianMachine extends AsyncDisposable {
  /** Of a process in its network. */
  pid: number;
  /** Runs a shell command as root inside, to its end. */
  execute(command: string): Promise<Ended>;
}

export interface Ended {
  status: number;
  /** Output and errors, as they came. */
  output: string;
}

const PACKAGES = ['ca-certificates', 'curl', 'sudo', 'systemd-sysv', 'dbus'];
const CONTROL = join(import.meta.dirname, '../../../deploy/debian/control');
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
      const limits = { timeout: 580_000, maxBuffer: 2 ** 26 };
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
    pid: Number(leader()),
    execute,
    async [Symbol.asyncDispose]() {
      // Its first process, with which all others end; without it systemd-nspawn ends too, but not the other way round.
      process.kill(Number(leader()), 'SIGKILL');
      await ended;
    },
  };
}

/** Made once on each machine, since it is some 200 packages, and again when the package needs other ones. */
export function ensureBase(): string {
  const control = readFileSync(CONTROL, 'utf8');
  const needs = [...control.matchAll(/^(?:Depends|Recommends): (.*)$/gmu)].map(([, list]) => list).join(', ');
  const fetch = `chroot "$1" apt-get satisfy --yes --download-only --install-recommends '${needs}'`;
  const key = createHash('sha256')
    .update([...PACKAGES, fetch].join('\n'))
    .digest('hex')
    .slice(0, 8);
  const base = join(homedir(), `.cache/longwave/base/debian-12-systemd-${key}`);
  if (existsSync(base)) return base;
  mkdirSync(dirname(base), { recursive: true });
  const fresh = mkdtempSync(`${base}.new-`);
  const wanted = [
    '--variant=minbase',
    `--include=${PACKAGES.join(',')}`,
    '--skip=cleanup/apt',
    `--customize-hook=${fetch}`,
    'bookworm',
    fresh,
  ];
  const { status, stderr } = spawnSync('mmdebstrap', wanted, { encoding: 'utf8', timeout: 900_000 });
  if (status !== 0) throw new Error(`mmdebstrap failed:\n${stderr}`);
  // Two tests may make it at once; the one that comes second takes the other's.
  if (existsSync(base)) rmSync(fresh, { recursive: true });
  else renameSync(fresh, base);
  return base;
}
