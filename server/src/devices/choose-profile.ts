import type { DeviceProfile } from './profile.ts';
import { SAFE_PROFILE, findProfile, profileOfFormats, profileOfPartnerId } from './profiles.ts';

/** What a call gives away about the device behind it. */
export interface Hints {
  /** The `device` parameter. */
  readonly device?: string | undefined;
  /** What the operator has set for the partner. */
  readonly partnerDevice?: string | null | undefined;
  readonly partnerId?: string | undefined;
  /** What the User-Agent leads to; null when it says nothing. */
  readonly byUserAgent?: DeviceProfile | null | undefined;
  /** As the call spells them. */
  readonly formats?: string | undefined;
}

/** Which hint told, the strongest first. */
export type ToldBy = 'device' | 'partner' | 'partnerId' | 'userAgent' | 'serial' | 'formats' | 'nothing';

export interface ChosenProfile {
  readonly profile: DeviceProfile;
  readonly toldBy: ToldBy;
}

/** Who says it is something is that; then what the operator says; what calls itself by name; what it asks for. */
export function chooseProfile({
  device,
  partnerDevice,
  partnerId,
  byUserAgent,
  formats,
}: Hints): ChosenProfile {
  const asked = device === undefined ? undefined : findProfile(device);
  if (asked) return { profile: asked, toldBy: 'device' };
  const set = partnerDevice ? findProfile(partnerDevice) : undefined;
  if (set) return { profile: set, toldBy: 'partner' };
  const known = partnerId === undefined ? undefined : profileOfPartnerId(partnerId);
  if (known) return { profile: known, toldBy: 'partnerId' };
  if (byUserAgent) return { profile: byUserAgent, toldBy: 'userAgent' };
  const named = formats === undefined ? undefined : profileOfFormats(formats);
  return named ? { profile: named, toldBy: 'formats' } : UNKNOWN;
}

export const UNKNOWN: ChosenProfile = { profile: SAFE_PROFILE, toldBy: 'nothing' };
