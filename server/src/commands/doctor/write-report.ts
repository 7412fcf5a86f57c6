import type { WriteStream } from 'node:tty';
import { styleText } from 'node:util';
import type { State } from './finding.ts';
import type { Report } from './report.ts';

export interface Screen {
  hasColours: boolean;
  columns: number;
}

const WIDEST = 110;

/** Colours only where somebody sees them and has not said no (NO_COLOR, which Node itself reads). */
export const screenOf = (out: Pick<WriteStream, 'isTTY' | 'columns' | 'hasColors'>): Screen => ({
  hasColours: out.isTTY && out.hasColors(),
  columns: out.isTTY && out.columns > 0 ? Math.min(out.columns, WIDEST) : WIDEST,
});

type Style = Parameters<typeof styleText>[0];

const MARKS: Readonly<Record<State, [mark: string, style: Style]>> = {
  well: ['✓', 'green'],
  note: ['·', 'dim'],
  warning: ['!', 'yellow'],
  broken: ['✗', 'red'],
  unknown: ['?', 'dim'],
};
const ENDS: Readonly<Record<Report['state'], Style>> = { well: 'green', warning: 'yellow', broken: 'red' };
const NARROWEST = 40;

/** For a person: a line a check under its group, and under it what mends it. */
export function writeReport({ state, summary, checks }: Report, { hasColours, columns }: Screen): string {
  const paint = (style: Style, text: string): string =>
    hasColours ? styleText(style, text, { validateStream: false }) : text;
  const nameWidth = Math.max(...checks.map(({ name }) => name.length));
  // Two blanks, the mark, a blank, the name, two blanks.
  const indent = nameWidth + 6;
  const width = Math.max(columns - indent, NARROWEST);
  const lineOf = ({ name, state: found, text, mend }: Report['checks'][number]): string[] => {
    const [mark, style] = MARKS[found];
    const [first = '', ...more] = wrap(text, width);
    const mending = wrap(mend === undefined ? '' : `→ ${mend}`, width).filter((line) => line !== '');
    return [
      `  ${paint(style, mark)} ${name.padEnd(nameWidth)}  ${found === 'note' ? paint('dim', first) : first}`,
      ...more.map((line) => ' '.repeat(indent) + (found === 'note' ? paint('dim', line) : line)),
      ...mending.map((line) => ' '.repeat(indent) + paint(found === 'note' ? 'dim' : 'cyan', line)),
    ];
  };
  const groups = Map.groupBy(checks, ({ group }) => group);
  const paragraphs = [...groups].map(([title, lines]) =>
    [paint('bold', title), ...lines.flatMap(lineOf)].join('\n'),
  );
  return [...paragraphs, paint(ENDS[state], summary)].join('\n\n');
}

/** At blanks, so that a command can be copied from the screen. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
