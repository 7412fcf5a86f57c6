import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { Button } from '../../design/Button.tsx';
import { Dialog } from '../../design/Dialog.tsx';
import { Field } from '../../design/Field.tsx';
import { type Radio, renameRadio } from '../../session/radio-calls.ts';
import { useDoing } from '../../session/use-doing.ts';
import { useFaultWords } from '../../session/use-fault-words.ts';
import { useWords } from '../../words/use-words.ts';

interface Props {
  radio: Radio;
  onClose: () => void;
  onDone: () => void;
}

export function RenameDialog({ radio, onClose, onDone }: Props): ReactNode {
  const { t } = useWords();
  const id = useId();
  const [name, setName] = useState(radio.name);
  const { isBusy, error, run } = useDoing();
  const fault = useFaultWords(error).elsewhere([]);
  const save = async (): Promise<void> => {
    await renameRadio(radio.id, name.trim());
    onDone();
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    void run(save);
  };
  return (
    <Dialog
      title={t('radios.rename')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('shell.cancel')}</Button>
          <Button kind="main" type="submit" form={id} aria-busy={isBusy}>
            {t('shell.save')}
          </Button>
        </>
      }
    >
      <form id={id} onSubmit={onSubmit}>
        <Field
          label={t('account.name')}
          hint={t('radios.nameHint')}
          value={name}
          onChange={({ target }) => setName(target.value)}
          fault={fault}
          maxLength={60}
          required
          autoComplete="off"
        />
      </form>
    </Dialog>
  );
}
