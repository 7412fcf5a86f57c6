import { Budgets } from '../../../core/accounts/budgets.ts';
import { Reporters } from '../../../core/accounts/reporters.ts';
import type { MessageKey } from '../../../core/i18n/en.ts';
import { systemClock } from '../../../lib/clock.ts';
import { Fault } from '../../../lib/fault.ts';
import { guideId, type GuideLetter, type ParsedGuideId } from '../../../lib/guide-id.ts';
import { saveInTime, WRITE_MS } from '../../../storage/cache/in-time.ts';
import { keepReport } from '../../../storage/catalog/reports.ts';
import { countReport } from '../../../storage/catalog/streams/stream-reports.ts';
import { DONE, type Action, type Answer, type Call, type Endpoint } from '../call/endpoint.ts';
import type { Params } from '../call/params.ts';
import { reportMenu, reportThanks } from '../outlines/report-outlines.ts';
import { getItem } from './find-item.ts';
import { findStream } from './find-stream.ts';
import { type ReportContext, type FirstStream, type ReportDeps } from './deps.ts';
import { dedupeKey, reporterOf } from './reporter.ts';
import { stream } from './stream.ts';

export type { ReportDeps };

/**
 * Reports from listeners and radios: streams that fail or play, errors in items, listening times. Addresses are only
 * compared with known ones; none is ever fetched.
 */
export function report(deps: ReportDeps, firstStream: FirstStream): Endpoint {
  const context: ReportContext = {
    ...deps,
    firstStream,
    reporters: new Reporters(deps.db, deps.members?.keys),
    budgets: deps.budgets instanceof Budgets ? deps.budgets : new Budgets(deps.clock ?? systemClock),
  };
  const withContext =
    (action: (call: Call, context: ReportContext) => Promise<Answer>): Action =>
    (call) =>
      saveInTime(() => action(call, context), WRITE_MS);
  return {
    paths: ['/Report.ashx'],
    actions: new Map([
      ['stream', withContext(stream)],
      ['feedback', withContext(feedback)],
      ['wizard', withContext(wizard)],
      ['timelist', withContext(timelist)],
    ]),
  };
}

/** After this long the listener must have heard something. */
const HEARD_SECONDS = 30;
/** A client sends its listening times since the last report: `time1`, `time2`, … */
const MAX_TIMES = 9;
const MAX_SECONDS = 7 * 86_400;

/** Listening times: a stream that somebody listens to plays. Who listened to what is not stored. */
async function timelist(call: Call, context: ReportContext): Promise<Answer> {
  await context.budgets.take('streamReport', call.caller.securityIp);
  const seconds = playedSeconds(call.params);
  const item = await getItem(
    call.params.required('id', (text) => text),
    context,
  );
  if (seconds < HEARD_SECONDS) return DONE;
  const streamId = await findStream(call, { item, address: undefined }, context);
  if (streamId === undefined) return DONE;
  await countReport(context.db, { streamId, reporter: await reporterOf(call, context), isGood: true });
  return DONE;
}

function playedSeconds(params: Params): number {
  const names = Array.from({ length: MAX_TIMES }, (_, index) => `time${index + 1}`);
  if (!params.has('time1'))
    throw new Fault(
      400,
      'request.invalid',
      "Required parameter 'time1' not provided: give <seconds>|0|<delay>, such as 95|0|0",
    );
  return names.reduce((sum, name) => sum + (params.optional(name, parseSeconds) ?? 0), 0);
}

/** `95|0|3`: seconds played, and two numbers that are ignored. */
function parseSeconds(text: string): number | undefined {
  const [, digits] = /^(\d{1,7})(?:\.\d+)?(?:\|-?[\d.]*){0,4}$/.exec(text) ?? [];
  const seconds = Number(digits);
  return seconds <= MAX_SECONDS ? seconds : undefined;
}

/** A person's comment on an item, to be read by the operator. */
async function feedback(call: Call, context: ReportContext): Promise<Answer> {
  const { params } = call;
  const message = (params.text('text') ?? params.text('feedback') ?? '').trim();
  if (message === '')
    throw new Fault(400, 'validation.feedback', "Required parameter 'feedback' not provided");
  const item = await getItem(
    params.required('id', (id) => id),
    context,
  );
  const contact = params.optional('email', parseEmail, 'validation.email');
  refuseAdvertising(message);
  await context.budgets.take('ticket', call.caller.securityIp);
  const reporter = await reporterOf(call, context);
  const number = await keepReport(context.db, {
    kind: 'feedback',
    item,
    message,
    contact,
    partnerId: call.caller.partner?.id,
    dedupeKey: dedupeKey(call, context, reporter, 'feedback', guideId(item.letter, item.number), message),
    state: 'open',
  });
  if (number === undefined) throw tooManyWait();
  return DONE;
}

/** Only for questions about the report; deleted when it is settled. */
const parseEmail = (text: string): string | undefined =>
  text.length <= 254 && /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/.test(text) ? text : undefined;

const MAX_LINKS = 3;

/** Rejects spam: a genuine comment needs only a few links. */
function refuseAdvertising(message: string): void {
  const links = message.match(/https?:\/\/(?:www\.)?|\bwww\./gi)?.length ?? 0;
  if (links > MAX_LINKS)
    throw new Fault(
      500,
      'validation.feedbackRejected',
      `Feedback rejected: it contains more than ${MAX_LINKS} links; use fewer`,
    );
}

