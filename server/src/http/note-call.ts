import type { DeviceDiary } from '../members/device-diary.ts';
import type { MemberKeys } from '../members/keys.ts';
import { deviceKey } from '../members/serial-hash.ts';
import type { Call } from './endpoint.ts';

/** What a call came to: the protocol's status, and of a refusal its code and text. */
export interface CallOutcome {
  status: number;
  code?: string | undefined;
  text?: string | undefined;
}

export type NoteCall = (call: Call, outcome: CallOutcome) => void;

const LONGEST_ANSWER = 300;

/** Writes down what a device asked, for its owner: which page and which item, and nothing else that was sent. */
export const noteCalls =
  (diary: Pick<DeviceDiary, 'note'>, keys: MemberKeys): NoteCall =>
  (call, { status, code, text }) => {
    const { partner, serial } = call.caller;
    if (!partner || serial === undefined) return;
    diary.note({
      device: deviceKey(keys, partner.serial_scope, serial),
      partnerId: partner.id,
      profile: call.device.profile.id,
      call: {
        at: call.now.epochMilliseconds,
        what: whatOf(call),
        status,
        code,
        answer: text?.slice(0, LONGEST_ANSWER),
      },
    });
  };

/** `Tune s123`, `Browse presets`. What is no word of the protocol and no guide ID is left out. */
function whatOf({ path, params }: Call): string {
  const page = path.replace(/^\//, '').replace(/\.ashx$/i, '') || 'Index';
  const [c = '', id = ''] = [params.text('c'), params.text('id')];
  const action = /^[a-z]{1,20}$/i.test(c) ? c.toLowerCase() : '';
  return [page, action, /^[a-z]\d{1,16}$/.test(id) ? id : ''].filter((word) => word !== '').join(' ');
}
