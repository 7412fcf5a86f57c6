import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

export interface Ended {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** Longer than any step takes on a busy machine, for another processor too. */
const MAX_STEP_MS = 1_800_000;

/**
 * buildah and podman with images and containers of their own, in a folder that goes with them: nothing is left on the
 * machine, and two builds at once do not meet. On disk, since what is in memory counts against it.
 */
export class Containers implements Disposable {
  readonly #home = mkdtempSync('/var/tmp/longwave-containers-');

  /** What tells the programs where that is. */
  get storage(): string[] {
    return ['--root', join(this.#home, 'storage'), '--runroot', join(this.#home, 'run')];
  }

  buildah(...args: string[]): string {
    return succeeded('buildah', [...this.storage, ...args]);
  }

  podman(...args: string[]): string {
    return succeeded('podman', this.#podman(args));
  }

  /** For a command that may fail. */
  tryPodman(...args: string[]): Ended {
    return run('podman', this.#podman(args));
  }

  /** crun refuses machines with both kinds of cgroups, and there may be no systemd to ask for one. */
  #podman(args: readonly string[]): string[] {
    return [...this.storage, '--cgroup-manager', 'cgroupfs', '--runtime', 'runc', ...args];
  }

  /** A folder for files of a build, which goes with the rest. */
  folder(name: string): string {
    return mkdtempSync(join(this.#home, `${name}-`));
  }

  [Symbol.dispose](): void {
    this.tryPodman('rm', '--all', '--force', '--time', '0');
    // The driver has mounted this folder onto itself.
    run('umount', ['--lazy', join(this.#home, 'storage/overlay')]);
    rmSync(this.#home, { recursive: true, force: true });
  }
}

function succeeded(program: string, args: readonly string[]): string {
  const { status, stdout, stderr } = run(program, args);
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
  return stdout.trim();
}

export function run(program: string, args: readonly string[]): Ended {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    encoding: 'utf8',
    timeout: MAX_STEP_MS,
    maxBuffer: 2 ** 26,
  });
  if (error) throw new Error(`${program}: ${error.message}; bash scripts/install-packages.sh installs it`);
  return { status, stdout, stderr };
}
