import { useEffect } from 'react';
import { type Folder, listFolders } from '../session/calls/preset-calls.ts';
import { type SiteAnswer, useSite } from '../session/use-site.ts';
import { accountPresets } from './account-presets.ts';

/** The folders of an account. A heart that is pressed anywhere on the page, and a merge, show here at once. */
export function useFolders(username: string): SiteAnswer<Folder[]> {
  const answer = useSite(`presets ${username}`, (signal) => askFolders(username, signal));
  const { value, set } = answer;
  useEffect(() => {
    if (value && value !== accountPresets.current?.folders) accountPresets.set(username, value);
  }, [username, value]);
  useEffect(
    () =>
      accountPresets.subscribe(() => {
        const { current } = accountPresets;
        if (current?.username === username)
          set((shown) => (shown === current.folders ? shown : [...current.folders]));
      }),
    [username, set],
  );
  return answer;
}

async function askFolders(username: string, signal: AbortSignal): Promise<Folder[]> {
  const before = accountPresets.changes;
  const folders = await listFolders(signal);
  const { changes, current } = accountPresets;
  return changes !== before && current?.username === username ? [...current.folders] : folders;
}
