import { keepReport } from '../catalog/reports.ts';
import { countReport } from '../catalog/stream-reports.ts';
import type { Answer, Call } from '../http/endpoint.ts';
import { Fault } from '../lib/fault.ts';
import { type ParsedGuideId, guideId } from '../lib/guide-id.ts';
import { reportMenu, reportThanks } from '../opml/report-outlines.ts';
import { tooManyWait } from './feedback.ts';
import { getItem } from './find-item.ts';
import { findStream } from './find-stream.ts';
import type { Desk } from './needs.ts';
import { dedupeKey, reporterOf } from './reporter.ts';
import { type Choice, followPath } from './wizard-tree.ts';

/** A question at a time, each narrower; the last answer makes a ticket. All that was answered stands in the link. */
export async function wizard(call: Call, desk: Desk): Promise<Answer> {
  const { params, caller } = call;
  const item = await getItem(
    params.required('id', (id) => id),
    desk,
  );
  const path = params.list('answer');
  const step = followPath(item.letter, path);
  if (!step) throw new Fault(400, 'request.invalid', "There is no such 'answer': start again without it");
  const { chosen, next } = step;
  if (chosen && next.length === 0)
    return {
      ...reportThanks(await makeTicket(call, desk, { item, path, chosen }), caller.words),
      noStore: true,
    };
  const lines = next.map(({ name, words }) => ({ answer: [...path, name].join(','), words }));
  return reportMenu(guideId(item.letter, item.number), chosen?.words ?? 'report.title', lines, caller.words);
}

interface Ended {
  item: ParsedGuideId;
  path: readonly string[];
  chosen: Choice;
}

async function makeTicket(call: Call, desk: Desk, { item, path, chosen }: Ended): Promise<number> {
  desk.budgets.take('ticket', call);
  const reporter = await reporterOf(call, desk);
  const message = path.join(',');
  const number = await keepReport(desk.db, {
    kind: 'wizard',
    item,
    message,
    partnerId: call.caller.partner?.id,
    dedupeKey: dedupeKey(call, desk, reporter, 'wizard', guideId(item.letter, item.number), message),
    state: 'open',
  });
  if (number === undefined) throw tooManyWait();
  const streamId = chosen.isSilence && (await findStream(call, { item, address: undefined }, desk));
  if (streamId !== undefined) await countReport(desk.db, { streamId, reporter, isGood: false });
  return number;
}
