/** What an import of a list did, in shows. */
export interface ShowsSummary {
  read: number;
  added: number;
  changed: number;
  unchanged: number;
  /** Reason to count. */
  refused: Map<string, number>;
}

export const emptySummary = (): ShowsSummary => ({
  read: 0,
  added: 0,
  changed: 0,
  unchanged: 0,
  refused: new Map(),
});

const number = (value: number): string => value.toLocaleString('en-US');

export function writeShowsSummary({ read, added, changed, unchanged, refused }: ShowsSummary): string {
  const total = refused.values().reduce((sum, count) => sum + count, 0);
  const reasons = [...refused].toSorted((a, b) => b[1] - a[1]);
  return [
    `${number(read)} shows read`,
    `  ${number(added)} added`,
    `  ${number(changed)} changed`,
    `  ${number(unchanged)} unchanged`,
    `  ${number(total)} refused`,
    ...reasons.map(([reason, count]) => `    ${number(count)} ${reason}`),
  ].join('\n');
}
