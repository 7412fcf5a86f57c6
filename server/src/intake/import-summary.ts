/** What an import did, in records and in what they became. */
export interface ImportSummary {
  read: number;
  /** Records that founded a station. */
  added: number;
  /** New records of stations that were there. */
  merged: number;
  changed: number;
  unchanged: number;
  stationsAdded: number;
  streamsAdded: number;
  /** Reason to count. */
  refused: Map<string, number>;
  /** Reason to the first places in the source, where it has lines. */
  refusedAt: Map<string, string[]>;
}

/** More are in the report. */
const MOST_PLACES = 10;

export function countRefused(summary: ImportSummary, reason: string, at: string | undefined): void {
  summary.refused.set(reason, (summary.refused.get(reason) ?? 0) + 1);
  if (at === undefined) return;
  const places = summary.refusedAt.getOrInsertComputed(reason, () => []);
  if (places.length < MOST_PLACES) places.push(at);
}

/** One line of the report file. */
export type Notice =
  | { what: 'refused'; record: string; why: string }
  | { what: 'merged'; record: string; into: string };

export const emptySummary = (): ImportSummary => ({
  read: 0,
  added: 0,
  merged: 0,
  changed: 0,
  unchanged: 0,
  stationsAdded: 0,
  streamsAdded: 0,
  refused: new Map(),
  refusedAt: new Map(),
});

export const refusedOf = ({ refused }: ImportSummary): number =>
  refused.values().reduce((sum, count) => sum + count, 0);

const number = (value: number): string => value.toLocaleString('en-US');

export function writeSummary(summary: ImportSummary): string {
  const lines = [
    `${number(summary.read)} records read`,
    `  ${number(summary.added + summary.merged)} added: ${number(summary.stationsAdded)} new stations, ` +
      `${number(summary.streamsAdded)} new streams`,
    `  ${number(summary.merged)} of them merged into stations that were there`,
    `  ${number(summary.changed)} changed`,
    `  ${number(summary.unchanged)} unchanged`,
    `  ${number(refusedOf(summary))} refused`,
  ];
  const reasons = [...summary.refused].toSorted((a, b) => b[1] - a[1]);
  const told = reasons.map(([reason, count]) => `    ${number(count)} ${reason}${placesOf(summary, reason)}`);
  return [...lines, ...told].join('\n');
}

function placesOf({ refused, refusedAt }: ImportSummary, reason: string): string {
  const places = refusedAt.get(reason);
  if (!places) return '';
  const more = (refused.get(reason) ?? 0) > places.length ? ', …' : '';
  return ` (${places.join(', ')}${more})`;
}
