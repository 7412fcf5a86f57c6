import { type ReactNode, useState } from 'react';
import { Button } from '../../design/Button.tsx';
import { Field } from '../../design/Field.tsx';
import { signIn } from '../../session/calls/account-calls.ts';
import forms from '../../session/forms/forms.module.css';
import { Notice } from '../../session/forms/Notice.tsx';
import { useDoing } from '../../session/forms/use-doing.ts';
import { useFaultWords } from '../../session/forms/use-fault-words.ts';
import { useSession } from '../../session/use-session.ts';
import { useWords } from '../../i18n/use-words.ts';

export function SignInForm(): ReactNode {
  const { t } = useWords();
  const { signedIn } = useSession();
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const { isBusy, error, onSubmit } = useDoing();
  const fault = useFaultWords(error).elsewhere([]);
  const send = async (): Promise<void> => {
    await signIn({ username: username.trim(), password });
    await signedIn();
  };
  return (
    <form className={forms['form']} onSubmit={onSubmit(send)}>
      {fault && <Notice kind="trouble">{fault}</Notice>}
      <Field
        label={t('account.username')}
        value={username}
        onChange={({ target }) => setUsername(target.value)}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
      />
      <Field
        label={t('account.password')}
        value={password}
        onChange={({ target }) => setPassword(target.value)}
        type="password"
        name="password"
        autoComplete="current-password"
        required
      />
      <Button kind="main" type="submit" aria-busy={isBusy}>
        {t('shell.signIn')}
      </Button>
    </form>
  );
}
