import type { DeviceDiary } from '../../../core/accounts/devices/device-diary.ts';
import { ownText, memoize } from '../../../lib/memoize.ts';
import type { Call } from './endpoint.ts';

/** The result of a call: the protocol's status and, for a refusal, its code and text. */
interface CallOutcome {
  status: number;
  /** Milliseconds since 1970. */
  atMs: number;
  code?: string | undefined;
  text?: string | undefined;
}

export type NoteCall = (call: Call, outcome: CallOutcome) => void;

const MAX_ANSWER_LENGTH = 300;

/** Records a device's call for its owner: page and item only, nothing else that was sent. */
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
      call: { at: atMs, what: whatOf(call), status, code, answer: text?.slice(0, MAX_ANSWER_LENGTH) },
    });
  };

/** `Tune s123`, `Browse presets`. Leaves out anything that is not a protocol word or a guide ID. */
function whatOf({ path, params }: Call): string {
  const [c = '', id = ''] = [params.text('c'), params.text('id')];
  let what = pageOf(path);
  if (c !== '' && /^[a-z]{1,20}$/i.test(c)) what += ` ${ownText(c.toLowerCase())}`;
  if (id !== '' && /^[a-z]\d{1,16}$/.test(id)) what += ` ${ownText(id)}`;
  return what;
}

const pageOf = memoize((path) => path.replace(/^\//, '').replace(/\.ashx$/i, '') || 'Index');
