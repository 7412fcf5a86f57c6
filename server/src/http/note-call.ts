import { ownText } from '../lib/own-text.ts';
import type { DeviceDiary } from '../members/device-diary.ts';
import type { Call } from './endpoint.ts';
import { remember } from './remember.ts';

/** What a call came to: the protocol's status, and of a refusal its code and text. */
export interface CallOutcome {
  status: number;
  /** When, in milliseconds since 1970. */
  atMs: number;
  code?: string | undefined;
  text?: string | undefined;
}

export type NoteCall = (call: Call, outcome: CallOutcome) => void;

const LONGEST_ANSWER = 300;

/** Writes down what a device asked, for its owner: which page and which item, and nothing else that was sent. */
export const noteCalls =
  (diary: Pick<DeviceDiary, 'note'>): NoteCall =>
  (call, { status, atMs, code, text }) => {
    const { partner, serial } = call.caller;
    if (!partner || serial === undefined) return;
    diary.note({
      scope: partner.serial_scope,
      serial,
      partnerId: partner.id,
      profile: call.device.profile.id,
      call: { at: atMs, what: whatOf(call), status, code, answer: text?.slice(0, LONGEST_ANSWER) },
    });
  };

/** `Tune s123`, `Browse presets`. What is no word of the protocol and no guide ID is left out. */
function whatOf({ path, params }: Call): string {
  const [c = '', id = ''] = [params.text('c'), params.text('id')];
  let what = pageOf(path);
  if (c !== '' && /^[a-z]{1,20}$/i.test(c)) what += ` ${ownText(c.toLowerCase())}`;
  if (id !== '' && /^[a-z]\d{1,16}$/.test(id)) what += ` ${ownText(id)}`;
  return what;
}

const pageOf = remember((path) => path.replace(/^\//, '').replace(/\.ashx$/i, '') || 'Index');
