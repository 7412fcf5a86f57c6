import { keepReport } from '../catalog/reports.ts';
import { countReport } from '../catalog/stream-reports.ts';
import type { Answer, Call } from '../http/endpoint.ts';
import type { Params } from '../http/params.ts';
import { Fault } from '../lib/fault.ts';
import { type ParsedGuideId, guideId } from '../lib/guide-id.ts';
import { findItem, getItem } from './find-item.ts';
import { type Named, findStream } from './find-stream.ts';
import { DONE, type Desk } from './needs.ts';
import { dedupeKey, reporterOf } from './reporter.ts';

/** A stream that failed, or, without an error and a message, one that plays. */
export async function stream(call: Call, desk: Desk): Promise<Answer> {
  const { params } = call;
  desk.budgets.take('stream', call);
  const failure = readFailure(params);
  const named = await readNamed(params, desk);
  const streamId = await findStream(call, named, desk);
  const reporter = await reporterOf(call, desk);
  if (failure) await keepFailure(call, desk, { named, streamId, reporter, failure });
  if (streamId !== undefined) await countReport(desk.db, { streamId, reporter, isGood: !failure });
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

/** As wide as the table's column. */
function parseErrorCode(text: string): number | undefined {
  const number = /^[+-]?\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  return Math.abs(number) < 2 ** 31 ? number : undefined;
}

async function readNamed(params: Params, desk: Desk): Promise<Named> {
  const address = params.text('url') ?? params.text('streamurl');
  const id = params.text('id');
  if (id === undefined && address === undefined)
    throw new Fault(
      400,
      'request.invalid',
      "Say which stream: give 'id' (the station's guide ID) or 'url' (the stream's address)",
    );
  if (id === undefined) return { item: undefined, address };
  return { item: await (address === undefined ? getItem(id, desk) : findIfAny(id, desk)), address };
}

/** An address says enough by itself, whatever a radio sends beside it. */
async function findIfAny(id: string, desk: Desk): Promise<ParsedGuideId | undefined> {
  try {
    return await findItem(id, desk);
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

/** A check sees to a stream of ours; what is none of ours is for a person to read. */
async function keepFailure(
  call: Call,
  desk: Desk,
  { named, streamId, reporter, failure }: Kept,
): Promise<void> {
  const { item, address } = named;
  const subject = streamId === undefined ? item : ({ letter: 'e', number: streamId } as const);
  const said = [subject ? guideId(subject.letter, subject.number) : '', address ?? ''];
  await keepReport(desk.db, {
    kind: 'stream',
    item: subject,
    address,
    ...failure,
    partnerId: call.caller.partner?.id,
    dedupeKey: dedupeKey(call, desk, reporter, 'stream', ...said),
    state: streamId === undefined ? 'open' : 'settled',
  });
}
