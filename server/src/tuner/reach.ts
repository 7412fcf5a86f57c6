import { BadAnswer } from '../formats/icy/bad-answer.ts';
import { decodeText } from '../formats/decode-text.ts';
import { cleanText } from '../formats/song-text.ts';
import { TUNING } from './limits.ts';
import { isForElsewhere, refusalOf, retryAfterSeconds } from './refusal.ts';
import type { Answered, Route } from './route.ts';
import { TuneInFailed } from './tune-in-failed.ts';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Of a page that refuses: enough to see why. */
const SAID_BYTES = 2048;

/** Asks, and asks where redirects lead, until somebody answers with something. */
export async function reach(route: Route, address: string): Promise<Answered> {
  let asked = address;
  for (let hop = 0; hop <= TUNING.redirects; hop += 1) {
    const answered = await route.ask(asked);
    const next = redirectOf(answered);
    if (next === undefined) return await welcomed(route, answered);
    answered[Symbol.dispose]();
    route.journal.note('redirect', asked, `sent on to ${next}`, answered.head.status);
    if (isForElsewhere(next)) throw elsewhere(route);
    asked = next;
  }
  throw new TuneInFailed('dead', `more than ${TUNING.redirects} redirects`, {
    code: 'too_many_redirects',
    steps: route.journal.steps,
  });
}

function redirectOf({ address, head }: Answered): string | undefined {
  const location = REDIRECTS.has(head.status) ? head.headers.get('location') : undefined;
  if (location === undefined) return undefined;
  const next = URL.parse(location, address);
  if (!next) throw new BadAnswer('its redirect leads nowhere');
  return next.href;
}

const elsewhere = (route: Route): TuneInFailed =>
  new TuneInFailed('geo', 'the redirect is for listeners from other countries', {
    code: 'geo',
    steps: route.journal.steps,
  });

/** An answer with a body worth reading. */
async function welcomed(route: Route, answered: Answered): Promise<Answered> {
  const { address, head } = answered;
  const name = `${head.protocol === 'icy' ? 'ICY ' : ''}${head.status} ${head.reason}`.trim();
  const type = cleanText(head.headers.get('content-type') ?? '');
  const isGood = head.status >= 200 && head.status < 300;
  route.journal.note('answer', address, type === '' ? name : `${name}, ${type}`, head.status);
  if (isGood) return answered;
  using _ = answered;
  const said = await route.begins(answered, SAID_BYTES).then(decodeText, () => '');
  const { verdict, code } = refusalOf(head, said);
  throw new TuneInFailed(verdict, `it answers ${name}`, {
    code,
    steps: route.journal.steps,
    retryAfterSeconds: retryAfterSeconds(head.headers),
  });
}
