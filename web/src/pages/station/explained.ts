/** How a stream did on a day; `mixed` where it was heard at times. */
export type DayHealth = 'heard' | 'mixed' | 'silent' | 'unknown';

const DAY_HEALTHS = new Map<string, DayHealth>([
  ['h', 'heard'],
  ['m', 'mixed'],
  ['s', 'silent'],
]);

/** One stream of a station, and why it stands where it does for a browser. */
export interface ExplainedStream {
  guideId: string;
  address: string;
  /** The place in which it is tried, from 1; undefined for what a browser is not given. */
  position: number | undefined;
  reason: string;
  health: 'plays' | 'trouble' | 'unknown';
  verdict: string | undefined;
  /** Of 100. */
  reliability: number;
  format: string;
  bitrate: number | undefined;
  checkedAt: number | undefined;
  heardAt: number | undefined;
  /** The last days, the oldest first and today last; none where nobody has listened yet. */
  days: readonly DayHealth[];
  failedAt: number | undefined;
  /** Why nothing was heard then, in English. */
  failure: string | undefined;
  /** What happened when it was last listened to, step by step. */
  steps: readonly string[];
}

/** The explanation that stands beside the streams in `Tune.ashx?explain=true&render=json`. */
export function readExplained(answer: unknown): ExplainedStream[] {
  const lines = isRecord(answer) && Array.isArray(answer['explain']) ? answer['explain'] : [];
  return lines
    .filter(isRecord)
    .filter(({ element }) => element === 'stream')
    .map(readStream);
}

function readStream(line: Record<string, unknown>): ExplainedStream {
  const verdict = textOf(line['verdict']);
  return {
    guideId: textOf(line['guide_id']) ?? '',
    address: textOf(line['url']) ?? '',
    position: numberOf(line['position']),
    reason: textOf(line['reason']) ?? '',
    health: verdict === undefined ? 'unknown' : verdict === 'plays' ? 'plays' : 'trouble',
    verdict,
    reliability: numberOf(line['reliability']) ?? 0,
    format: (textOf(line['codec']) ?? textOf(line['media_type']) ?? '').toUpperCase(),
    bitrate: numberOf(line['bitrate']) || undefined,
    checkedAt: instantOf(line['checked_at']),
    heardAt: instantOf(line['heard_at']),
    days: Array.from(textOf(line['days']) ?? '', (letter) => DAY_HEALTHS.get(letter) ?? 'unknown'),
    failedAt: instantOf(line['failed_at']),
    failure: textOf(line['failure']),
    steps: (textOf(line['steps']) ?? '').split(' | ').filter(Boolean),
  };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

function instantOf(value: unknown): number | undefined {
  const instant = Date.parse(textOf(value) ?? '');
  return Number.isNaN(instant) ? undefined : instant;
}
