import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { Button } from '../../design/Button.tsx';
import { Dialog } from '../../design/Dialog.tsx';
import { Field } from '../../design/Field.tsx';
import { useDoing } from '../../session/use-doing.ts';
import { useFaultWords } from '../../session/use-fault-words.ts';
import { useWords } from '../../words/use-words.ts';

interface Props {
  title: string;
  name?: string;
  save: (name: string) => Promise<void>;
  onClose: () => void;
}

export function FolderNameDialog({ title, name = '', save, onClose }: Props): ReactNode {
  const { t } = useWords();
  const id = useId();
  const [text, setText] = useState(name);
  const { isBusy, error, run } = useDoing();
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    void run(() => save(text.trim()));
  };
  return (
    <Dialog
      title={title}
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
          value={text}
          onChange={({ target }) => setText(target.value)}
          fault={useFaultWords(error).elsewhere([])}
          maxLength={60}
          required
          autoComplete="off"
        />
      </form>
    </Dialog>
  );
}
