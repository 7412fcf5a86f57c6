import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type DeviceProfile, parseProfile } from './profile.ts';

const FOLDER = join(import.meta.dirname, 'profiles');
const UNKNOWN_ID = 'unknown';

/** Read once at startup; an invalid file stops the service with an error that says what to change. */
export const PROFILES: readonly DeviceProfile[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.json'))
  .toSorted()
  .map((file) => parseProfile(basename(file, '.json'), readFileSync(join(FOLDER, file), 'utf8')));

const byId = new Map(PROFILES.map((profile) => [profile.id, profile]));
const byPartnerId = new Map(
  PROFILES.flatMap((profile) => profile.match.partnerIds.map((id) => [id, profile] as const)),
);
const byFormats = new Map(
  PROFILES.flatMap((profile) => profile.match.formats.map((list) => [list, profile] as const)),
);

export const findProfile = (id: string): DeviceProfile | undefined => byId.get(id.toLowerCase());
const profileOfPartnerId = (id: string): DeviceProfile | undefined => byPartnerId.get(id);
export const profileOfFormats = (list: string): DeviceProfile | undefined =>
  byFormats.get(list.toLowerCase());

/** For an unknown device: nothing is withheld, and the formats that nearly everything plays come first. */
export const SAFE_PROFILE: DeviceProfile = getProfile(UNKNOWN_ID);

function getProfile(id: string): DeviceProfile {
  const profile = byId.get(id);
  if (profile === undefined) throw new Error(`devices/profiles/${id}.json is missing; the service needs it`);
  return profile;
}

/** The profile with the longest match: programs include the names of others in theirs. Null when none matches. */
export function profileOfUserAgent(userAgent: string): DeviceProfile | null {
  let best: DeviceProfile | null = null;
  let length = 0;
  for (const profile of PROFILES) {
    for (const text of profile.match.userAgents) {
      if (text.length <= length || !userAgent.includes(text)) continue;
      best = profile;
      ({ length } = text);
    }
  }
  return best;
}

/** For the error that answers an unknown profile id. */
export const profileIds = (): string => PROFILES.map(({ id }) => id).join(', ');

/** What a call reveals about the device that sent it. */
export interface Hints {
  /** The `device` parameter. */
  readonly device?: string | undefined;
  /** What the operator set for the partner. */
  readonly partnerDevice?: string | null | undefined;
  readonly partnerId?: string | undefined;
  /** The profile that matches the User-Agent; null when none does. */
  readonly byUserAgent?: DeviceProfile | null | undefined;
  /** As the call spells them. */
  readonly formats?: string | undefined;
}

/** Which hint decided, the strongest first. */
export type ProfileSource =
  | 'device'
  | 'partner'
  | 'partnerId'
  | 'userAgent'
  | 'serial'
  | 'formats'
  | 'nothing';

export interface ChosenProfile {
  readonly profile: DeviceProfile;
  readonly source: ProfileSource;
}

/** An explicit `device` wins; then the operator's setting; then the device's own name; then the formats it requests. */
export function chooseProfile({
  device,
  partnerDevice,
  partnerId,
  byUserAgent,
  formats,
}: Hints): ChosenProfile {
  const asked = device === undefined ? undefined : findProfile(device);
  if (asked) return { profile: asked, source: 'device' };
  const set = partnerDevice ? findProfile(partnerDevice) : undefined;
  if (set) return { profile: set, source: 'partner' };
  const known = partnerId === undefined ? undefined : profileOfPartnerId(partnerId);
  if (known) return { profile: known, source: 'partnerId' };
  if (byUserAgent) return { profile: byUserAgent, source: 'userAgent' };
  const named = formats === undefined ? undefined : profileOfFormats(formats);
  return named ? { profile: named, source: 'formats' } : UNKNOWN_DEVICE;
}

export const UNKNOWN_DEVICE: ChosenProfile = { profile: SAFE_PROFILE, source: 'nothing' };
