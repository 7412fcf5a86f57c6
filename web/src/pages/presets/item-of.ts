import type { PlayerItem } from '../../player/state.ts';
import type { Preset } from '../../session/preset-calls.ts';

/** The player's item for a preset; undefined for what cannot be played directly, such as a show. */
export function presetItemOf({ guideId, name, subtext, image, url }: Preset): PlayerItem | undefined {
  const shown = { guideId, name, subtext, image };
  if (url !== undefined) return { kind: 'station', ...shown, address: url };
  if (guideId.startsWith('s')) return { kind: 'station', ...shown };
  return guideId.startsWith('t') ? { kind: 'topic', ...shown } : undefined;
}
