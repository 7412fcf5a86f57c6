/** Aligns cells in columns, each as wide as its widest cell. */
export function inColumns(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return rows.map(line).join('\n');
}

/** Removes control characters from remote servers' text, which could manipulate the terminal. */
export const plain = (line: string): string =>
  // oxlint-disable-next-line no-control-regex -- they are what is taken out
  line.replaceAll(/[\0-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g, '');
