import { findProfile } from './profiles.ts';
import type { RadioRow } from './radios.ts';
import type { DiaryCall } from './recent-calls.ts';
import { findTrouble, type Trouble } from './why-not.ts';

/** One radio, for the operator. */
export interface Radio {
  address: string;
  partnerId: string;
  agent: string;
  profile: string;
  device: string;
  seenAt: string;
  trouble: Trouble | null;
  calls: (Omit<DiaryCall, 'at'> & { at: string })[];
}

export function describeRadio({
  address,
  partner_id: partnerId,
  agent,
  profile,
  seen_at: seenAt,
  calls,
}: RadioRow): Radio {
  // oxlint-disable-next-line no-unsafe-type-assertion -- written by us, in this form
  const made = calls as DiaryCall[];
  return {
    address,
    partnerId,
    agent,
    profile,
    device: findProfile(profile)?.name ?? profile,
    seenAt: seenAt.toString(),
    trouble: findTrouble(made, { partnerId, profile }) ?? null,
    calls: made.map(({ at, ...call }) => ({
      at: Temporal.Instant.fromEpochMilliseconds(at).toString(),
      ...call,
    })),
  };
}
