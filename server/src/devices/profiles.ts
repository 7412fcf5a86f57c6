import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type DeviceProfile, parseProfile } from './profile.ts';

const FOLDER = join(import.meta.dirname, 'profiles');
const UNKNOWN_DEVICE = 'unknown';

/** Read once, when the service starts, which a wrong file stops with an error that says what to change. */
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
export const profileOfPartnerId = (id: string): DeviceProfile | undefined => byPartnerId.get(id);
export const profileOfFormats = (list: string): DeviceProfile | undefined =>
  byFormats.get(list.toLowerCase());

/** Of a device of which nothing is known: nothing is held back, and what nearly everything plays comes first. */
export const SAFE_PROFILE: DeviceProfile = getProfile(UNKNOWN_DEVICE);

function getProfile(id: string): DeviceProfile {
  const profile = byId.get(id);
  if (profile === undefined)
    throw new Error(`devices/profiles/${id}.json is missing; the service cannot do without it`);
  return profile;
}

/** By the longest text that is found: programs write the names of others beside their own. Null when none is. */
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

/** For whoever named one that does not exist. */
export const profileIds = (): string => PROFILES.map(({ id }) => id).join(', ');
