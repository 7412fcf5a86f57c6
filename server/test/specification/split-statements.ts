import { createHash } from 'node:crypto';

/** One thing that the specification says, by section and order: `4.7.12`. */
export interface Statement {
  number: string;
  text: string;
}

/** What is kept of a statement, to see that it was changed. */
export const digestOf = ({ text }: Statement): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 12);

const HEADING = /^#+ (?:(\d+(?:\.\d+)?)\.? )?/;
const DASHES = /^\|[-|: ]+\|$/;

/**
 * The specification as numbered statements, by this rule:
 *
 * - A heading is none, nor are the names of a table's columns.
 * - A line of prose or of a list is one for each sentence, and for each part of it between semicolons.
 * - A row of a table is one for each cell behind the first, taken apart in the same way; the first says what it is about.
 * - A single word is none: in a row it goes with the cell behind it, at the end of a row with the cell before it.
 * - What stands before section 1 is section 0; what stands in a section before its first part is part 0, as `4.0.1`.
 */
export function splitStatements(markdown: string): Statement[] {
  const lines = markdown.split('\n').map((line) => line.trim());
  const withParts = new Set([...markdown.matchAll(/^### (\d+)\./gm)].map(([, section]) => section));
  const statements: Statement[] = [];
  let section = '0';
  let order = 0;
  for (const [at, line] of lines.entries()) {
    const heading = HEADING.exec(line);
    if (heading) {
      const [, name = '0'] = heading;
      section = withParts.has(name) ? `${name}.0` : name;
      order = 0;
    } else if (!DASHES.test(line) && !DASHES.test(lines[at + 1] ?? '')) {
      for (const text of partsOfLine(line)) {
        order += 1;
        statements.push({ number: `${section}.${order}`, text });
      }
    }
  }
  return statements;
}

function partsOfLine(line: string): string[] {
  if (line.startsWith('|')) return partsOfRow(line);
  return partsOf(line.replace(/^(?:[-*]|\d+\.) /, '')).filter((part) => !isWord(part));
}

function partsOfRow(row: string): string[] {
  const [subject = '', ...cells] = row
    .slice(1, -1)
    .split(' | ')
    .map((cell) => cell.trim());
  const joined = cells.reduce<string[]>((kept, cell, at) => {
    const before = kept.at(-1);
    const isLast = at === cells.length - 1;
    const goesOn = before !== undefined && (isWord(before) || (isLast && isWord(cell)));
    return goesOn ? [...kept.slice(0, -1), `${before} | ${cell}`] : [...kept, cell];
  }, []);
  return joined.flatMap((cell) => partsOf(cell).map((part) => `${subject} | ${part}`));
}

const isWord = (text: string): boolean => !text.includes(' ');

/** The sentences of a text, and their parts between semicolons; what is in brackets stays whole. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at];
    if (letter === '(') depth += 1;
    if (letter === ')') depth -= 1;
    const isEnd = letter === ';' || (letter === '.' && /^\. [A-Z`]/.test(text.slice(at)));
    if (depth > 0 || !isEnd || text[at + 1] !== ' ') continue;
    parts.push(text.slice(start, at + 1));
    start = at + 2;
  }
  return [...parts, text.slice(start)].filter((part) => part !== '');
}
