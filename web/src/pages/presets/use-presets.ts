import {
  type Folder,
  type NewPreset,
  type Preset,
  addPreset,
  movePreset,
  orderPresets,
  removePreset,
} from '../../session/calls/preset-calls.ts';
import { type Queue, useQueue } from '../../session/use-queue.ts';
import type { SiteAnswer } from '../../session/use-site.ts';
import { useFolders } from '../../saved/use-folders.ts';
import { withOrder, withoutPreset } from './folders.ts';

export interface PresetChanges {
  answer: SiteAnswer<Folder[]>;
  queue: Queue;
  order: (folderId: string, ids: readonly string[]) => void;
  remove: (folderId: string, preset: Preset) => void;
  /** Saves a removed one again, on the same button. */
  restore: (folderId: string, preset: Preset) => void;
  move: (preset: Preset, toFolderId: string) => void;
}

/** Changes are shown immediately; then the server's state is shown again, with an error if it refused. */
export function usePresets(username: string): PresetChanges {
  const answer = useFolders(username);
  const queue = useQueue(answer.again);
  return {
    answer,
    queue,
    order: (folderId, ids) => {
      answer.set((folders) => withOrder(folders, folderId, ids));
      void queue.run(() => orderPresets(folderId, ids));
    },
    remove: (folderId, preset) => {
      answer.set((folders) => withoutPreset(folders, folderId, preset.id));
      void queue.run(() => removePreset(preset.id));
    },
    restore: (folderId, preset) =>
      void queue.run(() => addPreset({ ...asNew(preset), folderId, number: preset.number })),
    move: (preset, folderId) => void queue.run(() => movePreset(preset.id, folderId)),
  };
}

const asNew = ({ guideId, url, name }: Preset): NewPreset =>
  url === undefined ? { guideId } : { url, name };
