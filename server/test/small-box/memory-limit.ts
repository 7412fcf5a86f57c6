import { accessSync, constants, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitUntil } from '../../../scripts/services/service.ts';

const ROOT = '/sys/fs/cgroup';

/** The names that each version of cgroups has for the same files. */
const VERSIONS = {
  1: { limit: 'memory.limit_in_bytes', ooms: 'memory.oom_control' },
  2: { limit: 'memory.max', ooms: 'memory.events' },
} as const;

/** A cgroup: the kernel kills a process of it rather than let all of them together have more memory, files that it keeps included. */
export class MemoryLimit implements AsyncDisposable {
  readonly #folder: string;
  readonly #files: (typeof VERSIONS)[1 | 2];

  private constructor(folder: string, version: 1 | 2) {
    this.#folder = folder;
    this.#files = VERSIONS[version];
  }

  /** Undefined where this user may make no cgroups, as in most containers. */
  static open(bytes: number): MemoryLimit | undefined {
    const { parent, version } = findParent();
    const folder = join(parent, `longwave-small-box-${process.pid}`);
    try {
      accessSync(parent, constants.W_OK);
      mkdirSync(folder);
    } catch {
      return undefined;
    }
    try {
      writeFileSync(join(folder, VERSIONS[version].limit), `${bytes}`);
      return new MemoryLimit(folder, version);
    } catch {
      rmdirSync(folder);
      return undefined;
    }
  }

  /** Written to by a process that joins. */
  get membersFile(): string {
    return join(this.#folder, 'cgroup.procs');
  }

  add(pid: number): void {
    writeFileSync(this.membersFile, `${pid}`);
  }

  /** How many processes the kernel has killed. */
  countKilled(): number {
    const text = readFileSync(join(this.#folder, this.#files.ooms), 'utf8');
    return Number(/^oom_kill (\d+)$/m.exec(text)?.[1] ?? Number.NaN);
  }

  /** Its processes were told to end; the kernel takes a moment to bury the last of them. */
  [Symbol.asyncDispose](): Promise<void> {
    return waitUntil("the box's end", async () => this.#tryRemove());
  }

  #tryRemove(): boolean {
    try {
      rmdirSync(this.#folder);
      return true;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EBUSY') return false;
      throw error;
    }
  }
}

/** Version 1 below our own, so that its limits hold too; version 2 allows none below one that has processes. */
function findParent(): { parent: string; version: 1 | 2 } {
  const own = /^\d+:(?:\w+,)*memory(?:,\w+)*:(\/.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1];
  return own === undefined ? { parent: ROOT, version: 2 } : { parent: join(ROOT, 'memory', own), version: 1 };
}
