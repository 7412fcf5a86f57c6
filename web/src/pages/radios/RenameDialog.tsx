import type { ReactNode } from 'react';
import { NameDialog } from '../../session/forms/NameDialog.tsx';
import { type Radio, renameRadio } from './radio-calls.ts';
import { useWords } from '../../i18n/use-words.ts';

interface Props {
  radio: Radio;
  onClose: () => void;
  onDone: () => void;
}

export function RenameDialog({ radio, onClose, onDone }: Props): ReactNode {
  const { t } = useWords();
  const save = async (name: string): Promise<void> => {
    await renameRadio(radio.id, name);
    onDone();
  };
  return (
    <NameDialog
      title={t('radios.rename')}
      hint={t('radios.nameHint')}
      name={radio.name}
      save={save}
      onClose={onClose}
    />
  );
}
