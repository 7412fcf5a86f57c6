import type { Head } from '../formats/icy/head-reader.ts';
import type { Verdict } from '../lib/verdict.ts';

const GONE = new Set([404, 410]);
const TOO_MUCH = new Set([420, 429, 503, 509]);
const FULL = /\b(?:full|too many|max(?:imum)? (?:listeners|clients)|limit reached)\b/i;
const ELSEWHERE =
  /geo[ _-]?(?:block|fenc|lock|restrict|filter|ip)|(?:not|un)[ _-]?available[ _-]in[ _-]your|your (?:country|region|location|territory)/i;

/** What an answer without sound means. `said` is what the page begins with, where there is one. */
export function verdictOf({ protocol, status, reason }: Head, said: string): Verdict {
  if (status === 451 || ELSEWHERE.test(said)) return 'geo';
  if (TOO_MUCH.has(status) || FULL.test(reason)) return 'busy';
  // SHOUTcast says 401 when the station itself is away.
  if (GONE.has(status) || status >= 500 || (protocol === 'icy' && status === 401)) return 'dead';
  return status === 403 && FULL.test(said) ? 'busy' : 'refused';
}

/** Whether an address that was redirected to is where listeners from elsewhere are sent. */
export const isForElsewhere = (address: string): boolean => ELSEWHERE.test(address);

const LONGEST_WAIT = 7 * 86_400;

/** `Retry-After`, in seconds or as a date; no longer than a week. */
export function retryAfterSeconds(
  headers: ReadonlyMap<string, string>,
  nowMs = Date.now(),
): number | undefined {
  const text = headers.get('retry-after') ?? '';
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - nowMs) / 1000;
  return seconds > 0 ? Math.min(Math.ceil(seconds), LONGEST_WAIT) : undefined;
}
