import type { ReactNode } from 'react';
import { addFolder, renameFolder, type Folder, type Preset } from '../../../session/calls/preset-calls.ts';
import { useWords } from '../../../i18n/use-words.ts';
import { AddressDialog } from './AddressDialog.tsx';
import { ExportDialog } from './ExportDialog.tsx';
import { NameDialog } from '../../../session/forms/NameDialog.tsx';
import { ImportDialog } from '../import/ImportDialog.tsx';
import { PresetDialog } from './PresetDialog.tsx';
import { RemoveFolderDialog } from './RemoveFolderDialog.tsx';

/** Which dialog is open. */
export type Asked =
  | { kind: 'address' | 'import' | 'export' | 'newFolder' | 'renameFolder' | 'removeFolder' }
  | { kind: 'preset'; preset: Preset };

interface Props {
  asked: Asked | undefined;
  folder: Folder;
  folders: readonly Folder[];
  onClose: () => void;
  onRemove: (preset: Preset) => void;
  onMove: (preset: Preset, toFolderId: string) => void;
  /** Something was changed; optionally the folder to show now. */
  onChanged: (folderId?: string) => void;
}

export function PresetDialogs({
  asked,
  folder,
  folders,
  onClose,
  onRemove,
  onMove,
  onChanged,
}: Props): ReactNode {
  const { t } = useWords();
  const done = (folderId?: string): void => {
    onClose();
    onChanged(folderId);
  };
  switch (asked?.kind) {
    case 'address':
      return <AddressDialog folder={folder} onClose={onClose} onDone={done} />;
    case 'import':
      return <ImportDialog onClose={onClose} onChanged={() => onChanged()} />;
    case 'export':
      return <ExportDialog onClose={onClose} />;
    case 'newFolder':
      return (
        <NameDialog
          title={t('presets.newFolder')}
          save={async (name) => done((await addFolder(name)).id)}
          onClose={onClose}
        />
      );
    case 'renameFolder':
      return (
        <NameDialog
          title={t('presets.renameFolder')}
          name={folder.name}
          save={async (name) => done(await renameFolder(folder.id, name).then(() => folder.id))}
          onClose={onClose}
        />
      );
    case 'removeFolder':
      return <RemoveFolderDialog folder={folder} onClose={onClose} onDone={done} />;
    case 'preset': {
      const { preset } = asked;
      return (
        <PresetDialog
          preset={preset}
          others={folders.filter(({ id }) => id !== folder.id)}
          onClose={onClose}
          onRemove={() => onRemove(preset)}
          onMove={(to) => onMove(preset, to)}
        />
      );
    }
    default:
      return null;
  }
}
