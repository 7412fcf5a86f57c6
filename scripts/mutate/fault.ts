import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A mistake that somebody could make in a file, and the tests that ought to notice it. */
export interface PlantedFault {
  /** Below `server/src`. */
  readonly file: string;
  /** Stands exactly once in the file. */
  readonly find: string;
  readonly replace: string;
  /** What a user would meet. */
  readonly fault: string;
  /** Patterns of test files; without them, every test in the file's own top folder. */
  readonly tests?: readonly string[];
}

/** A file with its fault in it; throws where the text to replace is not there exactly once. */
export function plant(checkout: string, { file, find, replace }: PlantedFault): string {
  const pieces = readFileSync(join(checkout, 'server/src', file), 'utf8').split(find);
  if (pieces.length !== 2)
    throw new Error(
      `'${find}' stands ${pieces.length - 1} times in server/src/${file}, not once; bring its fault up to date in scripts/mutate/faults`,
    );
  return pieces.join(replace);
}

export const testsOf = ({ file, tests }: PlantedFault): readonly string[] =>
  tests ?? [`server/src/${file.split('/')[0]}/**/*.test.ts`];
