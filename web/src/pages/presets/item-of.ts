import type { PlayerItem } from '../../player/state.ts';
import type { Preset } from '../../session/preset-calls.ts';

/** What the player is given for a preset; undefined for what is no sound but a list, as a show is. */
export function itemOf({ guideId, name, subtext, image, url }: Preset): PlayerItem | undefined {
  const shown = { guideId, name, subtext, image };
  if (url !== undefined) return { kind: 'station', ...shown, address: url };
  if (guideId.startsWith('s')) return { kind: 'station', ...shown };
  return guideId.startsWith('t') ? { kind: 'topic', ...shown } : undefined;
}
