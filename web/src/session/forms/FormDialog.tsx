import { type ReactNode, useId } from 'react';
import { Button } from '../../design/Button.tsx';
import { Dialog } from '../../design/Dialog.tsx';
import { useWords } from '../../i18n/use-words.ts';
import type { Doing } from './use-doing.ts';

interface Props {
  title: string;
  doing: Doing;
  save: () => Promise<unknown>;
  onClose: () => void;
  className?: string | undefined;
  children: ReactNode;
}

/** A dialog with a few fields, to save or cancel. */
export function FormDialog({ title, doing, save, onClose, className, children }: Props): ReactNode {
  const { t } = useWords();
  const id = useId();
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('shell.cancel')}</Button>
          <Button kind="main" type="submit" form={id} aria-busy={doing.isBusy}>
            {t('shell.save')}
          </Button>
        </>
      }
    >
      <form id={id} className={className} onSubmit={doing.onSubmit(save)}>
        {children}
      </form>
    </Dialog>
  );
}
