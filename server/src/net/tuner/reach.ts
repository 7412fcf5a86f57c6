import { BadAnswer, type Head } from '../../formats/icy/head-reader.ts';
import { cleanSongText } from '../../formats/song-text.ts';
import type { FailureCode, Verdict } from '../../lib/failure-code.ts';
import { withoutTrace } from '../../lib/fault.ts';
import { type Answered, type Route, TUNING } from './route.ts';
import { TuneInFailed } from './tune-in-failed.ts';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Bytes of an error page to read: enough to see the reason. */
const SAID_BYTES = 2048;

/** Requests an address and follows redirects to a final response. */
export async function reach(route: Route, address: string): Promise<Answered> {
  let asked = address;
  for (let hop = 0; hop <= TUNING.redirects; hop += 1) {
    const answered = await route.ask(asked);
    const location = locationOf(answered);
    if (location === undefined) {
      const name = noted(route, answered);
      if (isGood(answered.head.status)) return answered;
      throw await refused(route, answered, name);
    }
    // Closed before the redirect is examined: if that throws, nothing else would close it.
    answered[Symbol.dispose]();
    const next = leadingTo(location, asked);
    route.journal.note('redirect', asked, `redirected to ${next}`, answered.head.status);
    if (isForElsewhere(next)) throw elsewhere(route);
    asked = next;
  }
  throw new TuneInFailed('dead', `more than ${TUNING.redirects} redirects`, {
    code: 'too_many_redirects',
    steps: route.journal.steps,
  });
}

const locationOf = ({ head }: Answered): string | undefined =>
  REDIRECTS.has(head.status) ? head.headers.get('location') : undefined;

function leadingTo(location: string, from: string): string {
  const next = URL.parse(location, from);
  if (!next) throw new BadAnswer('its redirect has an invalid target');
  return next.href;
}

const elsewhere = (route: Route): TuneInFailed =>
  new TuneInFailed('geo', 'the redirect is for listeners from other countries', {
    code: 'geo',
    steps: route.journal.steps,
  });

/** The server's own description of the response. */
function noted(route: Route, { address, head }: Answered): string {
  const name = `${head.protocol === 'icy' ? 'ICY ' : ''}${head.status} ${head.reason}`.trim();
  const type = cleanSongText(head.headers.get('content-type') ?? '');
  route.journal.note('answer', address, type === '' ? name : `${name}, ${type}`, head.status);
  return name;
}

/** Whether there is a body worth reading. */
const isGood = (status: number): boolean => status >= 200 && status < 300;

async function refused(route: Route, answered: Answered, name: string): Promise<TuneInFailed> {
  const { head } = answered;
  const pageText = await route.wholeText(answered, SAID_BYTES).catch(() => '');
  answered[Symbol.dispose]();
  const { verdict, code } = refusalOf(head, pageText);
  const more = { code, steps: route.journal.steps, retryAfterSeconds: retryAfterSeconds(head.headers) };
  return withoutTrace(() => new TuneInFailed(verdict, `it answers ${name}`, more));
}

const GONE = new Set([404, 410]);
const TOO_MUCH = new Set([420, 429, 503, 509]);
const FULL = /\b(?:full|too many|max(?:imum)? (?:listeners|clients)|limit reached)\b/i;
const ELSEWHERE =
  /geo[ _-]?(?:block|fenc|lock|restrict|filter|ip)|(?:not|un)[ _-]?available[ _-]in[ _-]your|your (?:country|region|location|territory)/i;

export interface Refused {
  verdict: Verdict;
  code: FailureCode;
}

/** The verdict for a response without audio. `pageText` is the beginning of the page, if any. */
export function refusalOf({ protocol, status, reason }: Head, pageText: string): Refused {
  if (status === 451 || ELSEWHERE.test(pageText)) return { verdict: 'geo', code: 'geo' };
  if (TOO_MUCH.has(status) || FULL.test(reason)) return { verdict: 'busy', code: 'busy' };
  if (GONE.has(status)) return { verdict: 'dead', code: 'http_404' };
  if (status >= 500) return { verdict: 'dead', code: 'http_error' };
  // SHOUTcast answers 401 when the station is off air.
  if (protocol === 'icy' && status === 401) return { verdict: 'dead', code: 'away' };
  if (status === 401) return { verdict: 'refused', code: 'http_401' };
  if (status !== 403) return { verdict: 'refused', code: 'http_refused' };
  return FULL.test(pageText) ? { verdict: 'busy', code: 'busy' } : { verdict: 'refused', code: 'http_403' };
}

/** Whether a redirect leads to a page for listeners in other countries. */
export const isForElsewhere = (address: string): boolean => ELSEWHERE.test(address);

const MAX_WAIT = 7 * 86_400;

/** `Retry-After`, in seconds or as a date; at most a week. */
export function retryAfterSeconds(
  headers: ReadonlyMap<string, string>,
  nowMs = Date.now(),
): number | undefined {
  const text = headers.get('retry-after') ?? '';
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - nowMs) / 1000;
  return seconds > 0 ? Math.min(Math.ceil(seconds), MAX_WAIT) : undefined;
}
