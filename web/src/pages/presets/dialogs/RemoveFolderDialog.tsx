import type { ReactNode } from 'react';
import { Button } from '../../../design/Button.tsx';
import { Dialog } from '../../../design/Dialog.tsx';
import { Notice } from '../../../session/forms/Notice.tsx';
import { type Folder, removeFolder } from '../../../session/calls/preset-calls.ts';
import { useDoing } from '../../../session/forms/use-doing.ts';
import { useFaultWords } from '../../../session/forms/use-fault-words.ts';
import { useWords } from '../../../i18n/use-words.ts';

interface Props {
  folder: Folder;
  onClose: () => void;
  onDone: () => void;
}

export function RemoveFolderDialog({ folder, onClose, onDone }: Props): ReactNode {
  const { t } = useWords();
  const { isBusy, error, run } = useDoing();
  const fault = useFaultWords(error).elsewhere([]);
  const remove = async (): Promise<void> => {
    await removeFolder(folder.id);
    onDone();
  };
  return (
    <Dialog
      title={t('presets.removeFolder')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('shell.cancel')}</Button>
          <Button kind="grave" aria-busy={isBusy} onClick={() => void run(remove)}>
            {t('presets.removeFolder')}
          </Button>
        </>
      }
    >
      {fault && <Notice kind="trouble">{fault}</Notice>}
      <p>{t('presets.removeFolderText', { name: folder.name, count: folder.presets.length })}</p>
    </Dialog>
  );
}
