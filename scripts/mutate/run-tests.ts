import { spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';

/** The first test that failed; without a file if the tests did not end, or could not be run. */
export interface Failure {
  readonly name: string;
  readonly file?: string | undefined;
}

const MAX_MS = 600_000;
const REPORTER = join(import.meta.dirname, 'first-failure.ts');

const FILE_CONCURRENCY = 2;

/**
 * Runs the tests that match the patterns in a checkout, and stops at the first that fails. Files that share the most
 * words with the fault come first.
 */
export async function runNearest(
  checkout: string,
  patterns: readonly string[],
  about: string,
): Promise<Failure | undefined> {
  const files = byLikeness(checkout, globSync([...patterns], { cwd: checkout }), about);
  if (files.length === 0) throw new Error(`no test file matches ${patterns.join(', ')}`);
  for (let start = 0; start < files.length; start += FILE_CONCURRENCY) {
    const failure = await runTests(checkout, files.slice(start, start + FILE_CONCURRENCY));
    if (failure) return failure;
  }
  return undefined;
}

const wordsIn = (text: string): string[] => text.toLowerCase().match(/[a-z]{3,}/g) ?? [];

/** A word in a file's name counts as much as ten in its text. */
function byLikeness(checkout: string, files: readonly string[], about: string): string[] {
  const words = [...new Set(wordsIn(about))];
  const scored = files.map((file) => {
    const [names, texts] = [
      wordsIn(basename(file)),
      new Set(wordsIn(readFileSync(join(checkout, file), 'utf8'))),
    ];
    return {
      file,
      score: words.reduce(
        (sum, word) => sum + (names.includes(word) ? 10 : 0) + (texts.has(word) ? 1 : 0),
        0,
      ),
    };
  });
  return scored.toSorted((a, b) => b.score - a.score).map(({ file }) => file);
}

/** Runs test files of a checkout, and stops at the first that fails. */
export async function runTests(checkout: string, files: readonly string[]): Promise<Failure | undefined> {
  const options = ['--env-file=.env.services', '--expose-gc', '--import=./server/test/time/wait-factor.ts'];
  options.push('--test', '--test-concurrency=2');
  const child = spawn(process.execPath, [...options, `--test-reporter=${REPORTER}`, ...files], {
    cwd: checkout,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = new Promise<number | null>((resolve) => void child.once('exit', resolve));
  let failure: Failure | undefined;
  const fail = (first: Failure): void => {
    failure ??= first;
    // The runner ends the files under way before it exits.
    child.kill('SIGTERM');
  };
  const late = setTimeout(() => fail({ name: 'the tests did not end' }), MAX_MS);
  for await (const line of createInterface({ input: child.stdout })) fail(JSON.parse(line));
  clearTimeout(late);
  const code = await ended;
  return failure ?? (code === 0 ? undefined : { name: `the runner ended with ${code}` });
}
