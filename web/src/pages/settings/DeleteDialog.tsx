import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { Button } from '../../design/Button.tsx';
import { Dialog } from '../../design/Dialog.tsx';
import { Field } from '../../design/Field.tsx';
import { deleteAccount } from '../../session/calls/account-calls.ts';
import forms from '../../session/forms/forms.module.css';
import { Notice } from '../../session/forms/Notice.tsx';
import { useDoing } from '../../session/forms/use-doing.ts';
import { useFaultWords } from '../../session/forms/use-fault-words.ts';
import { type SiteAccount, useSession } from '../../session/use-session.ts';
import { useWords } from '../../i18n/use-words.ts';

/** Guards against accidents: the name must be typed, and the password proves who it is. */
export function DeleteDialog({ account, onClose }: { account: SiteAccount; onClose: () => void }): ReactNode {
  const { t } = useWords();
  const { signedOut } = useSession();
  const [isDone, setIsDone] = useState(false);
  const id = useId();
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const { isBusy, error, run } = useDoing();
  const fault = useFaultWords(error).elsewhere([]);
  const isMeant = name.trim().toLowerCase() === account.username.toLowerCase();
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (isMeant) void run(() => deleteAccount(password)).then(setIsDone);
  };
  if (isDone) return <Deleted onClose={() => void signedOut()} />;
  return (
    <Dialog
      title={t('settings.delete')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('shell.cancel')}</Button>
          <Button
            kind="grave"
            type="submit"
            form={id}
            disabled={!isMeant || password === ''}
            aria-busy={isBusy}
          >
            {t('settings.deleteButton')}
          </Button>
        </>
      }
    >
      <form id={id} className={forms['form']} onSubmit={onSubmit}>
        <p>{t('settings.deleteHow')}</p>
        {fault && <Notice kind="trouble">{fault}</Notice>}
        <Field
          label={t('settings.deleteName', { name: account.username })}
          value={name}
          onChange={({ target }) => setName(target.value)}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
        <Field
          label={t('account.password')}
          value={password}
          onChange={({ target }) => setPassword(target.value)}
          type="password"
          autoComplete="current-password"
          required
        />
      </form>
    </Dialog>
  );
}

/** The page behind still shows the account; closing this dialog leaves it. */
function Deleted({ onClose }: { onClose: () => void }): ReactNode {
  const { t } = useWords();
  return (
    <Dialog
      title={t('settings.delete')}
      onClose={onClose}
      actions={
        <Button kind="main" onClick={onClose}>
          {t('shell.close')}
        </Button>
      }
    >
      <Notice kind="well">{t('settings.deleted')}</Notice>
    </Dialog>
  );
}
