import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SETTINGS } from '../server/src/config.ts';

/** The page of docs/ that is written from the code, so that neither can say what the other does not. */
export function configurationPage(): string {
  const rows = Object.values(SETTINGS).map(({ name, unset, expects, description }) => {
    const value = Array.isArray(unset) || unset === undefined ? '' : code(String(unset));
    return [code(name), value, expects, description];
  });
  return [
    '# Configuration',
    '',
    'Settings are environment variables. All have a default or may be left out, and an empty one is left out.',
    'At start every wrong one is named, with what it must be; `longwave config` prints what is in force.',
    '',
    'This page is written by `npm run docs` from `server/src/config.ts`.',
    '',
    ...table(['Setting', 'Default', 'Must be', 'Meaning'], rows),
    '',
  ].join('\n');
}

const code = (text: string): string => `\`${text}\``;

/** A table as the formatter leaves it: every cell as wide as the widest of its column. */
function table(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = header.map((_title, column) =>
    Math.max(...[header, ...rows].map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)];
}

if (import.meta.main) {
  writeFileSync(join(import.meta.dirname, '../docs/configuration.md'), configurationPage());
}
