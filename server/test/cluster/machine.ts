import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unprivilegedAccount } from '../../../scripts/services/folder.ts';
import { waitUntil } from '../../../scripts/services/service.ts';
import type { NetworkMachine } from './namespace-network.ts';

/** Of each disk, which is memory: what is killed here loses nothing that it had written. */
const DISK_MEGABYTES = 600;
const ENDS_MS = 60_000;

/** A machine of the cluster: its network, disks of its own, and one program that it runs, not as root. */
export class Machine implements AsyncDisposable {
  readonly name: string;
  readonly network: NetworkMachine;
  /** Where its first disk is mounted. */
  readonly folder: string;
  readonly #log: string;
  readonly #command: readonly string[];
  #program: ChildProcess | undefined;
  #frozen: number[] = [];
  readonly #disks: string[] = [];

  constructor(
    parent: string,
    name: string,
    network: NetworkMachine,
    command: (folder: string) => readonly string[],
  ) {
    this.name = name;
    this.network = network;
    this.folder = join(parent, name);
    this.#log = join(parent, `${name}.log`);
    this.#mount(this.folder);
    this.#command = command(this.folder);
  }

  /** Another one, in a folder of the first. */
  addDisk(name: string): void {
    this.#mount(join(this.folder, name));
  }

  start(): void {
    const account = unprivilegedAccount();
    const asUser = account
      ? ['setpriv', `--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups']
      : [];
    const [program = '', ...args] = [...this.network.wayIn, ...asUser, ...this.#command];
    const log = openSync(this.#log, 'a');
    const env = { PATH: process.env['PATH'], HOME: this.folder, LANG: 'C.UTF-8' };
    this.#program = spawn(program, args, { cwd: this.folder, env, stdio: ['ignore', log, log] });
    closeSync(log);
  }

  /** Every process at the same moment, as when its power is lost. */
  async kill(): Promise<void> {
    this.thaw();
    const program = this.#program;
    const ended =
      program && program.exitCode === null && program.signalCode === null && once(program, 'exit');
    // Stopped first, so that nobody starts another one meanwhile or tells anybody.
    this.#signal('SIGSTOP');
    this.#signal('SIGKILL');
    await ended;
    const isOver = async (): Promise<boolean> => {
      this.#signal('SIGKILL');
      return this.network.pids().every(hasEnded);
    };
    await waitUntil(`the end of ${this.name}`, isOver, ENDS_MS);
  }

  /** Nothing on it moves any more, though its network still takes what is sent. */
  freeze(): void {
    this.#signal('SIGSTOP');
    this.#frozen = this.network.pids();
  }

  thaw(): void {
    for (const pid of this.#frozen) signal(pid, 'SIGCONT');
    this.#frozen = [];
  }

  /** Those of its processes whose title, as `ps` shows it, has this in it. */
  signalTitled(words: string, name: NodeJS.Signals): void {
    const found = this.network.pids().filter((pid) => titleOf(pid).includes(words));
    if (found.length === 0) throw new Error(`no process of ${this.name} is titled ${words}`);
    for (const pid of found) signal(pid, name);
  }

  readLog(): string {
    return readFileSync(this.#log, 'utf8');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.network.connect();
    await this.kill();
    for (const disk of this.#disks.toReversed()) execFileSync('umount', ['--lazy', disk]);
  }

  #mount(folder: string): void {
    mkdirSync(folder);
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MEGABYTES}m,mode=700`, 'tmpfs', folder]);
    this.#disks.push(folder);
    const account = unprivilegedAccount();
    if (account) chownSync(folder, account.uid, account.gid);
  }

  #signal(name: NodeJS.Signals): void {
    for (const pid of this.network.pids()) signal(pid, name);
  }
}

/** A process that has ended meanwhile needs no signal. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** One that nobody has waited for yet still has a number. */
function hasEnded(pid: number): boolean {
  try {
    return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return true;
  }
}

function titleOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
