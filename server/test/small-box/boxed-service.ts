import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { waitUntil } from '../../../scripts/services/service.ts';
import { keepLog } from '../processes/keep-log.ts';
import type { MemoryLimit } from './memory-limit.ts';

const MAIN = join(import.meta.dirname, '../../src/main.ts');
/** As the image and the package start it. */
const OPTIONS = ['--max-semi-space-size=16'];
/** Long for a whole import on a busy machine. */
const MAX_WAIT_MS = 900_000;

export interface LogLine {
  msg: string;
  [field: string]: unknown;
}

/** A command of Longwave that runs until it is told to stop, with others in a limit of memory. */
export class BoxedService implements AsyncDisposable {
  readonly process: ChildProcess;
  readonly lines: LogLine[] = [];
  readonly #errors: string[] = [];

  constructor(command: string, env: NodeJS.ProcessEnv, limit: MemoryLimit | undefined) {
    // It joins before it is Node, so that all its memory counts.
    const joining = ['-c', 'echo $$ > "$0" && exec "$@"', limit?.membersFile ?? '/dev/null'];
    const child = spawn('sh', [...joining, process.execPath, ...OPTIONS, MAIN, command], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    createInterface({ input: child.stderr }).on('line', (line) => this.#errors.push(line));
    createInterface({ input: child.stdout }).on('line', (line) => {
      keepLog(line);
      this.lines.push(JSON.parse(line));
    });
    this.process = child;
  }

  get isRunning(): boolean {
    return this.process.exitCode === null && this.process.signalCode === null;
  }

  /** The first line with this message after so many others. */
  async said(message: string, after = 0): Promise<LogLine> {
    let found: LogLine | undefined;
    const look = async (): Promise<boolean> => {
      found = this.lines.slice(after).find(({ msg }) => msg === message);
      if (!found && !this.isRunning) throw new Error(this.#epitaph());
      return found !== undefined;
    };
    await waitUntil(`"${message}"`, look, MAX_WAIT_MS);
    return found!;
  }

  #epitaph(): string {
    const last = this.lines.slice(-5).map((line) => JSON.stringify(line));
    return `it ended by ${this.process.exitCode ?? this.process.signalCode}:\n${[...last, ...this.#errors].join('\n')}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.isRunning) return;
    const ended = once(this.process, 'exit');
    this.process.kill('SIGTERM');
    await ended;
  }
}
