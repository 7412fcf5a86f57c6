import { isAway } from '../../cache/is-away.ts';
import { type Finding, unknown } from './finding.ts';

const NO_SUCH_TABLE = '42P01';
const NO_SUCH_COLUMN = '42703';

/** What rests on the database is not called broken with it, so that one thing to mend is told once. */
export function unknownFor(name: string, error: unknown): Finding | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === NO_SUCH_TABLE || code === NO_SUCH_COLUMN)
    return unknown(name, 'not looked at: the schema is not that of this version');
  // A wrong password or database is told by the check of PostgreSQL, as is a port that nobody listens on.
  const isUnanswered = error instanceof AggregateError || isAway(error) || /^(?:28|3D)/.test(code);
  return isUnanswered ? unknown(name, 'not looked at: PostgreSQL does not answer') : undefined;
}

/** One line of a check whose others need no database. */
export async function orUnknown(name: string, look: Promise<Finding>): Promise<Finding> {
  try {
    return await look;
  } catch (error) {
    const found = unknownFor(name, error);
    if (found) return found;
    throw error;
  }
}
