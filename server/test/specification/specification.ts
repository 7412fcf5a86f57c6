import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestOf, splitStatements, type Statement } from './split-statements.ts';

/** The specification lies beside the checkout and is not part of it. */
const SPECIFICATION = join(import.meta.dirname, '../../../../shared/spec/radio-directory-service.md');
/** What it said when docs/protocol.md was last read against it: a digest for each number, never its words. */
export const DIGESTS = join(import.meta.dirname, 'statements.json');

/** The reason to skip a test that reads it, or false. The gate never skips: there, a missing file is a failure. */
export const withoutSpecification: string | false =
  existsSync(SPECIFICATION) || process.env['CI'] === 'true' ? false : `no specification at ${SPECIFICATION}`;

export const readSpecification = (): Statement[] => splitStatements(readFileSync(SPECIFICATION, 'utf8'));

export const readDigests = (): Record<string, string> => JSON.parse(readFileSync(DIGESTS, 'utf8'));

export const digestsOf = (statements: readonly Statement[]): Record<string, string> =>
  Object.fromEntries(statements.map((statement) => [statement.number, digestOf(statement)]));
