import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const MAIN = join(import.meta.dirname, '../../src/main.ts');

export interface Ran {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the command to its end, as an operator does, with these settings beside those of the tests. */
export function runLongwave(args: readonly string[], settings: NodeJS.ProcessEnv, input?: Buffer): Ran {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
    env: { ...process.env, ...settings },
    encoding: 'utf8',
    timeout: 120_000,
    ...(input && { input }),
  });
  return { status, stdout, stderr };
}
