import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const MAIN = join(import.meta.dirname, '../../src/main.ts');

export interface Ran {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** Root may read and write everything, unless it has no capabilities. */
export const WEAK = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-all'] : ['env'];

/**
 * Runs the command to its end, as an operator does, with these settings beside those of the tests. Other words before it start it
 * in another way.
 */
export function runLongwave(
  args: readonly string[],
  settings: NodeJS.ProcessEnv,
  input?: Buffer,
  by: readonly string[] = ['env'],
): Ran {
  const [program = '', ...words] = [...by, process.execPath, MAIN, ...args];
  const { status, stdout, stderr } = spawnSync(program, words, {
    env: { ...process.env, ...settings },
    encoding: 'utf8',
    timeout: 120_000,
    ...(input && { input }),
  });
  return { status, stdout, stderr };
}
