import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** The first test that failed; without a file where the tests did not end, or the runner could not run them. */
export interface Failure {
  readonly name: string;
  readonly file?: string | undefined;
}

const LONGEST_MS = 600_000;
const REPORTER = join(import.meta.dirname, 'first-failure.ts');

/** Runs the tests that the patterns name in a checkout, and stops at the first that fails. */
export async function runTests(checkout: string, patterns: readonly string[]): Promise<Failure | undefined> {
  const files = globSync([...patterns], { cwd: checkout });
  if (files.length === 0) throw new Error(`no test is at ${patterns.join(', ')}`);
  const options = ['--env-file=.env.services', '--expose-gc', '--test', '--test-concurrency=2'];
  const child = spawn(process.execPath, [...options, `--test-reporter=${REPORTER}`, ...files], {
    cwd: checkout,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = new Promise<number | null>((resolve) => void child.once('exit', resolve));
  let failure: Failure | undefined;
  const fail = (first: Failure): void => {
    failure ??= first;
    // The runner ends the files under way before it ends itself.
    child.kill('SIGTERM');
  };
  const late = setTimeout(() => fail({ name: 'the tests did not end' }), LONGEST_MS);
  for await (const line of createInterface({ input: child.stdout })) fail(JSON.parse(line));
  clearTimeout(late);
  const code = await ended;
  return failure ?? (code === 0 ? undefined : { name: `the runner ended with ${code}` });
}
