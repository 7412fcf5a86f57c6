import { WRITE_MS, saveInTime } from '../cache/in-time.ts';
import type { Action, Answer, Call, Endpoint } from '../http/endpoint.ts';
import { systemClock } from '../lib/clock.ts';
import { Reporters } from '../members/reporters.ts';
import { Budgets } from './budgets.ts';
import { feedback } from './feedback.ts';
import type { Desk, FirstStream, ReportNeeds } from './needs.ts';
import { stream } from './stream.ts';
import { timelist } from './timelist.ts';
import { wizard } from './wizard.ts';

export type { ReportNeeds };

/**
 * What listeners and radios tell us: a stream that fails or plays, what is wrong with an item, how long something was
 * heard. Addresses are only ever compared with those that are known; none is asked.
 */
export function report(needs: ReportNeeds, firstStream: FirstStream): Endpoint {
  const desk: Desk = {
    ...needs,
    firstStream,
    reporters: new Reporters(needs.db, needs.doors?.keys),
    budgets: new Budgets(needs.clock ?? systemClock),
  };
  const withDesk =
    (action: (call: Call, desk: Desk) => Promise<Answer>): Action =>
    (call) =>
      saveInTime(() => action(call, desk), WRITE_MS);
  return {
    paths: ['/Report.ashx'],
    actions: new Map([
      ['stream', withDesk(stream)],
      ['feedback', withDesk(feedback)],
      ['wizard', withDesk(wizard)],
      ['timelist', withDesk(timelist)],
    ]),
  };
}
