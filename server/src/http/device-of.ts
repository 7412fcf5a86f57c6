import { type ChosenProfile, chooseProfile } from '../devices/choose-profile.ts';
import { profileOfUserAgent } from '../devices/profiles.ts';
import type { Caller } from './caller.ts';
import { remember } from './remember.ts';

const byUserAgent = remember(profileOfUserAgent);
/** A longer one is a program's that tries things out. */
const LONGEST_USER_AGENT = 400;

/** What kind of device sent a call, as far as the call itself tells. */
export function deviceOf(
  { globals, partner, partnerId }: Caller,
  userAgent: string | undefined,
): ChosenProfile {
  return chooseProfile({
    device: globals.device,
    partnerDevice: partner?.device,
    partnerId,
    byUserAgent: userAgent === undefined ? null : byUserAgent(userAgent.slice(0, LONGEST_USER_AGENT)),
    formats: globals.formats,
  });
}

/** Within its partner, as everywhere. */
export const serialOf = ({ partnerId, serial }: Caller): string | undefined =>
  serial === undefined ? undefined : `${partnerId} ${serial}`;
