import type { Head } from '../formats/icy/head-reader.ts';
import type { FailureCode } from '../lib/failure-code.ts';
import type { Verdict } from '../lib/verdict.ts';

const GONE = new Set([404, 410]);
const TOO_MUCH = new Set([420, 429, 503, 509]);
const FULL = /\b(?:full|too many|max(?:imum)? (?:listeners|clients)|limit reached)\b/i;
const ELSEWHERE =
  /geo[ _-]?(?:block|fenc|lock|restrict|filter|ip)|(?:not|un)[ _-]?available[ _-]in[ _-]your|your (?:country|region|location|territory)/i;

export interface Refused {
  verdict: Verdict;
  code: FailureCode;
}

/** What an answer without sound means. `said` is what the page begins with, where there is one. */
export function refusalOf({ protocol, status, reason }: Head, said: string): Refused {
  if (status === 451 || ELSEWHERE.test(said)) return { verdict: 'geo', code: 'geo' };
  if (TOO_MUCH.has(status) || FULL.test(reason)) return { verdict: 'busy', code: 'busy' };
  if (GONE.has(status)) return { verdict: 'dead', code: 'http_404' };
  if (status >= 500) return { verdict: 'dead', code: 'http_error' };
  // SHOUTcast says 401 when the station itself is away.
  if (protocol === 'icy' && status === 401) return { verdict: 'dead', code: 'away' };
  if (status === 401) return { verdict: 'refused', code: 'http_401' };
  if (status !== 403) return { verdict: 'refused', code: 'http_refused' };
  return FULL.test(said) ? { verdict: 'busy', code: 'busy' } : { verdict: 'refused', code: 'http_403' };
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
