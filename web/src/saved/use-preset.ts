import { useState, useSyncExternalStore } from 'react';
import { addPreset, removePreset } from '../session/calls/preset-calls.ts';
import { useSession } from '../session/use-session.ts';
import { accountPresets } from './account-presets.ts';
import { MAX_SAVED, type SavedPreset, withPreset, without } from './lists.ts';
import { saved } from './saved.ts';

type SaveFault = 'failed' | 'full';

export interface PresetSwitch {
  isPreset: boolean;
  /** False until it is known whether the account has it. */
  canChange: boolean;
  isBusy: boolean;
  fault: SaveFault | undefined;
  change: () => void;
}

/** Whether a station or show is a preset, and the switch for it: in the account, or in this browser without one. */
export function usePreset(preset: SavedPreset): PresetSwitch {
  const { account } = useSession();
  const [fault, setFault] = useState<SaveFault>();
  const [isBusy, setIsBusy] = useState(false);
  const { guideId } = preset;
  const username = account?.username;
  const presetId = useSyncExternalStore(accountPresets.subscribe, () =>
    accountPresets.current?.username === username ? accountPresets.current?.ids.get(guideId) : undefined,
  );
  const isKnown = useSyncExternalStore(
    accountPresets.subscribe,
    () => accountPresets.current !== undefined && accountPresets.current.username === username,
  );
  const isSaved = useSyncExternalStore(saved.subscribe, () =>
    saved.state.presets.some((each) => each.guideId === guideId),
  );
  const isPreset = username === undefined ? isSaved : presetId !== undefined;
  const change = async (): Promise<void> => {
    setIsBusy(true);
    setFault(undefined);
    const outcome = username === undefined ? changeHere(preset) : changeThere(username, guideId, presetId);
    setFault(await outcome.catch(() => 'failed' as const));
    setIsBusy(false);
  };
  return {
    isPreset,
    // Whoever is not known to be signed in saves here; it is merged into the account if there is one.
    canChange: username === undefined || isKnown,
    isBusy,
    fault,
    change: () => void change(),
  };
}

async function changeHere(preset: SavedPreset): Promise<SaveFault | undefined> {
  const has = (): boolean => saved.state.presets.some(({ guideId }) => guideId === preset.guideId);
  if (has()) return saved.change('presets', (list) => without(list, [preset.guideId])).then(() => undefined);
  await saved.change('presets', (list) => withPreset(list, preset));
  if (has()) return undefined;
  return saved.state.presets.length >= MAX_SAVED.presets ? 'full' : 'failed';
}

async function changeThere(username: string, guideId: string, id: string | undefined): Promise<undefined> {
  const { folders } = await (id === undefined ? addPreset({ guideId }) : removePreset(id));
  accountPresets.changed(username, folders);
}
