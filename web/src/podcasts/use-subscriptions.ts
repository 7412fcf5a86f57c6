import { useMemo, useSyncExternalStore } from 'react';
import { accountPresets } from '../saved/account-presets.ts';
import type { SavedPreset } from '../saved/lists.ts';
import { useSaved } from '../saved/saved.ts';
import type { Folder } from '../session/calls/preset-calls.ts';
import { useSession } from '../session/use-session.ts';

/**
 * The shows somebody subscribes to: those among the presets of the account, which podcast apps and radios have too, or
 * those saved in this browser without one. Undefined until it is known which.
 */
export function useSubscriptions(): readonly SavedPreset[] | undefined {
  const { account, error } = useSession();
  const { presets, isLasting } = useSaved();
  const username = account?.username;
  const folders = useSyncExternalStore(accountPresets.subscribe, () =>
    accountPresets.current?.username === username ? accountPresets.current?.folders : undefined,
  );
  const isHere = account === null || (account === undefined && error !== undefined);
  const isRead = isLasting !== undefined;
  return useMemo(() => {
    if (username !== undefined) return folders && showsOf(folders);
    return isHere && isRead ? presets.filter(({ guideId }) => guideId.startsWith('p')) : undefined;
  }, [username, folders, isHere, isRead, presets]);
}

/** Each once, though it may be in several folders. */
const showsOf = (folders: readonly Folder[]): readonly SavedPreset[] => [
  ...new Map(
    folders
      .flatMap(({ presets }) => presets)
      .filter(({ kind, isGone }) => kind === 'show' && isGone !== true)
      .map(({ guideId, name, subtext }) => [guideId, { guideId, name, subtext }] as const),
  ).values(),
];
