import { BadAnswer } from '../formats/icy/bad-answer.ts';
import { cleanText } from '../formats/song-text.ts';
import { TUNING } from './limits.ts';
import { isForElsewhere, refusalOf, retryAfterSeconds } from './refusal.ts';
import type { Answered, Route } from './route.ts';
import { withoutTrace } from '../lib/without-trace.ts';
import { TuneInFailed } from './tune-in-failed.ts';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Of a page that refuses: enough to see why. */
const SAID_BYTES = 2048;

/** Asks, and asks where redirects lead, until somebody answers with something. */
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
    // Before it is looked at: where it leads nowhere, nobody would close the connection.
    answered[Symbol.dispose]();
    const next = leadingTo(location, asked);
    route.journal.note('redirect', asked, `sent on to ${next}`, answered.head.status);
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
  if (!next) throw new BadAnswer('its redirect leads nowhere');
  return next.href;
}

const elsewhere = (route: Route): TuneInFailed =>
  new TuneInFailed('geo', 'the redirect is for listeners from other countries', {
    code: 'geo',
    steps: route.journal.steps,
  });

/** What the answer calls itself. */
function noted(route: Route, { address, head }: Answered): string {
  const name = `${head.protocol === 'icy' ? 'ICY ' : ''}${head.status} ${head.reason}`.trim();
  const type = cleanText(head.headers.get('content-type') ?? '');
  route.journal.note('answer', address, type === '' ? name : `${name}, ${type}`, head.status);
  return name;
}

/** Whether there is a body worth reading. */
const isGood = (status: number): boolean => status >= 200 && status < 300;

async function refused(route: Route, answered: Answered, name: string): Promise<TuneInFailed> {
  const { head } = answered;
  const said = await route.wholeText(answered, SAID_BYTES).catch(() => '');
  answered[Symbol.dispose]();
  const { verdict, code } = refusalOf(head, said);
  const more = { code, steps: route.journal.steps, retryAfterSeconds: retryAfterSeconds(head.headers) };
  return withoutTrace(() => new TuneInFailed(verdict, `it answers ${name}`, more));
}
