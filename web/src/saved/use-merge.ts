import { useEffect, useState } from 'react';
import { listFolders, mergePresets } from '../session/calls/preset-calls.ts';
import { accountPresets } from './account-presets.ts';
import { without } from './lists.ts';
import { saved, useSaved } from './saved.ts';

/**
 * Brings presets that were saved in this browser into the account that is signed in now, and learns which presets that
 * account has. Returns how many came along, until `close`. What fails is tried again when the site is opened next.
 */
export function useMerge(username: string | undefined): { merged: number; close: () => void } {
  const { presets, isLasting } = useSaved();
  const [merged, setMerged] = useState(0);
  const isRead = isLasting !== undefined;
  const hasOwn = presets.length > 0;
  useEffect(() => {
    if (username === undefined) return accountPresets.forget();
    if (!isRead) return undefined;
    let isWanted = true;
    const bring = async (): Promise<void> => {
      const guideIds = saved.state.presets.map(({ guideId }) => guideId);
      if (guideIds.length === 0) {
        if (accountPresets.current?.username === username) return;
        const folders = await listFolders();
        if (isWanted && accountPresets.current?.username !== username) accountPresets.set(username, folders);
        return;
      }
      const { added, left, folders } = await mergePresets(guideIds);
      // Before they are gone from here, which begins this anew.
      if (isWanted) accountPresets.changed(username, folders);
      if (isWanted && added > 0) setMerged(added);
      const gone = guideIds.filter((id) => !left.includes(id));
      if (gone.length > 0) await saved.change('presets', (list) => without(list, gone));
    };
    bring().catch(() => {});
    return () => {
      isWanted = false;
    };
  }, [username, isRead, hasOwn]);
  return { merged, close: () => setMerged(0) };
}
