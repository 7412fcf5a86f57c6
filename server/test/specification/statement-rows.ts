import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const DOCS = join(import.meta.dirname, '../../../docs');
const SECTION = '## The specification, statement by statement';

/** A row of docs/protocol.md: the numbers it covers, what it says, and what holds it. */
export interface Row {
  numbers: string[];
  says: string;
  heldBy: string;
}

/** The rows of the section that goes through the specification. */
export function readRows(): Row[] {
  const text = readFileSync(join(DOCS, 'protocol.md'), 'utf8');
  const start = text.indexOf(SECTION);
  return text
    .slice(start, text.indexOf('\n## ', start + 1))
    .split('\n')
    .filter((line) => /^\| [\d—]/.test(line))
    .map((line) => {
      const [numbers = '', says = '', heldBy = ''] = line.slice(2, -2).split(' | ');
      return { numbers: numbersOf(numbers), says, heldBy };
    });
}

/** `4.7.3, 4.7.5 to 7` as four numbers; `—` stands beside what the specification does not say. */
export function numbersOf(cell: string): string[] {
  return [...cell.matchAll(/(\d+(?:\.\d+)*)\.(\d+)(?: to (\d+))?/g)].flatMap(
    ([, section = '', first = '', last = first]) =>
      Array.from({ length: Number(last) - Number(first) + 1 }, (_, n) => `${section}.${Number(first) + n}`),
  );
}

/** The numbers of the statements that the list of deviations departs from. */
export function readDeviations(): string[] {
  const text = readFileSync(join(DOCS, 'adr/0018-deviations.md'), 'utf8');
  return text
    .split('\n')
    .filter((line) => /^\| \d/.test(line))
    .flatMap((line) => numbersOf(line.split(' | ')[0] ?? ''));
}
