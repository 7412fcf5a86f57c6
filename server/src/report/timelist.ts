import { countReport } from '../catalog/stream-reports.ts';
import type { Answer, Call } from '../http/endpoint.ts';
import type { Params } from '../http/params.ts';
import { Fault } from '../lib/fault.ts';
import { getItem } from './find-item.ts';
import { findStream } from './find-stream.ts';
import { DONE, type Desk } from './needs.ts';
import { reporterOf } from './reporter.ts';

/** Who stayed so long has heard something. */
const HEARD_SECONDS = 30;
/** A client sends what it played since it last told: `time1`, `time2`, … */
const MOST_TIMES = 9;
const LONGEST_SECONDS = 7 * 86_400;

/** How long something was played: a stream that somebody listens to plays. Who listened to what is not kept. */
export async function timelist(call: Call, desk: Desk): Promise<Answer> {
  desk.budgets.take('stream', call);
  const seconds = playedSeconds(call.params);
  const item = await getItem(
    call.params.required('id', (text) => text),
    desk,
  );
  if (seconds < HEARD_SECONDS) return DONE;
  const streamId = await findStream(call, { item, address: undefined }, desk);
  if (streamId === undefined) return DONE;
  await countReport(desk.db, { streamId, reporter: await reporterOf(call, desk), isGood: true });
  return DONE;
}

function playedSeconds(params: Params): number {
  const names = Array.from({ length: MOST_TIMES }, (_, index) => `time${index + 1}`);
  if (!params.has('time1'))
    throw new Fault(
      400,
      'request.invalid',
      "Required parameter 'time1' not provided: give <seconds>|0|<delay>, such as 95|0|0",
    );
  return names.reduce((sum, name) => sum + (params.optional(name, parseSeconds) ?? 0), 0);
}

/** `95|0|3`: seconds played, and two numbers that say nothing here. */
function parseSeconds(text: string): number | undefined {
  const [, digits] = /^(\d{1,7})(?:\.\d+)?(?:\|-?[\d.]*){0,4}$/.exec(text) ?? [];
  const seconds = Number(digits);
  return seconds <= LONGEST_SECONDS ? seconds : undefined;
}
