const NUMBER = new Intl.NumberFormat('en-US');

export const formatCount = (count: number): string => NUMBER.format(count);

const UNITS: readonly [seconds: number, one: string, many: string][] = [
  [86_400, 'day', 'days'],
  [3600, 'hour', 'hours'],
  [60, 'minute', 'minutes'],
  [1, 'second', 'seconds'],
];

/** In the largest unit with a count of at least two: `90 minutes`, `3 days`. */
export function formatSeconds(seconds: number): string {
  const [size, one, many] = UNITS.find(([unit]) => seconds >= 2 * unit) ?? [1, 'second', 'seconds'];
  const count = Math.round(seconds / size);
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

export const secondsBetween = (from: Temporal.Instant, to: Temporal.Instant): number =>
  (to.epochMilliseconds - from.epochMilliseconds) / 1000;

const SIZES: readonly [bytes: number, unit: string][] = [
  [1e12, 'TB'],
  [1e9, 'GB'],
  [1e6, 'MB'],
];

export function formatBytes(bytes: number): string {
  const [size, unit] = SIZES.find(([least]) => bytes >= least) ?? [1000, 'kB'];
  const count = bytes / size;
  return `${count < 10 ? Math.round(count * 10) / 10 : formatCount(Math.round(count))} ${unit}`;
}

const BAR_WIDTH = 20;

export function drawBar(share: number): string {
  // Never full while something is missing, never empty while something is there.
  const isPart = share > 0 && share < 1;
  const exact = Math.round(share * BAR_WIDTH);
  const filled = isPart ? Math.min(Math.max(exact, 1), BAR_WIDTH - 1) : exact;
  return '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled);
}