const tooManyWait = (): Fault =>
  new Fault(
    500,
    'validation.feedbackRejected',
    'Feedback rejected: too much of it is still unread; try again tomorrow',
  );

/** One question at a time, each narrower; the last answer creates a ticket. The link contains all answers so far. */
async function wizard(call: Call, context: ReportContext): Promise<Answer> {
  const { params, caller } = call;
  const item = await getItem(
    params.required('id', (id) => id),
    context,
  );
  const path = params.list('answer');
  const step = followPath(item.letter, path);
  if (!step) throw new Fault(400, 'request.invalid', "Unknown 'answer': start again without it");
  const { chosen, next } = step;
  if (chosen && next.length === 0)
    return {
      ...reportThanks(await makeTicket(call, context, { item, path, chosen }), caller.words),
      noStore: true,
    };
  const lines = next.map(({ name, words }) => ({ answer: [...path, name].join(','), words }));
  return reportMenu(guideId(item.letter, item.number), chosen?.words ?? 'report.title', lines, caller.words);
}

interface Ended {
  item: ParsedGuideId;
  path: readonly string[];
  chosen: WizardChoice;
}

async function makeTicket(
  call: Call,
  context: ReportContext,
  { item, path, chosen }: Ended,
): Promise<number> {
  await context.budgets.take('ticket', call.caller.securityIp);
  const reporter = await reporterOf(call, context);
  const message = path.join(',');
  const number = await keepReport(context.db, {
    kind: 'wizard',
    item,
    message,
    partnerId: call.caller.partner?.id,
    dedupeKey: dedupeKey(call, context, reporter, 'wizard', guideId(item.letter, item.number), message),
    state: 'open',
  });
  if (number === undefined) throw tooManyWait();
  const streamId = chosen.isSilence && (await findStream(call, { item, address: undefined }, context));
  if (streamId !== undefined) await countReport(context.db, { streamId, reporter, isGood: false });
  return number;
}

/** One answer to "what is wrong", with narrower ones below it. Without those the path ends. */
interface WizardChoice {
  /** As in the link; a path is `silent,stops`. */
  name: string;
  words: MessageKey;
  /** Counts against the stream that the caller is given. */
  isSilence?: true;
  more?: readonly WizardChoice[];
}

const silent = (...more: WizardChoice[]): WizardChoice => ({ name: 'silent', words: 'report.silent', more });
const details = (...more: WizardChoice[]): WizardChoice => ({
  name: 'details',
  words: 'report.details',
  more,
});

const NOTHING: WizardChoice = { name: 'nothing', words: 'report.nothing', isSilence: true };
const STOPS: WizardChoice = { name: 'stops', words: 'report.stops', isSilence: true };
const REFUSED: WizardChoice = { name: 'refused', words: 'report.refused', isSilence: true };
const POOR: WizardChoice = {
  name: 'poor',
  words: 'report.poor',
  more: [
    { name: 'stutters', words: 'report.stutters' },
    { name: 'distorted', words: 'report.distorted' },
    { name: 'volume', words: 'report.volume' },
  ],
};
const OTHER: WizardChoice = {
  name: 'other',
  words: 'report.other',
  more: [
    { name: 'station', words: 'report.otherStation' },
    { name: 'announcement', words: 'report.announcement' },
  ],
};
const NAME: WizardChoice = { name: 'name', words: 'report.name' };
const LOGO: WizardChoice = { name: 'logo', words: 'report.logo' };
const PLACE: WizardChoice = { name: 'place', words: 'report.place' };
const GENRE: WizardChoice = { name: 'genre', words: 'report.genre' };
const SCHEDULE: WizardChoice = { name: 'schedule', words: 'report.schedule' };
const SONG: WizardChoice = { name: 'song', words: 'report.song' };
const DESCRIPTION: WizardChoice = { name: 'description', words: 'report.description' };
const MISSING: WizardChoice = { name: 'missing', words: 'report.missing' };
const UNFIT: WizardChoice = { name: 'unfit', words: 'report.unfit' };

const STATION: readonly WizardChoice[] = [
  silent(NOTHING, STOPS, REFUSED),
  POOR,
  OTHER,
  details(NAME, LOGO, PLACE, GENRE, SCHEDULE, SONG),
  UNFIT,
];
const SHOW: readonly WizardChoice[] = [
  silent(NOTHING, STOPS, REFUSED),
  MISSING,
  details(NAME, LOGO, DESCRIPTION, GENRE),
  UNFIT,
];
const TOPIC: readonly WizardChoice[] = [
  silent(NOTHING, STOPS, REFUSED),
  POOR,
  details(NAME, DESCRIPTION),
  UNFIT,
];

const TREES: Partial<Record<GuideLetter, readonly WizardChoice[]>> = {
  s: STATION,
  e: STATION,
  p: SHOW,
  t: TOPIC,
};

/** A position in the wizard: the last choice, and the next choices. */
interface WizardStep {
  chosen: WizardChoice | undefined;
  next: readonly WizardChoice[];
}

/** Undefined for an invalid path. */
function followPath(letter: GuideLetter, path: readonly string[]): WizardStep | undefined {
  let step: WizardStep = { chosen: undefined, next: TREES[letter] ?? [] };
  for (const name of path) {
    const chosen = step.next.find((choice) => choice.name === name);
    if (!chosen) return undefined;
    step = { chosen, next: chosen.more ?? [] };
  }
  return step;
}
