import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A plausible mistake in a file, and the tests that ought to notice it. */
export interface PlantedFault {
  /** Below `server/src`. */
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly find: string;
  readonly replace: string;
  /** What a user would see. */
  readonly fault: string;
  /** Patterns of test files; default: every test in the file's own folder and below. */
  readonly tests?: readonly string[];
}

/** The file with its fault; throws unless the text to replace occurs exactly once. */
export function plant(checkout: string, { file, find, replace }: PlantedFault): string {
  const pieces = readFileSync(join(checkout, 'server/src', file), 'utf8').split(find);
  if (pieces.length !== 2)
    throw new Error(
      `'${find}' occurs ${pieces.length - 1} times in server/src/${file}, not once; update its fault in scripts/mutate/faults`,
    );
  return pieces.join(replace);
}

export const testsOf = ({ file, tests }: PlantedFault): readonly string[] =>
  tests ?? [`server/src/${dirname(file)}/**/*.test.ts`];
