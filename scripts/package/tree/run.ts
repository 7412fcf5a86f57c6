import { spawnSync } from 'node:child_process';

/** Runs a program to its end and returns what it printed, or throws with its errors. */
export function run(program: string, args: readonly string[], options: { cwd?: string } = {}): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    ...options,
    encoding: 'utf8',
    // Packing with xz takes a quarter of an hour on a busy machine.
    timeout: 3_600_000,
    maxBuffer: 1 << 28,
  });
  if (error) throw new Error(`${program} could not be run: ${error.message}`);
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`);
  return stdout;
}
