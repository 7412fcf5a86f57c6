import type { Migration } from './migrate.ts';

/** What a migration means for servers that run while it is applied. */
export interface MigrationEffect {
  /** In a few words; undefined when it only adds what nobody uses yet. */
  waits: string | undefined;
  /** Whether servers of the version before fail afterwards, because something they use is gone. */
  breaksOlder: boolean;
}

const QUOTED = /\$(\w*)\$[^]*?\$\1\$|'(?:[^']|'')*'/g;
const COMMENT = /--[^\n]*/g;

/** By its statements, read without their texts and comments. */
export function effectOf({ text }: Pick<Migration, 'text'>): MigrationEffect {
  const plain = text.replaceAll(COMMENT, '').replaceAll(QUOTED, "''");
  const statements = plain.split(';').map((statement) => statement.trim().replaceAll(/\s+/g, ' '));
  const made = new Set(
    statements.flatMap((statement) => /^CREATE TABLE (?:IF NOT EXISTS )?(\w+)/i.exec(statement)?.[1] ?? []),
  );
  const waits = statements.flatMap((statement) => waitOf(statement, made) ?? []);
  return {
    waits: waits.length > 0 ? [...new Set(waits)].join('; ') : undefined,
    breaksOlder: statements.some((statement) => BREAKS.test(statement)),
  };
}

/** Dropping NOT NULL, a default or an index takes nothing away that a statement names. */
const BREAKS =
  /^DROP (?:TABLE|VIEW|FUNCTION|TYPE|SEQUENCE)\b|^ALTER TABLE .*\b(?:DROP COLUMN|RENAME)\b|^ALTER TABLE .*\bSET NOT NULL\b/i;

function waitOf(statement: string, made: ReadonlySet<string>): string | undefined {
  const on = (pattern: RegExp): string | undefined => {
    const table = pattern.exec(statement)?.[1];
    return table !== undefined && !made.has(table) ? table : undefined;
  };
  const indexed = on(/^CREATE (?:UNIQUE )?INDEX (?:\w+ )?ON (?:ONLY )?(\w+)/i);
  if (indexed !== undefined) return `writes to ${indexed} wait while an index is built`;
  const altered = on(/^ALTER TABLE (?:IF EXISTS )?(?:ONLY )?(\w+)/i);
  if (altered !== undefined && /\bALTER COLUMN \w+ (?:SET DATA )?TYPE\b/i.test(statement))
    return `${altered} is rewritten`;
  if (altered !== undefined && /\bADD CONSTRAINT\b(?!.*\bNOT VALID\b)/i.test(statement))
    return `all of ${altered} is read`;
  if (altered !== undefined) return `${altered} is locked for a moment`;
  const changed = on(/^(?:UPDATE|DELETE FROM) (?:ONLY )?(\w+)/i);
  if (changed !== undefined) return `rows of ${changed} are changed`;
  return /^DO\b/i.test(statement) ? 'runs a script: read it' : undefined;
}
