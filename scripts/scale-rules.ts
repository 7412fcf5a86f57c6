#!/usr/bin/env node
/**
 * `RULE_SCALE=100 node scripts/scale-rules.ts FILE > SCALED`: the rules of deploy/prometheus with every duration (`for`,
 * `interval`, windows and offsets) divided by RULE_SCALE, so that an alert can be rehearsed in a minute. Names of recorded
 * series keep the windows they are named after. Thresholds stay: they are what is rehearsed.
 */
import { readFileSync } from 'node:fs';

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };
/** Where a rule has a duration: a window, an offset, or a field of its own. */
const DURATION = /(?<=\[|\boffset |^\s*(?:for|interval): )(\d+)([smhd])(?=\]|\b)/gm;
/** A rate needs two samples in its window, and samples come once a second at most. */
const MIN_WINDOW_SECONDS = 5;

export function scaleRules(rules: string, scale: number): string {
  if (!(scale >= 1)) throw new Error('RULE_SCALE must be a number of at least 1');
  return rules.replace(DURATION, (whole, count: string, unit: string, at: number) => {
    const seconds = Math.round((Number(count) * (SECONDS[unit] ?? 1)) / scale);
    const isWindow = rules[at - 1] === '[';
    return scale === 1 ? whole : `${Math.max(seconds, isWindow ? MIN_WINDOW_SECONDS : 1)}s`;
  });
}

if (import.meta.main) {
  const [file] = process.argv.slice(2);
  if (file === undefined) throw new Error('name a file of rules: scale-rules.ts FILE');
  process.stdout.write(scaleRules(readFileSync(file, 'utf8'), Number(process.env['RULE_SCALE'] ?? 1)));
}
