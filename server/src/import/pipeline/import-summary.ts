import type { Drop } from './absent-records.ts';

/** The outcome of an import, in records and in stations. */
export interface ImportSummary {
  read: number;
  /** Records that created a station. */
  added: number;
  /** New records of existing stations. */
  merged: number;
  changed: number;
  unchanged: number;
  stationsAdded: number;
  streamsAdded: number;
  /** New stations, and new streams of others, that came in hidden because they are taken down. */
  takenDown: number;
  /** Stations with a field that an operator set and this source says otherwise; the operator's stays. */
  disagreeing: number;
  /** Records that the source lacked for a while and has again. */
  returned: number;
  /** Records that the source has lacked since this run. */
  absent: number;
  /** Records that it has lacked for so long that they were withdrawn, and the streams that nobody names now. */
  withdrawn: number;
  streamsUnlisted: number;
  /** The source lacks so many records that none of them counts as gone until an operator accepts it. */
  held: Drop | undefined;
  /** Count by reason. */
  refused: Map<string, number>;
  /** By reason, the first positions in the source, where it has lines. */
  refusedAt: Map<string, string[]>;
}

/** The report has all of them. */
const MAX_PLACES = 10;

export function countRefused(summary: ImportSummary, reason: string, at: string | undefined): void {
  summary.refused.set(reason, (summary.refused.get(reason) ?? 0) + 1);
  if (at === undefined) return;
  const places = summary.refusedAt.getOrInsertComputed(reason, () => []);
  if (places.length < MAX_PLACES) places.push(at);
}

/** One line of the report file. */
export type Notice =
  | { what: 'refused'; record: string; why: string }
  | { what: 'merged'; record: string; into: string }
  | { what: 'kept'; station: string; field: string; operator: string; source: string };

export const emptySummary = (): ImportSummary => ({
  read: 0,
  added: 0,
  merged: 0,
  changed: 0,
  unchanged: 0,
  stationsAdded: 0,
  streamsAdded: 0,
  takenDown: 0,
  disagreeing: 0,
  returned: 0,
  absent: 0,
  withdrawn: 0,
  streamsUnlisted: 0,
  held: undefined,
  refused: new Map(),
  refusedAt: new Map(),
});

const refusedOf = ({ refused }: ImportSummary): number =>
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
  const given = reasons.map(
    ([reason, count]) => `    ${number(count)} ${reason}${placesOf(summary, reason)}`,
  );
  return [...lines, ...given, ...operatorsOf(summary), ...absenceLines(summary)].join('\n');
}

/** What the import met of an operator's hand. */
function operatorsOf({ disagreeing, takenDown }: ImportSummary): string[] {
  const have = disagreeing === 1 ? 'station has' : 'stations have';
  const kept = `${number(disagreeing)} ${have} fields that an operator set and this source says otherwise; the operator's stay`;
  const hidden = `${number(takenDown)} new stations or streams came in hidden: they are taken down (longwave takedown list)`;
  return [...(disagreeing > 0 ? [kept] : []), ...(takenDown > 0 ? [hidden] : [])];
}

const writeHeld = ({ known, lost }: Drop): string =>
  `${number(lost)} of ${number(known)} earlier records are not in it, so none of them counts as gone`;

/** Nothing where nothing came or went. */
function absenceLines({ returned, absent, withdrawn, streamsUnlisted, held }: ImportSummary): string[] {
  return [
    ...(held ? [`  ${writeHeld(held)}: run it again with --accept-drop if that is right`] : []),
    ...(returned > 0 ? [`  ${number(returned)} there again after an absence`] : []),
    ...(absent > 0 ? [`  ${number(absent)} earlier records not in it any more`] : []),
    ...(withdrawn > 0
      ? [`  ${number(withdrawn)} withdrawn after a long absence: ${number(streamsUnlisted)} streams unlisted`]
      : []),
  ];
}

function placesOf({ refused, refusedAt }: ImportSummary, reason: string): string {
  const places = refusedAt.get(reason);
  if (!places) return '';
  const more = (refused.get(reason) ?? 0) > places.length ? ', …' : '';
  return ` (${places.join(', ')}${more})`;
}
