import { keepReport } from '../catalog/reports.ts';
import type { Answer, Call } from '../http/endpoint.ts';
import { Fault } from '../lib/fault.ts';
import { guideId } from '../lib/guide-id.ts';
import { getItem } from './find-item.ts';
import { DONE, type Desk } from './needs.ts';
import { dedupeKey, reporterOf } from './reporter.ts';

/** What a person wants to say about an item, for a person to read. */
export async function feedback(call: Call, desk: Desk): Promise<Answer> {
  const { params } = call;
  const message = (params.text('text') ?? params.text('feedback') ?? '').trim();
  if (message === '')
    throw new Fault(400, 'validation.feedback', "Required parameter 'feedback' not provided");
  const item = await getItem(
    params.required('id', (id) => id),
    desk,
  );
  const contact = params.optional('email', parseEmail, 'validation.email');
  refuseAdvertising(message);
  desk.budgets.take('ticket', call);
  const reporter = await reporterOf(call, desk);
  const number = await keepReport(desk.db, {
    kind: 'feedback',
    item,
    message,
    contact,
    partnerId: call.caller.partner?.id,
    dedupeKey: dedupeKey(call, desk, reporter, 'feedback', guideId(item.letter, item.number), message),
    state: 'open',
  });
  if (number === undefined) throw tooManyWait();
  return DONE;
}

/** Only to resolve the issue; it goes when the report is settled. */
const parseEmail = (text: string): string | undefined =>
  text.length <= 254 && /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/.test(text) ? text : undefined;

const MOST_LINKS = 3;

/** Nobody needs more addresses than these to say what is wrong with a station. */
function refuseAdvertising(message: string): void {
  const links = message.match(/https?:\/\/(?:www\.)?|\bwww\./gi)?.length ?? 0;
  if (links > MOST_LINKS)
    throw new Fault(
      500,
      'validation.feedbackRejected',
      `Feedback rejected: it holds more than ${MOST_LINKS} addresses; say it with fewer`,
    );
}

export const tooManyWait = (): Fault =>
  new Fault(
    500,
    'validation.feedbackRejected',
    'Feedback rejected: more waits to be read than anybody can; try again tomorrow',
  );
