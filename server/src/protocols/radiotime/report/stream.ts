import { Fault } from '../../../lib/fault.ts';
import { guideId, type ParsedGuideId } from '../../../lib/guide-id.ts';
import { keepReport } from '../../../storage/catalog/reports.ts';
import { countReport } from '../../../storage/catalog/streams/stream-reports.ts';
import { DONE, type Answer, type Call } from '../call/endpoint.ts';
import type { Params } from '../call/params.ts';
import { findItem, getItem } from './find-item.ts';
import { findStream, type Named } from './find-stream.ts';
import { type ReportContext } from './deps.ts';
import { dedupeKey, reporterOf } from './reporter.ts';

/** A stream that failed or, without an error and a message, one that plays. */
export async function stream(call: Call, context: ReportContext): Promise<Answer> {
  const { params } = call;
  await context.budgets.take('streamReport', call.caller.securityIp);
  const failure = readFailure(params);
  const named = await readNamed(params, context);
  const streamId = await findStream(call, named, context);
  const reporter = await reporterOf(call, context);
  if (failure) await keepFailure(call, context, { named, streamId, reporter, failure });
  if (streamId !== undefined) await countReport(context.db, { streamId, reporter, isGood: !failure });
  return DONE;
}

interface Failure {
  errorCode: number | undefined;
  message: string | undefined;
}

function readFailure(params: Params): Failure | undefined {
  const errorCode = params.optional('error', parseErrorCode);
  const message = params.text('message');
  return errorCode === undefined && message === undefined ? undefined : { errorCode, message };
}

/** Limited to the width of the column. */
function parseErrorCode(text: string): number | undefined {
  const number = /^[+-]?\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  return Math.abs(number) < 2 ** 31 ? number : undefined;
}

async function readNamed(params: Params, context: ReportContext): Promise<Named> {
  const address = params.text('url') ?? params.text('streamurl');
  const id = params.text('id');
  if (id === undefined && address === undefined)
    throw new Fault(
      400,
      'request.invalid',
      "Name the stream: give 'id' (the station's guide ID) or 'url' (the stream's address)",
    );
  if (id === undefined) return { item: undefined, address };
  return { item: await (address === undefined ? getItem(id, context) : findIfAny(id, context)), address };
}

/** An address is sufficient, so an invalid id beside it is ignored. */
async function findIfAny(id: string, context: ReportContext): Promise<ParsedGuideId | undefined> {
  try {
    return await findItem(id, context);
  } catch (error) {
    if (error instanceof Fault && error.code === 'request.idInvalid') return undefined;
    throw error;
  }
}

interface Kept {
  named: Named;
  streamId: number | undefined;
  reporter: Buffer;
  failure: Failure;
}

/** Failures of our own streams are checked by a probe; those of unknown addresses become a ticket. */
async function keepFailure(
  call: Call,
  context: ReportContext,
  { named, streamId, reporter, failure }: Kept,
): Promise<void> {
  const { item, address } = named;
  const subject = streamId === undefined ? item : ({ letter: 'e', number: streamId } as const);
  const said = [subject ? guideId(subject.letter, subject.number) : '', address ?? ''];
  await keepReport(context.db, {
    kind: 'stream',
    item: subject,
    address,
    ...failure,
    partnerId: call.caller.partner?.id,
    dedupeKey: dedupeKey(call, context, reporter, 'stream', ...said),
    state: streamId === undefined ? 'open' : 'settled',
  });
}
