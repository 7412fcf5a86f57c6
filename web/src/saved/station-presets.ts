import type { PlayerItem } from '../player/engine/state.ts';
import { accountPresets } from './account-presets.ts';
import { saved } from './saved.ts';

/** The presets that are played directly, in their order: of the account that is signed in, else of this browser. */
export function stationPresets(): PlayerItem[] {
  const { current } = accountPresets;
  if (!current)
    return saved.state.presets.flatMap(({ guideId, name, subtext }) => playable({ guideId, name, subtext }));
  return current.folders.flatMap(({ presets }) =>
    presets.flatMap(({ guideId, name, subtext, url, isGone }) =>
      isGone ? [] : playable({ guideId, name, subtext, url }),
    ),
  );
}

/** Shows have many topics, and are opened instead. */
const playable = ({ guideId, name, subtext, url }: PresetFacts): PlayerItem[] =>
  url === undefined && !guideId.startsWith('s')
    ? []
    : [{ kind: 'station', guideId, name, subtext: subtext || undefined, address: url }];

interface PresetFacts {
  guideId: string;
  name: string;
  subtext: string;
  url?: string | undefined;
}

/** The preset after this one, or before it; from the last to the first. Undefined where there is no other. */
export function presetBeside(
  presets: readonly PlayerItem[],
  guideId: string | undefined,
  step: 1 | -1,
): PlayerItem | undefined {
  const at = presets.findIndex((preset) => preset.guideId === guideId);
  // What is no preset stands before the first and after the last.
  const next = at === -1 ? (step === 1 ? 0 : -1) : (at + step) % presets.length;
  const preset = presets.at(next);
  return preset?.guideId === guideId ? undefined : preset;
}
