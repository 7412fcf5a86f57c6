import type { DeviceDiary } from '../../../core/accounts/devices/device-diary.ts';
import type { Radios } from '../../../core/devices/radios.ts';
import type { DiaryCall } from '../../../core/devices/recent-calls.ts';
import { ownText, memoize } from '../../../lib/memoize.ts';
import type { Caller } from './caller.ts';
import type { Call } from './endpoint.ts';

/** The result of a call: the protocol's status and, for a refusal, its code and text. */
export interface CallOutcome {
  status: number;
  /** Milliseconds since 1970. */
  atMs: number;
  code?: string | undefined;
  text?: string | undefined;
}

/** As much of a call as is noted. */
export interface NotedCall extends Pick<Call, 'params' | 'path' | 'headers' | 'device'> {
  caller: Pick<Caller, 'partner' | 'partnerId' | 'serial' | 'securityIp'>;
  /** What `whatOf` says, where it was said before. */
  readonly what?: string | undefined;
}

export type NoteCall = (call: NotedCall, outcome: CallOutcome) => void;

const MAX_ANSWER_LENGTH = 300;

interface Ledgers {
  /** Of everything that calls, for the operator. */
  radios?: Pick<Radios, 'note'> | undefined;
  /** Of the devices of accounts, for their owners. */
  diary?: Pick<DeviceDiary, 'note'> | undefined;
}

/**
 * Records a call: page and item only, nothing else that was sent. Owners also see what their own radio searched for;
 * the operator does not.
 */
export const noteCalls =
  ({ radios, diary }: Ledgers): NoteCall =>
  (call, outcome) => {
    const { partner, partnerId, serial, securityIp: address } = call.caller;
    const userAgent = call.headers['user-agent'];
    const profile = (): string => call.device.profile.id;
    radios?.note({ address, partnerId, userAgent, profile }, () => diaryCall(call, outcome));
    if (!partner || serial === undefined) return;
    diary?.note({
      scope: partner.serial_scope,
      serial,
      partnerId: partner.id,
      profile: profile(),
      call: diaryCall(call, outcome, queryOf(call)),
    });
  };

const diaryCall = (
  call: NotedCall,
  { atMs, status, code, text }: CallOutcome,
  query?: string,
): DiaryCall => ({
  at: atMs,
  what: call.what ?? whatOf(call),
  status,
  query,
  code,
  answer: text?.slice(0, MAX_ANSWER_LENGTH),
});

const MAX_QUERY_LENGTH = 60;

const queryOf = ({ path, params }: NotedCall): string | undefined =>
  pageOf(path) === 'Search' ? params.text('query')?.slice(0, MAX_QUERY_LENGTH) : undefined;

/** `Tune s123`, `Browse presets`. Leaves out anything that is not a protocol word or a guide ID. */
export function whatOf({ path, params }: Pick<NotedCall, 'path' | 'params'>): string {
  const [c = '', id = ''] = [params.text('c'), params.text('id')];
  let what = pageOf(path);
  if (c !== '' && /^[a-z]{1,20}$/i.test(c)) what += ` ${ownText(c.toLowerCase())}`;
  if (id !== '' && /^[a-z]\d{1,16}$/.test(id)) what += ` ${ownText(id)}`;
  return what;
}

const pageOf = memoize((path) => path.replace(/^\//, '').replace(/\.ashx$/i, '') || 'Index');
