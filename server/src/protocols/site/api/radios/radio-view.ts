import type { AccountDeviceRow } from '../../../../core/accounts/devices/devices.ts';
import { findPartner } from '../../../../core/accounts/partners/partners.ts';
import { UNDO_DAYS } from '../../../../core/accounts/undo.ts';
import { findProfile, SAFE_PROFILE } from '../../../../core/devices/profiles.ts';
import type { DiaryCall } from '../../../../core/devices/recent-calls.ts';
import type { Words } from '../../../../core/i18n/words.ts';
import type { MemberCall } from '../deps.ts';
import { whyRefused } from './radio-refusal.ts';

/** Longer than most holidays. */
const QUIET_DAYS = 14;
/** This many refusals in a row are a problem. */
const BAD_IN_A_ROW = 3;

/** A device as its owner sees it, with a sentence on whether it works. */
export async function radioView(call: MemberCall, id: string, row: AccountDeviceRow): Promise<object> {
  const { members, caller } = call;
  const partner = row.partner_id === null ? undefined : await findPartner(members.pool, row.partner_id);
  const profile = row.profile === null ? undefined : findProfile(row.profile);
  const isKnown = profile !== SAFE_PROFILE;
  return {
    id,
    name: row.name ?? partner?.name ?? row.scope,
    lastSeen: row.seen_at?.toString() ?? null,
    partner: partner?.name ?? row.scope,
    profile: (isKnown ? profile?.name : caller.words.text('site-api.radioUnknown')) ?? null,
    isKnown,
    droppedAt: row.dropped_at?.toString() ?? null,
    ...stateOf(row, caller.words, call.now),
  };
}

function stateOf(
  row: AccountDeviceRow,
  words: Words,
  now: Temporal.Instant,
): { isWell: boolean; sentence: string } {
  if (row.dropped_at !== null)
    return { isWell: true, sentence: words.text('site-api.radioDropped', { days: UNDO_DAYS }) };
  if (row.seen_at === null) return { isWell: true, sentence: words.text('site-api.radioNew') };
  const days = Math.floor(now.since(row.seen_at).total('hours') / 24);
  if (days >= QUIET_DAYS) return { isWell: false, sentence: words.text('site-api.radioQuiet', { days }) };
  const lately = diaryOf(row).slice(0, BAD_IN_A_ROW);
  const isBad = lately.length === BAD_IN_A_ROW && lately.every(({ status }) => status >= 400);
  const [last] = callsOf(row);
  const reason = (last && whyRefused(last, undefined, words)) ?? '';
  return isBad
    ? { isWell: false, sentence: words.text('site-api.radioRefused', { reason }) }
    : { isWell: true, sentence: words.text('site-api.radioWell') };
}

export interface ShownRequest {
  at: string;
  what: string;
  /** For a refusal its text, as it was sent to the radio. */
  answer: string;
  status: number;
  code?: string | undefined;
  /** What it searched for. */
  query?: string | undefined;
}

/** As the diary has them, newest first. */
// oxlint-disable-next-line no-unsafe-type-assertion -- only the diary writes this column
export const callsOf = ({ calls }: AccountDeviceRow): DiaryCall[] => calls as DiaryCall[];

/** The last calls, newest first. */
export function diaryOf(row: AccountDeviceRow): ShownRequest[] {
  return callsOf(row).map(({ at, what, status, code, answer, query }) => ({
    at: Temporal.Instant.fromEpochMilliseconds(at).toString(),
    what,
    answer: answer ?? 'OK',
    status,
    code,
    query,
  }));
}
